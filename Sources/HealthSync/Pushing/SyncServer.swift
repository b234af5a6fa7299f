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
