public import Foundation

#if Server && !canImport(Darwin)
    import AsyncHTTPClient
    import NIOCore
    import NIOFoundationCompat
    import NIOHTTP1
#elseif canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

#if !Server || canImport(Darwin)
    /// Exchanges batches and changes with `URLSession`.
    public struct HTTPTransport: SyncTransport {
        private let session: URLSession

        /// - Parameter session: The session; by default one without a cache that waits at most a minute for bytes to
        ///   move.
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
            return try await answer(to: request, token: token)
        }

        /// Requests a resource and returns the answer. Throws the errors of `URLSession`.
        public func get(_ url: URL, token: String?) async throws -> SyncResponse {
            try await answer(to: URLRequest(url: url), token: token)
        }

        private func answer(to request: URLRequest, token: String?) async throws -> SyncResponse {
            var request = request
            for (name, value) in HTTPFields.request(token: token) { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await session.data(for: request, delegate: RedirectRefusal())
            guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
            return HTTPFields.response(status: response.statusCode, body: data) {
                response.value(forHTTPHeaderField: $0)
            }
        }
    }

    /// Returns the answer that redirects: a batch that is sent elsewhere would take the token along.
    private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }
#else
    /// Exchanges batches and changes with AsyncHTTPClient. Programs that never sync start without its threads.
    ///
    /// `URLSession` would bring libcurl, whose two dozen libraries every program would load at its start. An application whose manifest
    /// leaves the trait Server out has it, and no SwiftNIO.
    public struct HTTPTransport: SyncTransport {
        /// One client for the process, which is never shut down.
        private static let client = HTTPClient(
            eventLoopGroupProvider: .singleton,
            // A batch that is sent elsewhere would take the token along.
            configuration: .init(
                redirectConfiguration: .disallow,
                timeout: .init(connect: .seconds(10), read: .seconds(60), write: .seconds(60))))

        /// How long a batch of a megabyte may take until its answer begins: as long as a link of 2 kB a second needs.
        private static let longest = TimeAmount.minutes(10)

        /// The longest answer that is read, in bytes. An acknowledgement has a few hundred, a page of changes about a
        /// megabyte.
        private static let maximumBodyCount = 1 << 26

        /// Creates a transport that waits at most a minute for bytes to move. It has no state of its own.
        public init() {}

        /// Sends JSON and returns the answer. Throws the errors of AsyncHTTPClient.
        public func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse {
            var request = HTTPClientRequest(url: url.absoluteString)
            request.method = .POST
            request.body = .stream(BodyParts(rest: ByteBuffer(data: body)), length: .known(Int64(body.count)))
            return try await answer(to: request, token: token)
        }

        /// Requests a resource and returns the answer. Throws the errors of AsyncHTTPClient.
        public func get(_ url: URL, token: String?) async throws -> SyncResponse {
            try await answer(to: HTTPClientRequest(url: url.absoluteString), token: token)
        }

        private func answer(to request: HTTPClientRequest, token: String?) async throws -> SyncResponse {
            var request = request
            for (name, value) in HTTPFields.request(token: token) { request.headers.add(name: name, value: value) }
            let response = try await Self.client.execute(request, timeout: Self.longest)
            let answer = try await response.body.collect(upTo: Self.maximumBodyCount)
            return HTTPFields.response(status: Int(response.status.code), body: Data(buffer: answer)) {
                response.headers.first(name: $0)
            }
        }
    }

    /// A body in parts, each of which is taken when the one before is on its way: the wait for an answer begins with
    /// the last.
    private struct BodyParts: AsyncSequence, AsyncIteratorProtocol, Sendable {
        var rest: ByteBuffer

        private static let size = 1 << 14

        func makeAsyncIterator() -> Self { self }

        mutating func next() async -> ByteBuffer? {
            rest.readableBytes > 0 ? rest.readSlice(length: Swift.min(Self.size, rest.readableBytes)) : nil
        }
    }
#endif

/// The names of the header fields of batches and their answers.
private enum HTTPFields {
    static func request(token: String?) -> [(name: String, value: String)] {
        let fields = [("Content-Type", "application/json"), ("Accept", "application/json, application/problem+json")]
        return token.map { fields + [("Authorization", "Bearer \($0)")] } ?? fields
    }

    static func response(status: Int, body: Data, field: (String) -> String?) -> SyncResponse {
        SyncResponse(
            status: status, retryAfter: field("Retry-After").flatMap { Double($0) },
            lastSequence: field("Sync-Last-Sequence").flatMap { Int($0) }, body: body)
    }
}
