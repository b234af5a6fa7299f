@testable import HealthKit
import Testing

@Suite struct BackgroundDeliveriesTests {
    @Test func deadlinesDoubleUntilTheMaximumOfFailures() {
        var tracker = DeliveryTracker()
        let first = tracker.open(isRepeatable: true)
        #expect(first.deadline == 30)
        let second = tracker.deadlinePassed(first)!
        #expect(second.attempt == 1)
        #expect(second.deadline == 60)
        let third = tracker.deadlinePassed(second)!
        #expect(third.deadline == 120)
        #expect(tracker.deadlinePassed(third) == nil)
        #expect(tracker.hasGivenUp)
        #expect(tracker.open(isRepeatable: true).deadline == nil)
    }

    @Test func aCompletionInAnyAttemptBeginsAnew() {
        var tracker = DeliveryTracker()
        let first = tracker.open(isRepeatable: true)
        let second = tracker.deadlinePassed(first)!
        tracker.complete(first)
        #expect(tracker.failures == 0)
        #expect(tracker.deadlinePassed(second) == nil)
        #expect(tracker.failures == 0)
    }

    @Test func failuresOfDifferentCallsAddUp() {
        var tracker = DeliveryTracker()
        let calls = (0..<3).map { _ in tracker.open(isRepeatable: true) }
        #expect(tracker.deadlinePassed(calls[0]) != nil)
        #expect(tracker.deadlinePassed(calls[1]) != nil)
        #expect(tracker.deadlinePassed(calls[2]) == nil)
        #expect(tracker.hasGivenUp)
    }

    @Test func aLateCompletionResumesDeliveries() {
        var tracker = DeliveryTracker()
        var call: DeliveryTracker.Delivery? = tracker.open(isRepeatable: true)
        let last = call!
        while let next = call { call = tracker.deadlinePassed(next) }
        #expect(tracker.hasGivenUp)
        tracker.complete(last)
        #expect(tracker.open(isRepeatable: true).deadline == 30)
    }
}
