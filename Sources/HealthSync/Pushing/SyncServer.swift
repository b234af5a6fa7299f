public import Foundation

#if !canImport(Darwin)
    import AsyncHTTPClient
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1
#endif

/// The server that a sync sends to.
public struct SyncServer: Hashable, Sendable {
    /// The address of the server, such as `https://health.example.com`.
    public var url: URL
    /// The name of the person whose store receives the data.
    public var person: String
    /// The token; `nil` for a server that requires none.
    public var token: String?

    /// Creates the address of a person's store.
    public init(url: URL, person: String = "me", token: String? = nil) {
        self.url = url
        self.person = person
        self.token = token
    }

    /// Where batches are sent.
    var batches: URL {
        var url = url
        for part in ["v1", "people", person, "sync", "batches"] { url.appendPathComponent(part) }
        return url
    }

    /// Identifies the person's store in a progress.
    var destination: String { batches.absoluteString }
}

/// An answer of a server.
public struct SyncResponse: Sendable {
    /// The status code of HTTP.
    public var status: Int
    /// The value of `Retry-After` in seconds, if there is one.
    public var retryAfter: Double?
    /// The value of `Sync-Last-Sequence`, the number of the last batch that the server has, if there is one.
    public var lastSequence: Int?
    /// The body.
    public var body: Data

    /// Creates an answer.
    public init(status: Int, retryAfter: Double? = nil, lastSequence: Int? = nil, body: Data = Data()) {
        self.status = status
        self.retryAfter = retryAfter
        self.lastSequence = lastSequence
        self.body = body
    }
}

/// Sends the bytes of a batch.
public protocol SyncTransport: Sendable {
    /// Sends JSON with the method `POST` and returns the answer, whatever its status.
    ///
    /// - Throws: an error if there is no answer. The batch may have arrived anyway.
    func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse
}

#if canImport(Darwin)
    /// Sends batches with `URLSession`.
    public struct HTTPTransport: SyncTransport {
        private let session: URLSession

        /// - Parameter session: The session; by default one without a cache and with a timeout of a minute.
        public init(session: URLSession? = nil) {
            if let session {
                self.session = session
            } else {
                let configuration = URLSessionConfiguration.ephemeral
                configuration.timeoutIntervalForRequest = 60
                self.session = URLSession(configuration: configuration)
            }
        }

        /// Sends JSON and returns the answer. Throws the errors of `URLSession`.
        public func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse {
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            request.httpBody = body
            for (name, value) in HTTPFields.request(token: token) { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return HTTPFields.response(status: response.statusCode, body: data) { response.value(forHTTPHeaderField: $0) }
        }
    }
#else
    /// Sends batches with AsyncHTTPClient. Programs that never sync start without its threads.
    ///
    /// `URLSession` would bring libcurl on Linux, whose two dozen libraries every program would load at its start.
    public struct HTTPTransport: SyncTransport {
        /// One client for the process, which is never shut down.
        private static let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            // A batch that is sent elsewhere would take the token along.
            configuration: .init(
                redirectConfiguration: .disallow, timeout: .init(connect: .seconds(10), read: .seconds(60))))

        /// The longest answer that is read, in bytes. An acknowledgement has a few hundred.
        private static let maximumBodyCount = 1 << 20

        /// Creates a transport with a timeout of a minute. It has no state of its own.
        public init() {}

        /// Sends JSON and returns the answer. Throws the errors of AsyncHTTPClient.
        public func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse {
            var request = HTTPClientRequest(url: url.absoluteString)
            request.method = .POST
            for (name, value) in HTTPFields.request(token: token) { request.headers.add(name: name, value: value) }
            request.body = .bytes(ByteBuffer(data: body))
            let response = try await Self.client.execute(request, timeout: .seconds(60))
            let answer = try await response.body.collect(upTo: Self.maximumBodyCount)
            return HTTPFields.response(status: Int(response.status.code), body: Data(buffer: answer)) {
                response.headers.first(name: $0)
            }
        }
    }
#endif

/// What batches and their answers have in their headers.
private enum HTTPFields {
    static func request(token: String?) -> [(name: String, value: String)] {
        let fields = [
            ("Content-Type", "application/json"), ("Accept", "application/json, application/problem+json"),
        ]
        return token.map { fields + [("Authorization", "Bearer \($0)")] } ?? fields
    }

    static func response(status: Int, body: Data, field: (String) -> String?) -> SyncResponse {
        SyncResponse(
            status: status, retryAfter: field("Retry-After").flatMap { Double($0) },
            lastSequence: field("Sync-Last-Sequence").flatMap { Int($0) }, body: body)
    }
}
