import Dispatch
import HealthEngine
import Synchronization

/// Writes batches into a store on a thread of its own while the next one is read. At most one is under
/// way, so memory holds two: the one that is written and the one that is read.
final class BatchCommitter: Sendable {
    private struct State {
        var outcome = BulkOutcome()
        var failure: (any Error)?
    }

    private let bulk: BulkImport
    private let queue = DispatchQueue(label: "archive import: commit", qos: .userInitiated)
    private let isFree = DispatchSemaphore(value: 1)
    private let state = Mutex(State())

    init(engine: HealthEngine) {
        bulk = BulkImport(engine: engine)
    }

    /// Waits for the batch before to be written and starts with this one. Throws what went wrong with an
    /// earlier batch; nothing is written after that.
    func take(_ batch: BulkBatch) throws {
        isFree.wait()
        if let failure = state.withLock({ $0.failure }) {
            isFree.signal()
            throw failure
        }
        queue.async { [self] in
            defer { isFree.signal() }
            do {
                let outcome = try bulk.commit(batch)
                state.withLock { state in
                    state.outcome.added.merge(outcome.added, uniquingKeysWith: +)
                    state.outcome.alreadyThere.merge(outcome.alreadyThere, uniquingKeysWith: +)
                    state.outcome.strayAdditions += outcome.strayAdditions
                }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    /// Removes what none of the batches, all of which have been written, brought again.
    func removeMissing(protecting types: Set<String>) throws -> [String: Int] {
        try bulk.removeMissing(protecting: types)
    }

    /// Waits for the last batch and says what all of them did.
    func finish() throws -> BulkOutcome {
        isFree.wait()
        defer { isFree.signal() }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.outcome
        }
    }
}
