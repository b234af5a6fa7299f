public import Foundation
public import Logging
import NIOCore

/// The configuration of a server.
public struct AppConfiguration: Sendable {
    /// The files of a certificate and its private key, in PEM.
    public struct TLSFiles: Sendable {
        /// The certificate, followed by intermediate certificates.
        public var certificate: String
        /// The private key.
        public var privateKey: String

        /// Creates the pair of files.
        public init(certificate: String, privateKey: String) {
            self.certificate = certificate
            self.privateKey = privateKey
        }
    }

    /// Where the stores are.
    public var location: StoreLocation
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 for any free port.
    public var port = 8_080
    /// The certificate; `nil` for HTTP without TLS.
    public var tls: TLSFiles?
    /// Whether to listen on an address other than loopback without TLS, behind a proxy that adds it.
    public var allowsInsecure = false
    /// The network whose devices alone reach the server, without TLS as well, because its owner has confirmed that it is
    /// theirs; `nil` for any.
    package var network: LocalNetwork?
    /// The URL under which clients reach the server through a reverse proxy; `nil` without one.
    public var publicURL: URL?
    /// The sites whose scripts may use the API in a browser; `nil` for none.
    package var allowedOrigins: AllowedOrigins?
    /// The map below routes; `nil` for none.
    package var mapTiles: MapTiles?
    /// Whether the person is fictional, which the page says.
    package var isDemo = false
    /// The limits on requests.
    public var limits = ServerLimits()
    /// The folder of the page's files; `nil` to find it.
    public var pageFolder: String?
    /// The clock.
    public var now: @Sendable () -> Date = { Date() }
    /// The clock by which slow clients are waited for, which no change of the date moves.
    var uptime: @Sendable () -> NIODeadline = { .now() }
    /// The time zone of answers about stores without one of their own.
    public var timeZone = TimeZone.current
    /// Where the server logs.
    public var logger = Logger(label: "org.openhealthkit.server") {
        StreamLogHandler.standardError(label: $0)
    }
    /// Whether assistants that use `/mcp` can save samples; each also needs a token that may.
    public var allowsAssistantWrites = false
    /// The folder with what this user lets stores call, and the keys of webhooks; `nil` if none can be registered.
    package var webhookFolder: String?
    /// Whether webhooks can be on this machine or in its network.
    package var allowsPrivateWebhooks = false
    /// The seconds that requests in flight have to complete when the server stops.
    public var shutdownSeconds = 20

    /// Creates a configuration for the stores at a location, with the defaults of `hk serve`.
    public init(location: StoreLocation) {
        self.location = location
    }

    /// Whether the server listens on loopback only.
    public var isLoopback: Bool {
        host == "localhost" || HostNames.isLoopback(host)
    }

    /// The host by which other machines reach the server; `nil` if none can.
    var reachableHost: String? {
        guard host == "0.0.0.0" || host == "::" else { return isLoopback ? nil : host }
        let found = (network ?? LocalNetwork.find())?.host
        return host == "0.0.0.0" && found?.contains(":") == true ? nil : found
    }

    /// The URL of the page for a host and port.
    func url(host: String, port: Int) -> URL? {
        let name = host.contains(":") ? "[\(host)]" : host
        return URL(string: "\(tls == nil ? "http" : "https")://\(name):\(port)/")
    }

    /// Whether browsers reach the server through TLS, so that cookies can be restricted to it.
    var isSecure: Bool { tls != nil || publicURL?.scheme == "https" }
}

/// The limits on requests and connections.
public struct ServerLimits: Sendable {
    /// The largest body of a request that is read as a whole, in bytes.
    public var bodyBytes = 32 << 20
    /// The largest upload of an archive, in bytes.
    public var uploadBytes = 16 << 30
    /// The largest header section, in bytes.
    public var headerBytes = 32 << 10
    /// The largest number of connections; further ones wait.
    public var connections = 4_096
    /// The requests a second of one token or session; `nil` for no limit.
    public var requestsPerSecond: Double?
    /// The requests that may come at once before ``requestsPerSecond`` applies.
    public var requestBurst = 400.0
    /// The failed authentications a minute of one address.
    public var failuresPerMinute = 30.0
    /// The largest number of open event streams.
    public var streams = 4_000
    /// The largest number of open event streams of one token or session.
    public var streamsPerIdentity = 64
    /// The seconds a new connection has for its first request header.
    public var headerSeconds = 15.0
    /// The seconds a connection stays open between requests.
    public var idleSeconds = 75.0
    /// The seconds without a byte after which a client that sends a body, or doesn't read its response, is dropped.
    public var stallSeconds = 20.0
    /// The bytes a second that a client has to send or read on average.
    public var minimumBytesPerSecond = 1_000.0
    /// The largest number of stores that stay open while they are unused.
    public var openStores = 64
    /// The seconds after which an unused store is closed.
    public var storeIdleSeconds = 300.0
    /// The threads for work on stores: some more than cores, because a save waits for the disk. Many more would only
    /// wait for each other.
    public var storeThreads = min(max(ProcessInfo.processInfo.activeProcessorCount * 2, 4), 16)
    /// The SQL statements that run at the same time. Others pause meanwhile, and alternate with them.
    public var statementThreads = min(max(ProcessInfo.processInfo.activeProcessorCount, 2), 4)
    /// The SQL statements that run or are paused: each occupies a reader of its store.
    public var statements = 16
    /// The SQL statements of one token or session that run or are paused.
    public var statementsPerIdentity = 13
    /// The SQL statements that may wait until others have ended; of one token or session, half of them.
    public var waitingStatements = 100
    /// The number of people below which figures over many people are withheld; a request may ask for a higher one.
    public var cohortMinimum = 10
    /// The requests that may wait for a thread.
    public var waitingRequests = 2_000
    /// The threads for responses that are streamed from a store.
    public var streamingThreads = 16

    /// Creates the default limits.
    public init() {}

    /// The usual number of ``openStores`` at a location. A store in a database takes at most about a megabyte while it is
    /// open, and all of them an eighth of the memory; a store in a file has a cache of its own and a dozen open files.
    ///
    /// - Parameter memory: The memory of the machine, in bytes.
    package static func openStores(
        at location: StoreLocation, memory: UInt64 = ProcessInfo.processInfo.physicalMemory
    ) -> Int {
        guard case .database = location else { return ServerLimits().openStores }
        return min(max(Int(memory >> 23), ServerLimits().openStores), 4_096)
    }
}
