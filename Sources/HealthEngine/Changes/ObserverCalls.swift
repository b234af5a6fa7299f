import Synchronization

/// The observers of this process, of all applications, with the calls that they haven't completed.
///
/// Changes of a type count as handled by an application when each of its observers of the type has looked for them and
/// completed the calls that it was made for them. So a position is acknowledged only up to where the first uncompleted
/// call begins, or the slowest observer has looked.
final class ObserverCalls: Sendable {
    /// The changes of a type that were looked for: those after the first position, up to the second.
    typealias Range = (after: Int64, through: Int64)

    private struct Observer {
        var bundleIdentifier: String
        /// The positions up to which the observer has looked, by type; empty after it ended.
        var positions: [String: Int64]
        /// The calls that haven't been completed, by number.
        var calls: [Int: [String: Range]] = [:]

        /// The position up to which the observer has handled a type; `nil` if it doesn't matter.
        func handled(_ type: String) -> Int64? {
            let open = calls.values.compactMap { $0[type]?.after }.min()
            guard let position = positions[type] else { return open }
            return min(open ?? position, position)
        }
    }

    private struct State {
        var observers: [Int: Observer] = [:]
        var nextNumber = 0

        mutating func number() -> Int {
            defer { nextNumber += 1 }
            return nextNumber
        }

        /// The positions up to which types have been handled by every observer of an application.
        func handled(_ types: some Sequence<String>, _ bundleIdentifier: String) -> [String: Int64] {
            let observers = observers.values.filter { $0.bundleIdentifier == bundleIdentifier }
            return types.reduce(into: [:]) { $0[$1] = observers.compactMap { [type = $1] in $0.handled(type) }.min() }
        }
    }

    private let state = Mutex(State())

    /// Adds an observer, which has looked for nothing yet.
    func begin(_ types: [String], of bundleIdentifier: String) -> Int {
        state.withLock { state in
            let number = state.number()
            let positions = Dictionary(types.map { ($0, Int64(0)) }) { first, _ in first }
            state.observers[number] = Observer(bundleIdentifier: bundleIdentifier, positions: positions)
            return number
        }
    }

    /// Records what an observer looked for. With `isCalled`, returns the number of the call that is made for it.
    func look(_ observer: Int, _ ranges: [String: Range], isCalled: Bool) -> Int? {
        state.withLock { state in
            guard state.observers[observer] != nil else { return nil }
            for (type, range) in ranges { state.observers[observer]?.positions[type] = range.through }
            guard isCalled else { return nil }
            let number = state.number()
            state.observers[observer]?.calls[number] = ranges
            return number
        }
    }

    /// Records that a call was completed. Returns the positions up to which its types have been handled; empty if it
    /// was completed before.
    func complete(_ call: Int, of observer: Int) -> (bundleIdentifier: String, positions: [String: Int64]) {
        state.withLock { state in
            guard let found = state.observers[observer], let ranges = found.calls[call] else { return ("", [:]) }
            state.observers[observer]?.calls[call] = nil
            // After its end, an observer that has completed everything has handled what it was called for.
            var positions = state.handled(ranges.keys, found.bundleIdentifier)
            for (type, range) in ranges where found.positions[type] == nil {
                positions[type] = min(positions[type] ?? range.through, range.through)
            }
            return (found.bundleIdentifier, positions)
        }
    }

    /// Returns the positions up to which types have been handled by every observer of the application of an observer.
    func handled(_ types: some Sequence<String>, like observer: Int) -> (
        bundleIdentifier: String, positions: [String: Int64]
    ) {
        state.withLock { state in
            guard let name = state.observers[observer]?.bundleIdentifier else { return ("", [:]) }
            return (name, state.handled(types, name))
        }
    }

    /// Records that an observer ended: only the calls it hasn't completed matter from now on.
    func end(_ observer: Int) {
        state.withLock { state in
            state.observers[observer]?.positions = [:]
            if state.observers[observer]?.calls.isEmpty == true { state.observers[observer] = nil }
        }
    }

    /// Forgets an observer whose calls can no longer be completed.
    func remove(_ observer: Int) {
        state.withLock { $0.observers[observer] = nil }
    }
}

extension HealthEngine {
    /// Records that an observer of an application begins. Returns its number.
    package func observerBegan(_ types: [String], of bundleIdentifier: String) -> Int {
        observerCalls.begin(types, of: bundleIdentifier)
    }

    /// Records that an observer looked for changes of types after one position up to another, and is called for them.
    ///
    /// - Returns: the number of the call; `nil` if the observer is unknown.
    package func observerCalled(_ observer: Int, for ranges: [String: (after: Int64, through: Int64)]) -> Int? {
        observerCalls.look(observer, ranges, isCalled: true)
    }

    /// Records that an observer looked for changes of types, and need not be called.
    ///
    /// - Parameter isAcknowledging: Whether there may have been changes, which now count as handled. That acknowledges
    ///   background deliveries, and throws `StorageError` if it can't be written.
    package func observerSkipped(
        _ observer: Int, _ ranges: [String: (after: Int64, through: Int64)], isAcknowledging: Bool
    ) throws {
        _ = observerCalls.look(observer, ranges, isCalled: false)
        guard isAcknowledging else { return }
        let (bundleIdentifier, positions) = observerCalls.handled(ranges.keys, like: observer)
        if !positions.isEmpty { try backgroundDelivery.acknowledge(positions, of: bundleIdentifier) }
    }

    /// Records that an observer completed a call. With `isAcknowledging`, acknowledges background deliveries as far as
    /// every observer of the application in this process has handled them. Completing a call again has no effect.
    ///
    /// Throws `StorageError` if that can't be written; the deliveries are then repeated.
    package func observerCompleted(_ call: Int, of observer: Int, isAcknowledging: Bool = true) throws {
        let (bundleIdentifier, positions) = observerCalls.complete(call, of: observer)
        if isAcknowledging, !positions.isEmpty {
            try backgroundDelivery.acknowledge(positions, of: bundleIdentifier)
        }
    }

    /// Records that an observer ended. Its uncompleted calls can still be completed.
    package func observerEnded(_ observer: Int) {
        observerCalls.end(observer)
    }

    /// Forgets an observer whose calls can no longer be completed.
    package func forgetObserver(_ observer: Int) {
        observerCalls.remove(observer)
    }
}
