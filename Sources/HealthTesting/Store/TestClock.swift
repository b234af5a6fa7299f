public import Foundation
public import HealthKit
import Synchronization

/// A clock that a test moves by hand: nothing happens by itself, and nothing needs waiting for.
public final class TestClock: Sendable {
    /// Where clocks begin unless told otherwise: 2023-03-08 16:26:40 UTC.
    public static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private struct State {
        var now: Date
        var waiting: [(due: Date, body: @Sendable () -> Void)] = []
    }

    private let state: Mutex<State>

    /// Makes a clock that stands still at an instant.
    public init(now: Date = TestClock.start) {
        state = Mutex(State(now: now))
    }

    /// The present instant.
    public var now: Date { state.withLock { $0.now } }

    /// Seconds until each thing that waits, ascending: retries of background deliveries, for instance.
    public var waits: [TimeInterval] {
        state.withLock { state in state.waiting.map { $0.due.timeIntervalSince(state.now) }.sorted() }
    }

    /// Lets time pass, and then runs on this thread what has become due, in order.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let now = state.now
            defer { state.waiting.removeAll { $0.due <= now } }
            return state.waiting.filter { $0.due <= now }.sorted { $0.due < $1.due }
        }
        for item in due { item.body() }
    }

    /// The clock as a store's configuration takes it.
    public var clock: HKHealthStore.Configuration.Clock {
        .init(
            now: { self.now },
            after: { seconds, body in
                self.state.withLock { $0.waiting.append(($0.now + seconds, body)) }
            })
    }
}
