import Foundation

/// When to send a batch again that got no answer, or the answer that the server is busy.
///
/// The delay doubles with each attempt; a random half of it keeps many devices from returning at the same instant.
public struct SyncRetryPolicy: Sendable {
    /// The delay before the second attempt, in seconds.
    public var firstDelay: Double
    /// The longest delay, in seconds. A longer one that the server asks for is limited to it, too.
    public var maximumDelay: Double
    /// The number of attempts after which to give up; `nil` to continue until the task is canceled.
    public var maximumAttempts: Int?
    /// Waits for a number of seconds.
    public var wait: @Sendable (Double) async throws -> Void
    /// Returns a random number from 0 up to 1.
    public var random: @Sendable () -> Double

    /// Creates a policy.
    public init(
        firstDelay: Double = 1, maximumDelay: Double = 300, maximumAttempts: Int? = 6,
        wait: @escaping @Sendable (Double) async throws -> Void = {
            try await Task<Never, Never>.sleep(nanoseconds: UInt64($0 * 1_000_000_000))
        },
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.firstDelay = firstDelay
        self.maximumDelay = maximumDelay
        self.maximumAttempts = maximumAttempts
        self.wait = wait
        self.random = random
    }

    /// The seconds to wait after a number of failed attempts, at least 1.
    func delay(afterAttempts attempts: Int, retryAfter: Double?) -> Double {
        if let retryAfter, retryAfter.isFinite, retryAfter >= 0 { return min(retryAfter, maximumDelay) }
        let full = min(maximumDelay, firstDelay * pow(2, Double(min(attempts, 60) - 1)))
        return full / 2 + full / 2 * random()
    }
}

/// An error of a sync.
public struct SyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Kind: Hashable, Sendable {
        /// The server could not be reached, or was busy, in all attempts.
        case unreachable
        /// The server refused the batch; trying again would not help.
        case refused
        /// The answer is not one of a receiver of batches.
        case notAReceiver
        /// The batch is larger than the server accepts.
        case tooLarge
        /// The server has received later batches of this device.
        case stale
        /// The server no longer has what it acknowledged, as after it was restored from a backup.
        case lost
        /// The file isn't a seed of a version that is known.
        case notASeed
    }

    /// The kind of the failure.
    public var kind: Kind
    /// The status code of HTTP, if there was an answer.
    public var status: Int?
    /// The stable code of the server's problem details, if there is one.
    public var code: String?
    /// An explanation, which contains no health data.
    public var description: String
    /// The number of the last batch that the server has, for ``Kind/stale`` and ``Kind/lost``.
    var lastSequence = 0

    /// Creates an error.
    public init(_ kind: Kind, status: Int? = nil, code: String? = nil, _ description: String) {
        self.kind = kind
        self.status = status
        self.code = code
        self.description = description
    }
}

/// Sends batches and requests until they are answered or refused.
struct BatchSender: Sendable {
    let server: SyncServer
    let transport: any SyncTransport
    let policy: SyncRetryPolicy

    /// The stable codes with which a receiver answers to a number that it doesn't expect.
    private enum Code {
        static let stale = "syncStale"
        static let lost = "syncLost"
    }

    /// The problem details of RFC 9457.
    private struct Details: Decodable {
        var detail: String?
        var title: String?
        var code: String?
    }

    /// Sends a batch, again and again if necessary.
    ///
    /// - Throws: ``SyncError``; `CancellationError`.
    func send(_ batch: SyncBatch) async throws -> SyncAcknowledgement {
        let body = try SyncCoding.encoder().encode(batch)
        let response = try await answer { try await transport.post(body, to: server.batches, token: server.token) }
        return try acknowledgement(in: response, of: batch)
    }

    /// Requests a resource, again and again if necessary, and reads its JSON.
    ///
    /// - Throws: ``SyncError``; `CancellationError`.
    func get<Value: Decodable>(_ type: Value.Type, from url: URL) async throws -> Value {
        let response = try await answer { try await transport.get(url, token: server.token) }
        guard (200..<300).contains(response.status) else { throw try refusal(in: response) }
        do {
            return try SyncCoding.decoder().decode(type, from: response.body)
        } catch {
            throw SyncError(
                .notAReceiver, status: response.status, "\(server.url.absoluteString) does not tell what has changed.")
        }
    }

    /// The answer to a request that is repeated until there is one that repeating would not change.
    private func answer(_ request: () async throws -> SyncResponse) async throws -> SyncResponse {
        var attempts = 0
        while true {
            try Task.checkCancellation()
            attempts += 1
            var response: SyncResponse?
            do {
                response = try await request()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                try Task.checkCancellation()
            }
            if let response, !Self.isTemporary(response.status) { return response }
            if let maximum = policy.maximumAttempts, attempts >= maximum {
                throw SyncError(
                    .unreachable, status: response?.status,
                    response.map { "The server answered \($0.status) to \(attempts) attempts." }
                        ?? "The server did not answer in \(attempts) attempts.")
            }
            try await policy.wait(policy.delay(afterAttempts: attempts, retryAfter: response?.retryAfter))
        }
    }

    /// Whether the same request may succeed later.
    private static func isTemporary(_ status: Int) -> Bool {
        [408, 425, 429, 500, 502, 503, 504].contains(status)
    }

    private func acknowledgement(in response: SyncResponse, of batch: SyncBatch) throws -> SyncAcknowledgement {
        if (200..<300).contains(response.status) {
            if let found = try? SyncCoding.decoder().decode(SyncAcknowledgement.self, from: response.body),
                found.sequence == batch.sequence
            {
                return found
            }
            throw SyncError(
                .notAReceiver, status: response.status, "\(server.batches.absoluteString) does not receive batches.")
        }
        throw try refusal(in: response)
    }

    /// The error of an answer that refuses.
    private func refusal(in response: SyncResponse) throws -> SyncError {
        let details = try? SyncCoding.decoder().decode(Details.self, from: response.body)
        let text = details?.detail ?? details?.title ?? "The server answered \(response.status)."
        let kind: SyncError.Kind =
            switch (response.status, details?.code) {
            case (409, Code.stale): .stale
            case (409, Code.lost): .lost
            case (413, _): .tooLarge
            default: .refused
            }
        var error = SyncError(kind, status: response.status, code: details?.code, text)
        error.lastSequence = response.lastSequence ?? 0
        guard (0..<1 << 53).contains(error.lastSequence) else {
            throw SyncError(
                .notAReceiver, status: response.status,
                "\(server.batches.absoluteString) names a batch that no device has sent.")
        }
        return error
    }
}
