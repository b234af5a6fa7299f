import Dispatch
package import HealthEngine
package import HealthImport
import Synchronization

/// Writes batches to a store on a separate thread while the next batch is read. At most one is written at a time, so
/// at most two batches are in memory.
package final class BatchCommitter: Sendable {
    private struct State {
        var outcome = BulkOutcome()
        var failure: (any Error)?
    }

    private let bulk: BulkImport
    /// Records what is written on the other thread, too.
    private let recorder = CommitRecorder.current
    private let queue = DispatchQueue(label: "archive import: commit", qos: .userInitiated)
    private let isFree = DispatchSemaphore(value: 1)
    private let state = Mutex(State())

    package init(engine: HealthEngine) {
        bulk = BulkImport(engine: engine)
    }

    /// Waits until the previous batch is written and starts to write this one. Throws the error of an earlier batch,
    /// after which nothing more is written.
    package func commit(_ batch: BulkBatch) throws {
        isFree.wait()
        if let failure = state.withLock({ $0.failure }) {
            isFree.signal()
            throw failure
        }
        queue.async { [self] in
            defer { isFree.signal() }
            do {
                let outcome = try CommitRecorder.$current.withValue(recorder) { try bulk.commit(batch) }
                state.withLock { state in
                    state.outcome.added.merge(outcome.added, uniquingKeysWith: +)
                    state.outcome.alreadyThere.merge(outcome.alreadyThere, uniquingKeysWith: +)
                    state.outcome.unmatchedAdditions += outcome.unmatchedAdditions
                }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    /// Removes what none of the batches, which must all be written, contained.
    package func removeMissing(protecting types: Set<String>) throws -> [String: Int] {
        try bulk.removeMissing(protecting: types)
    }

    /// Waits for the last batch and returns the outcome of all batches.
    package func finish() throws -> BulkOutcome {
        isFree.wait()
        defer { isFree.signal() }
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.outcome
        }
    }
}
