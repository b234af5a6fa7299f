import Foundation
import Synchronization

/// Background deliveries of one observer query: a call that is not completed is repeated.
///
/// The handler counts as having failed when it has not called its completion handler by the deadline; it
/// is then called again and the deadline doubles. After three failures in a row deliveries are given up
/// until a call is completed: commits are still told, as to any running program, but no longer repeated.
/// The original publishes the three and the growing delay, not the delays themselves.
final class BackgroundDeliveries: Sendable {
    /// Seconds until the first deadline.
    static let patience: TimeInterval = 30

    private let ledger = Mutex(DeliveryLedger())

    /// Calls `handler` and, when one of the types is registered for background delivery, sees to it that
    /// the call is completed.
    func deliver(
        to run: QueryRun, types: Set<HKSampleType>,
        _ handler: @escaping @Sendable (@escaping HKObserverQueryCompletionHandler) -> Void
    ) {
        let isRegistered = run.connection.deliversInBackground(types)
        let delivery = ledger.withLock { $0.open(isRepeatable: isRegistered) }
        call(handler, delivery, in: run)
    }

    private func call(
        _ handler: @escaping @Sendable (@escaping HKObserverQueryCompletionHandler) -> Void,
        _ delivery: DeliveryLedger.Delivery, in run: QueryRun
    ) {
        if let deadline = delivery.deadline {
            run.connection.clock.after(deadline) { [weak run] in
                run?.enqueue { [weak run] in
                    guard let run,
                        let again = self.ledger.withLock({ $0.deadlinePassed(delivery) })
                    else { return }
                    self.call(handler, again, in: run)
                }
            }
        }
        run.deliver {
            handler { self.ledger.withLock { $0.complete(delivery) } }
        }
    }
}
