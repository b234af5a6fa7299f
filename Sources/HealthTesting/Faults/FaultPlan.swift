import HealthStorage
import Synchronization

/// Counts calls and says when one fails.
final class FaultPlan: Sendable {
    private struct State {
        var fault: Fault?
        var counts: [Fault.Point: Int] = [:]
        var isLocked = false
    }

    private let state = Mutex(State())

    func set(_ fault: Fault?) {
        state.withLock { $0 = State(fault: fault, isLocked: $0.isLocked) }
    }

    func count(of point: Fault.Point) -> Int {
        state.withLock { $0.counts[point, default: 0] }
    }

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    /// Throws while samples are locked.
    func passLock() throws {
        guard isLocked else { return }
        throw StorageError(.unreachable, "Protected health data is inaccessible")
    }

    /// Counts one call; throws when it is the one that fails. A fault comes up once.
    func pass(_ point: Fault.Point) throws {
        let error = state.withLock { state -> StorageError? in
            let before = state.counts[point, default: 0]
            state.counts[point] = before + 1
            guard let fault = state.fault, fault.point == point, fault.after == before else { return nil }
            state.fault = nil
            return fault.error
        }
        if let error { throw error }
    }
}
