import Dispatch
import Synchronization

/// The changes of one connection, one after the other in the order they were asked for.
///
/// A queue that knows whether it is empty, so that a brief change need not go through it.
final class ChangeLane: Sendable {
    private let queue: DispatchQueue
    /// Changes that wait or are under way.
    private let pending = Atomic<Int>(0)

    init(target: DispatchQueue) {
        queue = DispatchQueue(label: "HealthKit.writing", target: target)
    }

    /// Does a change when all before it are done.
    func async(_ change: @escaping @Sendable () -> Void) {
        pending.add(1, ordering: .acquiringAndReleasing)
        queue.async {
            change()
            self.leave()
        }
    }

    /// Whether nothing waits or is under way; then the caller's own change counts as under way until ``leave()``.
    func enterIfIdle() -> Bool {
        pending.compareExchange(expected: 0, desired: 1, ordering: .acquiringAndReleasing).exchanged
    }

    /// The end of a change that ``enterIfIdle()`` let in.
    func leave() {
        pending.subtract(1, ordering: .acquiringAndReleasing)
    }
}
