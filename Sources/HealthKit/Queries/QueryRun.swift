import Dispatch
import HealthEngine
import Synchronization

/// One query on one store, from execution to its end.
///
/// All work and all handler calls happen on the run's own serial queue, outside locks. A run that stays
/// is held by its observation of the engine until it is stopped; one that does not ends by itself.
final class QueryRun: Sendable {
    /// Serial queues of runs target this one, so that queries run beside each other.
    private static let pool = DispatchQueue(label: "HealthKit.queries", attributes: .concurrent)

    let connection: StoreConnection
    private let queue: DispatchQueue

    private struct State {
        /// `nil` once the run has ended or was stopped.
        var work: QueryWork?
        var observation: CommitObservation?
        /// Commits that were announced and not yet worked off; several count as one.
        var pending: CommitDigest?
    }

    private let state: Mutex<State>

    init(work: QueryWork, connection: StoreConnection, name: String) {
        self.connection = connection
        queue = DispatchQueue(label: "HealthKit.\(name)", target: Self.pool)
        state = Mutex(State(work: work))
    }

    /// Whether handlers may still be called.
    var isActive: Bool { state.withLock { $0.work != nil } }

    /// Begins on the run's queue.
    func begin() {
        queue.async { self.start() }
    }

    /// Calls a handler unless the run was stopped.
    func deliver(_ handler: () -> Void) {
        guard isActive else { return }
        handler()
    }

    /// Runs `body` on the run's queue, after what is under way; not at all if the run has ended.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        queue.async {
            guard self.isActive else { return }
            body()
        }
    }

    /// Ends the run: no handler is called from now on.
    func stop() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.observation?.cancel()
    }

    private func start() {
        guard let work = state.withLock({ $0.work }) else { return }
        do {
            if work.update != nil {
                // Before the first reading, so that nothing falls between the two.
                observe(try connection.engine())
            }
            try work.start(self)
        } catch {
            deliver { work.fail(error) }
            stop()
        }
        if work.update == nil {
            stop()
        }
    }

    private func observe(_ engine: HealthEngine) {
        let observation = engine.observeCommits { self.note($0) }
        let isStopped = state.withLock { state in
            guard state.work != nil else { return true }
            state.observation = observation
            return false
        }
        if isStopped {
            observation.cancel()
        }
    }

    /// Takes word of a commit, on whatever thread.
    private func note(_ commit: Commit) {
        let isNew = state.withLock { state in
            guard state.work != nil else { return false }
            if state.pending == nil {
                state.pending = CommitDigest(commit)
                return true
            }
            state.pending?.merge(commit)
            return false
        }
        if isNew {
            queue.async { self.update() }
        }
    }

    private func update() {
        let (update, fail, digest) = state.withLock { state in
            defer { state.pending = nil }
            return (state.work?.update, state.work?.fail, state.pending)
        }
        guard let update, let fail, let digest else { return }
        do {
            try update(self, digest)
        } catch {
            // The query stays: what could not be read is read after the next commit.
            deliver { fail(error) }
        }
    }
}
