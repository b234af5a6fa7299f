import Foundation
import HealthKit
import Synchronization

/// A clock that a test moves by hand.
final class HandClock: Sendable {
    private struct State {
        var now = FreshStore.epoch
        var waiting: [(due: Date, body: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    var clock: HKHealthStore.Configuration.Clock {
        .init(
            now: { self.state.withLock { $0.now } },
            after: { seconds, body in
                self.state.withLock { $0.waiting.append(($0.now + seconds, body)) }
            })
    }

    /// Seconds until each closure that waits, ascending.
    var waits: [TimeInterval] {
        state.withLock { state in state.waiting.map { $0.due.timeIntervalSince(state.now) }.sorted() }
    }

    /// Lets time pass, and runs what is due.
    func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let now = state.now
            defer { state.waiting.removeAll { $0.due <= now } }
            return state.waiting.filter { $0.due <= now }
        }
        for item in due { item.body() }
    }
}
