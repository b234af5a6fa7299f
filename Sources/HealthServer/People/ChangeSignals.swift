import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization

/// Notifies event streams and waiting requests of what changed in one store, whichever process wrote it.
///
/// There is one observation of the store for all of them, and only while there are any. Unread changes are coalesced,
/// so a slow reader takes no more memory than a fast one.
final class ChangeSignals: Sendable {
    private struct State {
        var boxes: [ObjectIdentifier: ChangeMailbox] = [:]
        var listening: Listening?
    }

    /// The subscription that notices changes, and the task that notices time.
    private struct Listening {
        let observation: StorageSubscription
        let heartbeat: Task<Void, Never>

        func cancel() {
            observation.cancel()
            heartbeat.cancel()
        }
    }

    /// The seconds between heartbeats.
    static let heartbeatSeconds = 15

    private let state = Mutex(State())
    /// Held while an observation begins, which takes statements of a database: a listener who came meanwhile would read the
    /// store, and miss a commit between that and the beginning.
    private let starting = NSLock()

    /// Begins to listen. It ends when the box is released by ``remove(_:)``. Reads the store, so it must run on the pool.
    func add(to engine: HealthEngine) -> ChangeMailbox {
        let box = ChangeMailbox()
        starting.lock()
        defer { starting.unlock() }
        let isFirst = state.withLock { state in
            state.boxes[ObjectIdentifier(box)] = box
            return state.boxes.count == 1
        }
        if isFirst { start(engine) }
        return box
    }

    /// Stops telling a box.
    func remove(_ box: ChangeMailbox) {
        // Observations are released outside the lock, because that calls the engine.
        let ended = state.withLock { state -> Listening? in
            state.boxes[ObjectIdentifier(box)] = nil
            guard state.boxes.isEmpty else { return nil }
            defer { state.listening = nil }
            return state.listening
        }
        ended?.cancel()
    }

    private func start(_ engine: HealthEngine) {
        let observation = engine.observeCommits { [weak self] commit in
            self?.each { $0.add(commit) }
        }
        let heartbeat = Task { [weak self] in
            while !Task.isCancelled {
                do { try await Task.sleep(for: .seconds(Self.heartbeatSeconds)) } catch { return }
                self?.each { $0.beat() }
            }
        }
        let new = Listening(observation: observation, heartbeat: heartbeat)
        let superfluous = state.withLock { state -> Listening? in
            guard !state.boxes.isEmpty else { return new }
            defer { state.listening = new }
            return state.listening
        }
        superfluous?.cancel()
    }

    private func each(_ body: (ChangeMailbox) -> Void) {
        for box in state.withLock({ Array($0.boxes.values) }) { body(box) }
    }

    /// The number of those who listen.
    var count: Int { state.withLock { $0.boxes.count } }
}

/// The changes that one listener has not read yet.
final class ChangeMailbox: Sendable {
    /// The changes since the last call.
    struct Signal: Hashable, Sendable {
        /// The types that changed.
        var types: Set<TypeCode> = []
        /// The first and the last sequence of the changes.
        var first = Int64.max
        var sequence: Int64 = 0
        /// Whether characteristics, goals, units, the order of sources or permissions changed.
        var settingsChanged = false
        /// Whether it is time to show that the connection is open.
        var isHeartbeat = false
    }

    private struct State {
        var pending: Signal?
        var isEnded = false
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    fileprivate init() {}

    fileprivate func add(_ commit: Commit) {
        change { signal in
            signal.types.formUnion(commit.types)
            signal.first = min(signal.first, commit.sequences.lowerBound)
            signal.sequence = max(signal.sequence, commit.sequences.upperBound)
            signal.settingsChanged = signal.settingsChanged || commit.settingsChanged
        }
    }

    /// Wakes the reader without a change.
    func beat() {
        change { $0.isHeartbeat = true }
    }

    /// Ends the reading: ``next()`` returns `nil`.
    func end() {
        let reader = state.withLock { state in
            state.isEnded = true
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    private func change(_ body: (inout Signal) -> Void) {
        let reader = state.withLock { state in
            var signal = state.pending ?? Signal()
            body(&signal)
            state.pending = signal
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// The changes since the last call; waits for them. `nil` at the end and when the task is canceled.
    func next() async -> Signal? {
        await withTaskCancellationHandler {
            while true {
                let (signal, isEnded) = state.withLock { state in
                    defer { state.pending = nil }
                    return (state.pending, state.isEnded)
                }
                if isEnded { return nil }
                if let signal { return signal }
                await withCheckedContinuation { continuation in
                    let isReady = state.withLock { state in
                        guard state.pending == nil, !state.isEnded else { return true }
                        state.reader = continuation
                        return false
                    }
                    if isReady { continuation.resume() }
                }
            }
        } onCancel: {
            end()
        }
    }
}
