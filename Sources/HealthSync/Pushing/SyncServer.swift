public import Foundation

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
    var batches: URL { resource("sync", "batches") }

    /// Where the server says which types it has.
    var types: URL { resource("types") }

    /// Where the server says what has changed in some types since an anchor; `nil` for the beginning.
    func changes(of types: Set<String>, since anchor: String?, limit: Int) -> URL {
        var components = URLComponents(url: resource("changes"), resolvingAgainstBaseURL: false)
        components?.queryItems =
            [
                URLQueryItem(name: "types", value: types.sorted().joined(separator: ",")),
                URLQueryItem(name: "limit", value: String(limit)), URLQueryItem(name: "timeZone", value: "GMT"),
            ] + (anchor.map { [URLQueryItem(name: "anchor", value: $0)] } ?? [])
        return components?.url ?? resource("changes")
    }

    private func resource(_ parts: String...) -> URL {
        var url = url
        for part in ["v1", "people", person] + parts { url.appendPathComponent(part) }
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

/// Exchanges bytes with a server.
public protocol SyncTransport: Sendable {
    /// Sends JSON with the method `POST` and returns the answer, whatever its status.
    ///
    /// - Throws: an error if there is no answer. The batch may have arrived anyway.
    func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse

    /// Requests a resource with the method `GET` and returns the answer, whatever its status.
    ///
    /// - Throws: an error if there is no answer.
    func get(_ url: URL, token: String?) async throws -> SyncResponse
}
