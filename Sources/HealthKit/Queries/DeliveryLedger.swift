import Foundation

/// Which background deliveries were completed, and what to do about those that were not. Knows no
/// clock: it is told when a deadline has passed.
struct DeliveryLedger: Sendable {
    /// One call of an observer's handler.
    struct Delivery: Hashable, Sendable {
        /// The change it tells of; repeated calls keep it.
        var number: Int
        /// 0 for the first call.
        var attempt: Int
        /// Seconds the handler has to complete the call; `nil` when nobody waits for it.
        var deadline: TimeInterval?
    }

    static let failuresAllowed = 3

    private var lastNumber = 0
    private var waiting: Set<Int> = []
    /// Failures since the last completed call.
    private(set) var failures = 0

    /// Whether deliveries are repeated no more.
    var isGivenUp: Bool { failures >= Self.failuresAllowed }

    /// A new call. One that is not repeatable, or comes after deliveries were given up, has no deadline.
    mutating func open(isRepeatable: Bool) -> Delivery {
        lastNumber += 1
        let isWaitedFor = isRepeatable && !isGivenUp
        if isWaitedFor { waiting.insert(lastNumber) }
        return Delivery(
            number: lastNumber, attempt: 0,
            deadline: isWaitedFor ? BackgroundDeliveries.patience : nil)
    }

    /// The handler completed the call, in whichever attempt.
    mutating func complete(_ delivery: Delivery) {
        waiting.remove(delivery.number)
        failures = 0
    }

    /// The call to make instead, or `nil` when the first was completed or deliveries are given up.
    mutating func deadlinePassed(_ delivery: Delivery) -> Delivery? {
        guard waiting.contains(delivery.number) else { return nil }
        failures += 1
        guard !isGivenUp else {
            waiting.removeAll()
            return nil
        }
        return Delivery(
            number: delivery.number, attempt: delivery.attempt + 1,
            deadline: delivery.deadline.map { $0 * 2 })
    }
}
