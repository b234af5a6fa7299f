import HealthModel
import HealthStorage
import Synchronization

/// Passes word of commits to observers, in order and outside locks.
///
/// Whoever finds the queue unattended delivers from it until it is empty; a commit queued meanwhile,
/// also by a handler, is delivered by that same thread. So handlers never run two at a time.
final class CommitHub: Sendable {
    typealias Handler = @Sendable (Commit) -> Void

    private struct State {
        var handlers: [(number: Int, handler: Handler)] = []
        var nextNumber = 0
        var queue: [Commit] = []
        var isDelivering = false
        /// Whether notices wait for ``release()``.
        var isHeld = false
        /// What the observers have been told of so far; `nil` until somebody observes.
        var known: Position?
        var subscription: StorageSubscription?
        var isClosed = false
    }

    /// A state of the store, as far as notices go.
    private struct Position {
        var sequence: Int64
        var settings: Int64
    }

    private let storage: any HealthStorage
    private let state = Mutex(State())

    init(storage: any HealthStorage) {
        self.storage = storage
    }

    /// Calls `handler` for every commit from now on. Other processes' commits are watched for while
    /// anybody observes.
    func observe(_ handler: @escaping Handler) -> CommitObservation {
        let (number, isFirst) = state.withLock { state in
            defer { state.nextNumber += 1 }
            state.handlers.append((state.nextNumber, handler))
            return (state.nextNumber, state.handlers.count == 1 && !state.isClosed)
        }
        if isFirst {
            startWatching()
        }
        return CommitObservation { [weak self] in
            self?.remove(number)
        }
    }

    private func remove(_ number: Int) {
        // What is taken out is let go outside the lock: its deinit may call back.
        let removed = state.withLock { state -> (Handler?, StorageSubscription?) in
            guard let index = state.handlers.firstIndex(where: { $0.number == number }) else {
                return (nil, nil)
            }
            let handler = state.handlers.remove(at: index).handler
            guard state.handlers.isEmpty else { return (handler, nil) }
            defer {
                state.subscription = nil
                state.known = nil
            }
            return (handler, state.subscription)
        }
        removed.1?.cancel()
    }

    /// Queues the notice of a commit of this process. Called in the order of commits.
    func enqueue(_ commit: Commit) {
        state.withLock { state in
            if let known = state.known {
                // A gap belongs to another process; it stays unknown until its own notice comes.
                if commit.sequences.lowerBound <= known.sequence + 1 {
                    state.known?.sequence = max(known.sequence, commit.sequences.upperBound)
                }
                if commit.settingsChanged {
                    state.known?.settings += 1
                }
            }
            if !state.handlers.isEmpty {
                state.queue.append(commit)
            }
        }
    }

    /// Keeps notices back until ``release()``; ``deliverHeld()`` lets through what is queued by then.
    func hold() {
        state.withLock { $0.isHeld = true }
    }

    /// Delivers what was kept back, and no longer keeps back.
    func release() {
        state.withLock { $0.isHeld = false }
        deliver()
    }

    /// Delivers what is queued, also while notices are kept back.
    func deliverHeld() {
        deliver(evenHeld: true)
    }

    /// Delivers what is queued, unless another thread is at it or notices are kept back.
    func deliver() {
        deliver(evenHeld: false)
    }

    private func deliver(evenHeld: Bool) {
        var isDelivering = false
        while true {
            let next = state.withLock { [isDelivering] state -> (Commit, [Handler])? in
                if !isDelivering, state.isDelivering { return nil }
                guard !state.queue.isEmpty, evenHeld || !state.isHeld else {
                    state.isDelivering = false
                    return nil
                }
                state.isDelivering = true
                return (state.queue.removeFirst(), state.handlers.map(\.handler))
            }
            guard let (commit, handlers) = next else { return }
            isDelivering = true
            for handler in handlers {
                handler(commit)
            }
        }
    }

    /// Ends every observation.
    func close() {
        let ended = state.withLock { state -> State in
            let ended = state
            state = State(nextNumber: ended.nextNumber, isDelivering: ended.isDelivering, isClosed: true)
            return ended
        }
        ended.subscription?.cancel()
    }

    // MARK: Other processes

    private func startWatching() {
        let subscription = storage.observeForeignCommits { [weak self] in
            self?.noticeForeignCommit()
        }
        // Where the store cannot be read now, the first foreign notice sets the starting point.
        let position = try? storage.read(Self.position)
        let superfluous = state.withLock { state -> StorageSubscription? in
            guard !state.isClosed, !state.handlers.isEmpty else { return subscription }
            if state.known == nil { state.known = position }
            defer { state.subscription = subscription }
            return state.subscription
        }
        superfluous?.cancel()
    }

    private static func position(in snapshot: any StorageSnapshot) throws -> Position {
        Position(
            sequence: try snapshot.lastSequence(),
            settings: try SettingsGeneration.current(in: snapshot))
    }

    /// Finds out what changed since the known position and queues one notice for it. A store that
    /// cannot be read just now is asked again at the next notice.
    private func noticeForeignCommit() {
        let known = state.withLock { $0.known }
        let found = try? storage.read { snapshot -> (Position, Set<TypeCode>) in
            let position = try Self.position(in: snapshot)
            guard let known else { return (position, []) }
            return (position, try snapshot.typesChanged(after: known.sequence))
        }
        guard let (position, types) = found else { return }
        state.withLock { state in
            guard !state.isClosed, !state.handlers.isEmpty else { return }
            let before = state.known
            state.known = Position(
                sequence: max(position.sequence, before?.sequence ?? 0),
                settings: max(position.settings, before?.settings ?? 0))
            guard let known else { return }
            let settingsChanged = position.settings != known.settings
            if !types.isEmpty || settingsChanged {
                let first = min(known.sequence + 1, position.sequence)
                state.queue.append(
                    Commit(
                        types: types, sequences: first...position.sequence,
                        settingsChanged: settingsChanged))
            }
        }
        deliver()
    }
}
