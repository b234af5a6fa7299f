public import Foundation
import HealthAccess
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle
import Synchronization
import UnixSignals

/// A server over a person's store, or over those of many people.
///
/// ```swift
/// let server = try HealthServerApplication(AppConfiguration(location: .store("health.sqlite")))
/// try await server.run { address in
///     print(try server.signInURL(at: address))
/// }
/// ```
public struct HealthServerApplication: Sendable {
    let core: ServerCore
    private let running = RunningServices()

    /// Where a running server is reached.
    public struct Address: Hashable, Sendable {
        /// The host, as in a URL.
        public var host: String
        /// The port that it listens on.
        public var port: Int
        /// The URL of the page.
        public var url: URL
    }

    /// Prepares a server. Nothing is opened except for its files of tokens and the audit log, and what a server that was
    /// killed has left of demos is removed.
    ///
    /// - Throws: ``ServerError``, as for a host that needs TLS.
    public init(_ configuration: AppConfiguration) throws {
        guard
            configuration.tls != nil || configuration.isLoopback || configuration.allowsInsecure
                || configuration.network != nil
        else {
            throw ServerError(
                "“\(configuration.host)” can be reached from other machines, so health data would be sent unencrypted. "
                    + "Use --lan in a private network, --tls-certificate and --tls-key, or --allow-insecure behind a proxy "
                    + "that adds TLS.")
        }
        core = try ServerCore(configuration: configuration)
        core.demos.removeLeftovers()
    }

    /// Runs the server until the process receives `SIGTERM` or `SIGINT`, or the surrounding service group shuts down.
    /// Requests in flight are completed.
    ///
    /// - Parameters:
    ///   - handlesSignals: Whether `SIGTERM` and `SIGINT` end the server.
    ///   - onRunning: Called once the server accepts connections.
    /// - Throws: ``ServerError`` if the certificate can't be read or the address can't be used.
    public func run(handlesSignals: Bool = true, onRunning: @escaping @Sendable (Address) throws -> Void) async throws {
        OpenFileLimit.raise()
        let configuration = core.configuration
        let failure = LockedError()
        let loops = MultiThreadedEventLoopGroup(numberOfThreads: min(System.coreCount, 4))
        let application = Application(
            responder: ServerResponder(core: core), server: try server(),
            configuration: ApplicationConfiguration(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(
                    configuration.limits.connections, logger: configuration.logger)),
            onServerRunning: { channel in
                do {
                    try onRunning(address(of: channel))
                } catch {
                    failure.set(error)
                    channel.close(promise: nil)
                }
            }, eventLoopGroupProvider: .shared(loops), logger: serviceLogger)
        var group = ServiceGroupConfiguration(
            services: [
                ServiceGroupConfiguration.ServiceConfiguration(
                    service: application, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .cancelGroup),
                ServiceGroupConfiguration.ServiceConfiguration(service: Housekeeping(core: core)),
                ServiceGroupConfiguration.ServiceConfiguration(service: core.webhooks),
            ], gracefulShutdownSignals: handlesSignals ? [.sigterm, .sigint] : [], logger: serviceLogger)
        group.maximumGracefulShutdownDuration = Duration.seconds(configuration.shutdownSeconds)
        do {
            let services = ServiceGroup(configuration: group)
            running.set(services)
            try await services.run()
        } catch {
            await close(loops)
            // The listener was closed because of the callback's error, so this one says nothing.
            throw failure.value ?? Self.described(error, configuration)
        }
        await close(loops)
        if let error = failure.value { throw error }
    }

    /// Ends ``run(handlesSignals:onRunning:)``, like `SIGTERM`. Requests in flight are completed.
    public func shutdown() {
        running.shutdown()
    }

    /// A URL with a code that signs one browser in, once, within an hour.
    ///
    /// - Parameter people: The people whose stores the session may use; `nil` for everyone.
    /// - Throws: ``AccessFileError``.
    public func signInURL(at address: Address, people: [String]? = nil) throws -> URL {
        let code = try core.registry.addSignInCode(people: people)
        return SignInLinksResource.link(code: code, at: address.url)
    }

