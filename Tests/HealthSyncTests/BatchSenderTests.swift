import Foundation
import Synchronization
import Testing

@testable import HealthSync

@Suite("Sending a batch until it is acknowledged")
struct BatchSenderTests {
    /// Answers in turn; after the last one, acknowledges.
    private final class Answers: SyncTransport {
        private let left: Mutex<[SyncResponse?]>
        let requests = Mutex<[(url: URL, token: String?)]>([])

        init(_ answers: [SyncResponse?]) {
            left = Mutex(answers)
        }

        func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse {
            requests.withLock { $0.append((url, token)) }
            let next = left.withLock { left -> SyncResponse?? in left.isEmpty ? nil : .some(left.removeFirst()) }
            guard let next else {
                let batch = try SyncCoding.decoder().decode(SyncBatch.self, from: body)
                return SyncResponse(
                    status: 200, body: try JSONEncoder().encode(SyncAcknowledgement(sequence: batch.sequence)))
            }
            guard let next else { throw URLError(.networkConnectionLost) }
            return next
        }

        func get(_ url: URL, token: String?) async throws -> SyncResponse { SyncResponse(status: 404) }
    }

    private let batch = SyncBatch(
        device: SyncDevice(identifier: UUID(), name: "Phone"), sequence: 7, acknowledged: 3)

    private func send(
        _ answers: [SyncResponse?], attempts: Int? = 10
    ) async throws -> (answer: SyncAcknowledgement, waits: [Double], transport: Answers) {
        let waits = Waits()
        let transport = Answers(answers)
        let url = try #require(URL(string: "https://health.example.com/base"))
        let sender = BatchSender(
            server: SyncServer(url: url, person: "anna", token: "secret"), transport: transport,
            policy: SyncRetryPolicy(
                firstDelay: 1, maximumDelay: 20, maximumAttempts: attempts, wait: { waits.add($0) }, random: { 0.5 }))
        return (try await sender.send(batch), waits.all, transport)
    }

    private final class Waits: Sendable {
        private let seconds = Mutex<[Double]>([])
        func add(_ number: Double) { seconds.withLock { $0.append(number) } }
        var all: [Double] { seconds.withLock { $0 } }
    }

    @Test("No answer and a busy server are tried again, with growing delays and as the server asks")
    func retry() async throws {
        let sent = try await send([
            nil, SyncResponse(status: 503), SyncResponse(status: 429, retryAfter: 3), nil,
            SyncResponse(status: 502, retryAfter: 900),
        ])
        #expect(sent.answer.sequence == 7)
        #expect(sent.waits == [0.75, 1.5, 3, 6, 20])
        let requests = sent.transport.requests.withLock { $0 }
        #expect(requests.count == 6)
        #expect(requests[0].url.absoluteString == "https://health.example.com/base/v1/people/anna/sync/batches")
        #expect(requests[0].token == "secret")
    }

    @Test("Half of a delay is random, and delays have a limit")
    func delays() {
        let low = SyncRetryPolicy(firstDelay: 2, maximumDelay: 60, random: { 0 })
        let high = SyncRetryPolicy(firstDelay: 2, maximumDelay: 60, random: { 0.999 })
        #expect((1...8).map { low.delay(afterAttempts: $0, retryAfter: nil) } == [1, 2, 4, 8, 16, 30, 30, 30])
        #expect(
            high.delay(afterAttempts: 2, retryAfter: nil) < 4 && high.delay(afterAttempts: 2, retryAfter: nil) > 3.9)
        #expect(high.delay(afterAttempts: 1_000, retryAfter: nil) <= 60)
    }

    @Test("After the last attempt the sync gives up")
    func givesUp() async throws {
        let error = await #expect(throws: SyncError.self) { try await send([nil, nil, nil], attempts: 3) }
        #expect(error?.kind == .unreachable)
    }

    @Test(
        "A refusal is not tried again",
        arguments: [
            (
                SyncResponse(status: 403, body: Data(#"{"code":"forbidden","detail":"Read-only."}"#.utf8)),
                SyncError.Kind.refused
            ),
            (SyncResponse(status: 409, lastSequence: 9, body: Data(#"{"code":"syncStale"}"#.utf8)), .stale),
            (SyncResponse(status: 409, lastSequence: 0, body: Data(#"{"code":"syncLost"}"#.utf8)), .lost),
            (SyncResponse(status: 413), .tooLarge),
            (SyncResponse(status: 200, body: Data("<html>".utf8)), .notAReceiver),
        ])
    func refusals(response: SyncResponse, kind: SyncError.Kind) async throws {
        let error = await #expect(throws: SyncError.self) { try await send([response]) }
        #expect(error?.kind == kind)
        #expect(error?.lastSequence == response.lastSequence ?? 0)
        if kind == .refused { #expect(error?.description == "Read-only." && error?.code == "forbidden") }
    }
}
