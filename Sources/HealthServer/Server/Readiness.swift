import Dispatch
import Foundation
import Synchronization

/// Whether the stores of a server can be reached. A dedicated thread finds out, because the threads that answer requests
/// wait for a database that is down for as long as it may restart.
final class Readiness: Sendable {
    private struct State {
        var isChecking = false
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        var nextWaiter = 0
    }

    private let limit: DispatchTimeInterval
    private let check: @Sendable () throws -> Void
    private let state = Mutex(State())
    private let clock = DispatchQueue(label: "HealthServer.Readiness")

    /// - Parameters:
    ///   - limit: The time within which an answer is given.
    ///   - check: Throws if the stores can't be reached. May take as long as it does.
    init(within limit: DispatchTimeInterval = .milliseconds(1_800), check: @escaping @Sendable () throws -> Void) {
        (self.limit, self.check) = (limit, check)
    }

    /// Whether the check that is running, or else a new one, ends without an error within the limit.
    func isReady() async -> Bool {
        await withCheckedContinuation { continuation in
            let (number, mustStart) = state.withLock { state in
                defer { (state.nextWaiter, state.isChecking) = (state.nextWaiter + 1, true) }
                state.waiters[state.nextWaiter] = continuation
                return (state.nextWaiter, !state.isChecking)
            }
            if mustStart { Thread.detachNewThread { self.run() } }
            clock.asyncAfter(deadline: .now() + limit) {
                self.state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: false)
            }
        }
    }

    private func run() {
        let isReady = (try? check()) != nil
        let waiters = state.withLock { state in
            defer { (state.isChecking, state.waiters) = (false, [:]) }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: isReady) }
    }
}