    // MARK: -

    private func server() throws -> HTTPServerBuilder {
        let limits = core.configuration.limits
        let uptime = core.configuration.uptime
        let http = HTTPServerBuilder { responder in
            HTTP1Channel(
                responder: responder,
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [
                        AbsoluteTargetHandler(), SlowClientHandler(limits: limits, now: uptime),
                    ],
                    httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                        maxHeaderFieldSize: limits.headerBytes, maxHeaderListSize: limits.headerBytes,
                        maxHeaderFieldCount: 100)))
        }
        guard let files = core.configuration.tls else { return http }
        var status = stat()
        if stat(files.privateKey, &status) == 0, status.st_mode & 0o007 != 0 {
            throw ServerError(
                "Everybody on this machine can read or change the key “\(files.privateKey)”. Use: chmod o= \(files.privateKey)"
            )
        }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(files.certificate).map {
                NIOSSLCertificateSource.certificate($0)
            }
            let key = NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: files.privateKey, format: .pem))
            var tls = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: key)
            tls.minimumTLSVersion = .tlsv12
            // With forward secrecy: what was recorded isn't readable with a key that is stolen later.
            tls.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
            tls.applicationProtocols = ["http/1.1"]
            return try .tls(http, tlsConfiguration: tls)
        } catch {
            throw ServerError(
                "The certificate “\(files.certificate)” or the key “\(files.privateKey)” can’t be read. Both must be PEM files."
            )
        }
    }

    /// The libraries log their own life cycle; only their problems are of interest.
    private var serviceLogger: Logger {
        var logger = core.logger
        logger.logLevel = max(logger.logLevel, .warning)
        return logger
    }

    private func address(of channel: any Channel) -> Address {
        let configuration = core.configuration
        let port = channel.localAddress?.port ?? configuration.port
        let host = configuration.reachableHost ?? (configuration.isLoopback ? configuration.host : "localhost")
        let url = configuration.publicURL ?? configuration.url(host: host, port: port)
        return Address(
            host: host.contains(":") ? "[\(host)]" : host, port: port, url: url ?? URL(fileURLWithPath: "/"))
    }

    private func close(_ loops: MultiThreadedEventLoopGroup) async {
        await core.close()
        // Fails only if it was shut down before.
        try? await loops.shutdownGracefully()
    }

    private static func described(_ error: any Error, _ configuration: AppConfiguration) -> any Error {
        guard let error = error as? IOError else { return error }
        let reason = String(cString: strerror(error.errnoCode))
        return ServerError(
            "The server can’t listen on \(configuration.host):\(configuration.port): \(reason).",
            isAddressInUse: error.errnoCode == EADDRINUSE)
    }
}

/// The number of files and connections that the process may have open.
private enum OpenFileLimit {
    /// Raises the limit to the highest that the system allows: the usual 1,024 is less than the event streams that a
    /// server has.
    static func raise() {
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        // Without the permission, the limit stays.
        _ = setrlimit(files, &limit)
    }
}

/// The services of a running server.
private final class RunningServices: Sendable {
    private let state = Mutex<(group: ServiceGroup?, isShutDown: Bool)>((nil, false))

    func set(_ group: ServiceGroup) {
        let isShutDown = state.withLock { state in
            state.group = group
            return state.isShutDown
        }
        if isShutDown { shutdown() }
    }

    func shutdown() {
        let group = state.withLock { state in
            state.isShutDown = true
            return state.group
        }
        if let group { Task { await group.triggerGracefulShutdown() } }
    }
}

/// An error of a callback, to be thrown by the server's own task.
private final class LockedError: Sendable {
    private let error = Mutex<(any Error)?>(nil)

    var value: (any Error)? { error.withLock { $0 } }

    func set(_ new: any Error) { error.withLock { $0 = new } }
}
