public import Foundation
public import HealthKit
import Synchronization

/// A clock that only a test advances, so that tests never wait.
public final class TestClock: Sendable {
    /// The default time of clocks: 2023-03-08 20:26:40 UTC.
    public static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private struct State {
        var now: Date
        var waiting: [(due: Date, body: @Sendable () -> Void)] = []
    }

    private let state: Mutex<State>

    /// Creates a clock that shows a fixed time until it is advanced.
    public init(now: Date = TestClock.start) {
        state = Mutex(State(now: now))
    }

    /// The current time.
    public var now: Date { state.withLock { $0.now } }

    /// The remaining seconds of everything that waits for the clock, in ascending order, such as retries of background
    /// deliveries.
    public var waits: [TimeInterval] {
        state.withLock { state in state.waiting.map { $0.due.timeIntervalSince(state.now) }.sorted() }
    }

    /// Advances the clock and runs what becomes due, in order and on this thread.
    public func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.now += seconds
            let now = state.now
            defer { state.waiting.removeAll { $0.due <= now } }
            return state.waiting.filter { $0.due <= now }.sorted { $0.due < $1.due }
        }
        for item in due { item.body() }
    }

    /// The clock for a store's configuration.
    public var clock: HKHealthStore.Configuration.Clock {
        .init(
            now: { self.now },
            after: { seconds, body in
                self.state.withLock { $0.waiting.append(($0.now + seconds, body)) }
            })
    }
}
