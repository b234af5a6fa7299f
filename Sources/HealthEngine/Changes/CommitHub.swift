import Dispatch
package import HealthModel
package import HealthStorage
import Synchronization

/// Notifies observers of commits, in order and outside locks.
///
/// One thread at a time delivers from the queue until it is empty, including commits queued meanwhile, even by a
/// handler. So handlers never run concurrently.
package final class CommitHub: Sendable {
    typealias Handler = @Sendable (Commit) -> Void

    private struct State {
        var handlers: [(number: Int, handler: Handler)] = []
        var nextNumber = 0
        var queue: [Commit] = []
        var isDelivering = false
        /// Whether notifications are held until ``release()``.
        var isHeld = false
        /// The position up to which observers have been notified; `nil` while there are none, or the store couldn't be
        /// read yet.
        var known: Position?
        /// The sequence numbers of this process's commits while the position isn't known.
        var early: ClosedRange<Int64>?
        var subscription: StorageSubscription?
        var isClosed = false
    }

    /// A state of the store with regard to notifications.
    private struct Position {
        var sequence: Int64
        var settings: Int64
    }

    private let storage: any HealthStorage
    private let state = Mutex(State())

    init(storage: any HealthStorage) {
        self.storage = storage
    }

    /// Calls `handler` for every commit from now on, including those of other processes.
    func observe(_ handler: @escaping Handler) -> StorageSubscription {
        let (number, isFirst) = state.withLock { state in
            defer { state.nextNumber += 1 }
            state.handlers.append((state.nextNumber, handler))
            return (state.nextNumber, state.handlers.count == 1 && !state.isClosed)
        }
        // An observer that registers while another thread is still starting to watch reads the store next, and must be
        // notified of what follows.
        findPosition()
        if isFirst {
            startWatching()
        }
        return StorageSubscription { [weak self] in
            self?.remove(number)
        }
    }

    private func remove(_ number: Int) {
        // The handler is released outside the lock, because its deinit may call back.
        let removed = state.withLock { state -> (Handler?, StorageSubscription?) in
            guard let index = state.handlers.firstIndex(where: { $0.number == number }) else {
                return (nil, nil)
            }
            let handler = state.handlers.remove(at: index).handler
            guard state.handlers.isEmpty else { return (handler, nil) }
            defer {
                state.subscription = nil
                state.known = nil
                state.early = nil
            }
            return (handler, state.subscription)
        }
        removed.1?.cancel()
    }

    /// Queues the notification of a commit of this process. Called in the order of commits.
    func enqueue(_ commit: Commit) {
        state.withLock { state in
            if let known = state.known {
                // A gap belongs to another process, whose own notification follows.
                if commit.sequences.lowerBound <= known.sequence + 1 {
                    state.known?.sequence = max(known.sequence, commit.sequences.upperBound)
                }
                if commit.settingsChanged {
                    state.known?.settings += 1
                }
            } else if !state.handlers.isEmpty, !commit.isAnnouncement {
                let first = state.early.map {
                    commit.sequences.lowerBound <= $0.upperBound + 1 ? $0.lowerBound : commit.sequences.lowerBound
                }
                state.early = (first ?? commit.sequences.lowerBound)...commit.sequences.upperBound
            }
            if !state.handlers.isEmpty {
                state.queue.append(commit)
            }
        }
    }

    /// Holds notifications until ``release()``. ``deliver(evenHeld:)`` delivers those queued so far.
    func hold() {
        state.withLock { $0.isHeld = true }
    }

    /// Delivers the notifications held and stops holding them.
    func release() {
        state.withLock { $0.isHeld = false }
        deliver()
    }

    /// Delivers the notifications queued, unless they are held or another thread is delivering.
    package func deliver(evenHeld: Bool = false) {
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
            // An observer's own writes don't belong to the import that it is notified of.
            CommitRecorder.$current.withValue(nil) {
                for handler in handlers {
                    handler(commit)
                }
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
            self?.handleForeignCommit()
        }
        let superfluous = state.withLock { state -> StorageSubscription? in
            guard !state.isClosed, !state.handlers.isEmpty else { return subscription }
            defer { state.subscription = subscription }
            return state.subscription
        }
        superfluous?.cancel()
        // What was committed before the backend watched is notified like any other commit, by another thread than the
        // caller's.
        let known = state.withLock { $0.known }
        if let now = try? storage.read(Self.position), let known, now.sequence <= known.sequence,
            now.settings <= known.settings
        {
            return
        }
        DispatchQueue.global().async { [weak self] in self?.handleForeignCommit() }
    }

    /// Sets the position up to which observers know the store, unless it is known. If the store can't be read now,
    /// neither can they, and the first commit that can be read is notified with all before it.
    private func findPosition() {
        guard state.withLock({ $0.known == nil && !$0.isClosed }), let position = try? storage.read(Self.position)
        else { return }
        state.withLock { state in
            guard state.known == nil, !state.isClosed, !state.handlers.isEmpty else { return }
            var position = position
            // Those were notified already.
            if let early = state.early, early.lowerBound <= position.sequence + 1 {
                position.sequence = max(position.sequence, early.upperBound)
            }
            (state.known, state.early) = (position, nil)
        }
    }

    private static func position(in snapshot: any StorageSnapshot) throws -> Position {
        Position(sequence: try snapshot.lastSequence(), settings: try SettingsGeneration.current(in: snapshot))
    }

    /// Queues one notification of everything that changed since the known position. If the store cannot be read, it is
    /// tried again a second later, because there may be no other commit.
    private func handleForeignCommit() {
        let known = state.withLock { $0.known }
        let (position, types): (Position, Set<TypeCode>)
        do {
            (position, types) = try storage.read { snapshot in
                (try Self.position(in: snapshot), try snapshot.typesChanged(after: known?.sequence ?? 0))
            }
        } catch {
            // Nothing is committed to a store that was removed.
            guard (error as? StorageError)?.kind != .removed,
                state.withLock({ !$0.isClosed && !$0.handlers.isEmpty })
            else { return }
            return DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.handleForeignCommit()
            }
        }
        state.withLock { state in
            guard !state.isClosed, !state.handlers.isEmpty else { return }
            let before = state.known
            state.known = Position(
                sequence: max(position.sequence, before?.sequence ?? 0),
                settings: max(position.settings, before?.settings ?? 0))
            let settingsChanged = position.settings != known?.settings
            if !types.isEmpty || settingsChanged {
                let first = min((known?.sequence ?? 0) + 1, position.sequence)
                state.queue.append(
                    Commit(types: types, sequences: first...position.sequence, settingsChanged: settingsChanged))
            }
        }
        deliver()
    }
}

