import Foundation
import Synchronization

/// The background deliveries of one observer query: an uncompleted delivery is repeated.
///
/// A delivery fails when the update handler has not called its completion handler by the deadline; the handler is then
/// called again and the deadline doubles. After three failures in a row, deliveries are no longer repeated until one is
/// completed or a type is registered again; commits are still delivered once, as to any running program. Apple
/// documents the three attempts and the growing delay, but not the delays themselves.
final class BackgroundDeliveries: Sendable {
    /// Seconds until the first deadline.
    static let firstDeadline: TimeInterval = 30

    private let tracker = Mutex(DeliveryTracker())
    /// The number that this observer has in its connection, once it began.
    private let observer = Mutex<(connection: StoreConnection, number: Int)?>(nil)

    deinit {
        guard let (connection, number) = observer.withLock({ $0 }) else { return }
        connection.observerEnded(number, withCalls: true)
    }

    /// Announces the observer, which must then handle changes of the types before they are acknowledged.
    func begin(_ types: [String], in run: QueryRun) {
        // A query that couldn't begin begins again.
        guard observer.withLock({ $0 == nil }), let number = run.connection.observerBegan(types) else { return }
        observer.withLock { $0 = (run.connection, number) }
    }

    /// Ends the observer. Calls that were made can still be completed.
    func end() {
        guard let (connection, number) = observer.withLock({ $0 }) else { return }
        connection.observerEnded(number, withCalls: false)
    }

    /// Calls `handler` and, when one of the types is registered for background delivery, repeats the call
    /// until it is completed.
    ///
    /// Completing it also acknowledges the changes to the daemon that starts the program for them. That is stored
    /// before the completion handler returns, so that a program may exit right after it.
    func deliver(
        _ checks: [ObservedCheck], to run: QueryRun, types: Set<HKSampleType>,
        _ handler: @escaping @Sendable (@escaping HKObserverQueryCompletionHandler) -> Void
    ) {
        let registered = run.connection.backgroundRegistrations()?.types ?? []
        let isRegistered = types.contains { registered.contains($0.identifier) }
        let enablings = run.connection.backgroundEnablings
        let delivery = tracker.withLock { $0.open(isRepeatable: isRegistered, enablings: enablings) }
        let number = observer.withLock { $0 }.flatMap { $0.connection.observerCalled($0.number, for: checks) }
        call(handler, delivery, number, types: types, in: run)
    }

    /// Records changes that the handler need not be called for.
    func skip(_ checks: [ObservedCheck]) {
        guard !checks.isEmpty, let (connection, number) = observer.withLock({ $0 }) else { return }
        connection.observerSkipped(number, checks)
    }

    private func close(_ call: Int?) {
        guard let call, let (connection, number) = observer.withLock({ $0 }) else { return }
        connection.observerCompleted(call, of: number)
    }

    private func call(
        _ handler: @escaping @Sendable (@escaping HKObserverQueryCompletionHandler) -> Void,
        _ delivery: DeliveryTracker.Delivery, _ number: Int?, types: Set<HKSampleType>, in run: QueryRun
    ) {
        if let deadline = delivery.deadline {
            run.connection.clock.after(deadline) { [weak run] in
                run?.enqueue { [weak run] in
                    guard let run else { return }
                    // Unknown while the store can't be read.
                    let registered = run.connection.backgroundRegistrations()?.types
                    let isRepeatable = types.contains { registered?.contains($0.identifier) ?? true }
                    guard let again = self.tracker.withLock({ $0.deadlinePassed(delivery, isRepeatable: isRepeatable) })
                    else { return }
                    self.call(handler, again, number, types: types, in: run)
                }
            }
        }
        run.deliver {
            handler {
                self.tracker.withLock { $0.complete(delivery) }
                self.close(number)
            }
        }
    }
}

/// Tracks which background deliveries are completed and which have to be repeated.
///
/// It has no clock: the caller reports each deadline that has passed.
struct DeliveryTracker: Sendable {
    /// One call of an observer's handler.
    struct Delivery: Hashable, Sendable {
        /// Identifies the change; repeated calls keep it.
        var number: Int
        /// 0 for the first call.
        var attempt: Int
        /// Seconds until the delivery must be completed; `nil` when it is not repeated.
        var deadline: TimeInterval?
    }

    static let maximumFailures = 3

    private var lastNumber = 0
    private var pending: Set<Int> = []
    /// Failures since the last completed delivery.
    private(set) var failures = 0
    private var enablings = 0

    /// A Boolean value that indicates whether deliveries are no longer repeated.
    var hasGivenUp: Bool { failures >= Self.maximumFailures }

    /// Starts a delivery. It has no deadline when it is not repeatable or after too many failures.
    ///
    /// - Parameter enablings: How often a type was registered. Failures before the last time don't count.
    mutating func open(isRepeatable: Bool, enablings: Int = 0) -> Delivery {
        if enablings != self.enablings {
            self.enablings = enablings
            failures = 0
        }
        lastNumber += 1
        let isTracked = isRepeatable && !hasGivenUp
        if isTracked { pending.insert(lastNumber) }
        return Delivery(number: lastNumber, attempt: 0, deadline: isTracked ? BackgroundDeliveries.firstDeadline : nil)
    }

    /// Records that the handler completed the delivery, in any attempt.
    mutating func complete(_ delivery: Delivery) {
        pending.remove(delivery.number)
        failures = 0
    }

    /// Records a passed deadline. Returns the next attempt, or `nil` when the delivery was completed or
    /// failed too often, or isn't to be repeated any longer, because no type of it is registered.
    mutating func deadlinePassed(_ delivery: Delivery, isRepeatable: Bool = true) -> Delivery? {
        guard pending.contains(delivery.number) else { return nil }
        guard isRepeatable else {
            pending.remove(delivery.number)
            return nil
        }
        failures += 1
        guard !hasGivenUp else {
            pending.removeAll()
            return nil
        }
        return Delivery(
            number: delivery.number, attempt: delivery.attempt + 1, deadline: delivery.deadline.map { $0 * 2 })
    }
}
