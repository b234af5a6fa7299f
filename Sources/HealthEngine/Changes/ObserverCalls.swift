import Synchronization

/// The calls of the observers of this process that haven't been completed, of all applications.
///
/// Changes of a type count as handled by an application when every observer that was notified of them has completed its
/// call. So a position is acknowledged only up to where the first uncompleted call begins.
final class ObserverCalls: Sendable {
    /// The changes of a type that a call notifies of: those after the first position, up to the second.
    typealias Range = (after: Int64, through: Int64)

    private struct Call {
        var bundleIdentifier: String
        var ranges: [String: Range]
    }

    private struct State {
        var calls: [Int: Call] = [:]
        var nextNumber = 0
        /// The last position of completed calls, by application and type.
        var completed: [String: [String: Int64]] = [:]
    }

    private let state = Mutex(State())

    /// Records a call.
    func open(_ ranges: [String: Range], of bundleIdentifier: String) -> Int {
        state.withLock { state in
            defer { state.nextNumber += 1 }
            state.calls[state.nextNumber] = Call(bundleIdentifier: bundleIdentifier, ranges: ranges)
            return state.nextNumber
        }
    }

    /// Records that a call was completed. Returns the positions that can be acknowledged; empty for an unknown call.
    func complete(_ number: Int) -> (bundleIdentifier: String, positions: [String: Int64]) {
        state.withLock { state in
            guard let call = state.calls.removeValue(forKey: number) else { return ("", [:]) }
            var completed = state.completed[call.bundleIdentifier] ?? [:]
            var positions: [String: Int64] = [:]
            for (type, range) in call.ranges {
                let last = max(completed[type] ?? range.through, range.through)
                completed[type] = last
                let open = state.calls.values.filter { $0.bundleIdentifier == call.bundleIdentifier }
                    .compactMap { $0.ranges[type]?.after }.min()
                positions[type] = min(last, open ?? last)
            }
            state.completed[call.bundleIdentifier] = completed
            return (call.bundleIdentifier, positions)
        }
    }

    /// Forgets calls that nobody can complete any more, as after their query was stopped.
    func abandon(_ numbers: some Sequence<Int>) {
        state.withLock { state in
            for number in numbers { state.calls[number] = nil }
        }
    }
}

extension HealthEngine {
    /// Records that an observer of an application is called, for changes of types after one position up to another.
    ///
    /// - Returns: the number of the call, for ``observerCompleted(_:)``.
    public func observerCalled(
        for ranges: [String: (after: Int64, through: Int64)], of bundleIdentifier: String
    ) -> Int {
        observerCalls.open(ranges, of: bundleIdentifier)
    }

    /// Records that an observer completed a call, and acknowledges background deliveries as far as every observer of the
    /// application in this process has completed. Completing a call again has no effect.
    ///
    /// Throws `StorageError` if that can't be written; the deliveries are then repeated.
    public func observerCompleted(_ number: Int) throws {
        let (bundleIdentifier, positions) = observerCalls.complete(number)
        if !positions.isEmpty { try backgroundDelivery.acknowledge(positions, of: bundleIdentifier) }
    }

    /// Forgets calls of an observer that ended before it completed them.
    public func observerEnded(_ numbers: Set<Int>) {
        observerCalls.abandon(numbers)
    }
}
