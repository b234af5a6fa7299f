import HealthStorage
import Testing

@Suite struct StorageSubscriptionTests {
    @Test func cancelsOnce() {
        let calls = Calls()
        let subscription = StorageSubscription { calls.add() }
        #expect(calls.count == 0)
        subscription.cancel()
        subscription.cancel()
        #expect(calls.count == 1)
    }

    @Test func cancelsWhenLetGo() {
        let calls = Calls()
        do {
            let subscription = StorageSubscription { calls.add() }
            withExtendedLifetime(subscription) {}
        }
        #expect(calls.count == 1)
    }
}
