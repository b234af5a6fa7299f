import Foundation
import HTTPTypes
import HealthAnswers
import HealthEngine
import HealthModel
import HealthStorage
import HealthSync
import HealthTesting
import Synchronization

@testable import HealthServer

/// The handlers of a server's routes over a store in memory, without HTTP, on a connection that loses requests and answers.
final class SyncLoopback: SyncTransport {
    private struct State {
        var engine: HealthEngine
        var random: SplitMix64
        var loss = 0
        var lost = 0
    }

    /// The identifiers of the types that the server says it has.
    let types: [String]
    private let state: Mutex<State>

    init(types: [String], seed: UInt64 = 1) throws {
        self.types = types
        state = Mutex(State(engine: try HealthEngine(storage: InMemoryStorage()), random: SplitMix64(seed: seed)))
    }

    /// The engine of the person's store.
    var engine: HealthEngine { state.withLock { $0.engine } }

    /// The number of requests and answers that were lost.
    var lost: Int { state.withLock { $0.lost } }

    /// Takes another store, as a server that was set up again.
    func replaceStore() throws {
        let other = try HealthEngine(storage: InMemoryStorage())
        state.withLock { $0.engine = other }
    }

    /// Loses one of so many requests and answers from now on; 0 for none.
    func loseOne(in count: Int) {
        state.withLock { $0.loss = count }
    }

    private func pass() throws {
        let isLost = state.withLock { state in
            guard state.loss > 0, state.random.oneIn(state.loss) else { return false }
            state.lost += 1
            return true
        }
        if isLost { throw URLError(.networkConnectionLost) }
    }

    func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse {
        try pass()
        let batch = try SyncCoding.decoder().decode(SyncBatch.self, from: body)
        let response = try answer {
            try JSONEncoder().encode(SyncResource.store(batch, body.base64EncodedString(), in: engine, as: .person))
        }
        try pass()
        return response
    }

    func get(_ url: URL, token: String?) async throws -> SyncResponse {
        try pass()
        let response = try answer {
            if url.lastPathComponent == "types" {
                return try JSONSerialization.data(withJSONObject: ["types": types.map { ["type": $0] }])
            }
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let query = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
            let names = query["types"].map { $0.split(separator: ",").map(String.init) }
            let found = try ChangesResource.answer(
                from: engine, as: .person, try engine.types(names, parameter: "types"),
                after: ChangeAnchor(query["anchor"], of: engine), limit: query["limit"].flatMap { Int($0) } ?? 1_000,
                .gmt)
            return Data(found.answer)
        }
        try pass()
        return response
    }

    private func answer(_ work: () throws -> Data) throws -> SyncResponse {
        do {
            return SyncResponse(status: 200, body: try work())
        } catch let problem as Problem {
            return SyncResponse(
                status: problem.code.status.code,
                lastSequence: problem.headers[.syncLastSequence].flatMap { Int($0) },
                body: try JSONSerialization.data(withJSONObject: ["code": problem.code.name, "detail": problem.detail]))
        }
    }
}