/// The notification of a committed write of this process or another.
package struct Commit: Hashable, Sendable {
    /// The types that gained or lost samples or objects.
    package var types: Set<TypeCode>
    /// The sequence numbers that the write took; for a write of another process, all since the last one known.
    package var sequences: ClosedRange<Int64>
    /// Whether settings (characteristics, goals, preferred units or authorizations) changed.
    package var settingsChanged: Bool
    /// Whether nothing was written, but observers of the types are to be notified anyway.
    package var isAnnouncement: Bool

    /// Creates a notification.
    package init(
        types: Set<TypeCode>, sequences: ClosedRange<Int64>, settingsChanged: Bool = false, isAnnouncement: Bool = false
    ) {
        self.types = types
        self.sequences = sequences
        self.settingsChanged = settingsChanged
        self.isAnnouncement = isAnnouncement
    }
}

// MARK: - The engine

extension HealthEngine {
    /// Calls `handler` after every commit to this store, of this process or another, until the returned subscription is
    /// canceled or released. A call that began on another thread may still be running then.
    ///
    /// Calls are made one at a time, in the order of commits, outside all locks, on the thread that committed or, for
    /// other processes, on a thread of the backend. A handler may use the engine; its own writes are notified
    /// afterwards.
    package func observeCommits(_ handler: @escaping @Sendable (Commit) -> Void) -> StorageSubscription {
        commits.observe(handler)
    }

    /// Returns the last sequence number taken; 0 in a new store.
    package func lastSequence() throws -> Int64 {
        try storage.read { try $0.lastSequence() }
    }

    // MARK: Holding notifications

    /// Holds notifications until ``releaseNotifications()``, so that a test can determine when observers are called.
    package func holdNotifications() {
        commits.hold()
    }

    /// Delivers the notifications held so far, and continues to hold new ones.
    package func deliverHeldNotifications() {
        commits.deliver(evenHeld: true)
    }

    /// Delivers the notifications held and stops holding them.
    package func releaseNotifications() {
        commits.release()
    }

    /// Notifies observers of types as if they had changed, although nothing was written.
    package func announce(_ types: Set<TypeCode>) throws {
        let last = try lastSequence()
        commits.enqueue(Commit(types: types, sequences: last...last, isAnnouncement: true))
        commits.deliver(evenHeld: true)
    }

    /// Notifies observers that what they failed to read can be read again, although no type has changed.
    package func announceAvailability() {
        commits.enqueue(Commit(types: [], sequences: 0...0, isAnnouncement: true))
        commits.deliver()
    }
}
