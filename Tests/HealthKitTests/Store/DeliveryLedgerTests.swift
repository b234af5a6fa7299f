import Testing

@testable import HealthKit

@Suite struct DeliveryLedgerTests {
    @Test func deadlinesDoubleUntilDeliveriesAreGivenUp() {
        var ledger = DeliveryLedger()
        let first = ledger.open(isRepeatable: true)
        #expect(first.deadline == 30)
        let second = ledger.deadlinePassed(first)!
        #expect(second.attempt == 1)
        #expect(second.deadline == 60)
        let third = ledger.deadlinePassed(second)!
        #expect(third.deadline == 120)
        #expect(ledger.deadlinePassed(third) == nil)
        #expect(ledger.isGivenUp)
        #expect(ledger.open(isRepeatable: true).deadline == nil)
    }

    @Test func aCompletionInAnyAttemptBeginsAnew() {
        var ledger = DeliveryLedger()
        let first = ledger.open(isRepeatable: true)
        let second = ledger.deadlinePassed(first)!
        ledger.complete(first)
        #expect(ledger.failures == 0)
        #expect(ledger.deadlinePassed(second) == nil)
        #expect(ledger.failures == 0)
    }

    @Test func failuresOfDifferentCallsAddUp() {
        var ledger = DeliveryLedger()
        let calls = (0..<3).map { _ in ledger.open(isRepeatable: true) }
        #expect(ledger.deadlinePassed(calls[0]) != nil)
        #expect(ledger.deadlinePassed(calls[1]) != nil)
        #expect(ledger.deadlinePassed(calls[2]) == nil)
        #expect(ledger.isGivenUp)
    }

    @Test func aLateCompletionTakesDeliveriesUpAgain() {
        var ledger = DeliveryLedger()
        var call: DeliveryLedger.Delivery? = ledger.open(isRepeatable: true)
        let last = call!
        while let next = call { call = ledger.deadlinePassed(next) }
        #expect(ledger.isGivenUp)
        ledger.complete(last)
        #expect(ledger.open(isRepeatable: true).deadline == 30)
    }
}
