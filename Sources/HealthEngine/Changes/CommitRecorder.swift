import HealthModel
import Synchronization

/// A recorder of the sequence numbers that the writes of an import take, however many transactions they are divided
/// into. What others write between them isn't among them.
package final class CommitRecorder: Sendable {
    /// The recorder of the writes on this thread.
    @TaskLocal package static var current: CommitRecorder?

    private let ranges = Mutex<[ClosedRange<Int64>]>([])

    /// Creates a recorder that has recorded nothing.
    package init() {}

    /// The recorded sequence numbers, in ascending order.
    package var sequences: [ClosedRange<Int64>] { ranges.withLock { $0 } }

    /// Records the sequence numbers of a transaction, which are above all others.
    func record(_ range: ClosedRange<Int64>) {
        ranges.withLock { $0.join(range, within: 1) }
    }
}
