public import HealthModel
import HealthStorage

extension HealthEngine {
    /// Calls `handler` after every commit to this store, of this process or another, until the
    /// returned observation is cancelled or released.
    ///
    /// Calls come one at a time, in the order of commits, outside all locks, on the thread of whoever
    /// committed (for other processes: on a thread of the backend). A handler may use the engine; what
    /// it writes is told after the present notice.
    public func observeCommits(_ handler: @escaping @Sendable (Commit) -> Void) -> CommitObservation {
        commits.observe(handler)
    }

    /// The last sequence number handed out; 0 in a new store.
    public func lastSequence() throws -> Int64 {
        try storage.read { try $0.lastSequence() }
    }

    // MARK: Notices by hand

    /// Keeps word of commits back until ``releaseNotices()``, so that a test says when observers hear.
    public func holdNotices() {
        commits.hold()
    }

    /// Tells observers what was kept back, and goes on keeping back if ``holdNotices()`` said so.
    public func deliverHeldNotices() {
        commits.deliverHeld()
    }

    /// Tells observers what was kept back, and keeps nothing back from now on.
    public func releaseNotices() {
        commits.release()
    }

    /// Tells observers that types changed although nothing was written.
    public func announce(_ types: Set<TypeCode>) throws {
        let last = try lastSequence()
        commits.enqueue(Commit(types: types, sequences: last...last, isAnnouncement: true))
        commits.deliverHeld()
    }
}
