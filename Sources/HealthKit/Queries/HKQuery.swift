import Dispatch
public import Foundation
import Synchronization

/// The base class of all queries.
///
/// A query runs once, on the store it is passed to with ``HKHealthStore/execute(_:)``. Its handlers are
/// called serially on its own background queue. Executing it again ends the process, as in
/// the original.
// Unchecked: the life cycle is in a Mutex; subclasses keep their mutable state in one too.
open class HKQuery: NSObject, _CVarArgObject, @unchecked Sendable {
    /// The type of object the query returns; `nil` for queries over several types.
    open var objectType: HKObjectType? { storedObjectType }
    /// Which objects the query returns; `nil` for all.
    open var predicate: NSPredicate? { storedPredicate }

    private let storedObjectType: HKObjectType?
    private let storedPredicate: NSPredicate?

    private enum Life {
        case fresh
        case executed(QueryRun)
    }

    private let life = Mutex<Life>(.fresh)

    init(objectType: HKObjectType?, predicate: NSPredicate?) {
        storedObjectType = objectType
        storedPredicate = predicate
    }

    /// The type of sample the query returns; `nil` for queries over several types or without samples.
    /// The older name of ``objectType``.
    open var sampleType: HKSampleType? { objectType as? HKSampleType }

    /// Returns what the query does when it runs. Validation and translation happen on the thread that
    /// executes the query, so that a programmer error ends the process where it was made.
    ///
    /// - Throws: an error whose description is the original's exception message.
    func makeWork() throws -> QueryWork {
        fatalError("\(Self.self) must override makeWork()")
    }

    /// Starts the query on a store.
    func execute(on connection: StoreConnection) {
        let work: QueryWork
        do {
            work = try makeWork()
        } catch {
            ProgrammerError.raise(String(describing: error))
        }
        let run = QueryRun(work: work, connection: connection, name: "\(Self.self)")
        let isFirst = life.withLock { life in
            guard case .fresh = life else { return false }
            life = .executed(run)
            return true
        }
        guard isFirst else {
            ProgrammerError.raise("Query \(self) has already been executed and cannot be executed again")
        }
        run.begin()
    }

    /// Stops the query: its handlers are not called again. One that another thread is just calling may still run when
    /// this method returns, because waiting for it could block both. Has no effect before execution or after the end.
    func stop() {
        let run: QueryRun? = life.withLock { life in
            if case .executed(let run) = life { run } else { nil }
        }
        run?.stop()
    }

    /// A Boolean value that indicates whether the query has been executed.
    var isExecuted: Bool {
        life.withLock { life in
            if case .fresh = life { false } else { true }
        }
    }

    /// Ends the process when a property is set after execution, as the original does.
    func requireUnexecuted(_ property: String, file: StaticString = #fileID, line: UInt = #line) {
        guard isExecuted else { return }
        let reason = "\(Self.self): \(property) cannot be changed after the query was executed"
        ProgrammerError.raise(reason, file: file, line: line)
    }
}

/// A limit that returns all matching objects.
public let HKObjectQueryNoLimit: Int = 0

/// The numeric anchor of a query that starts at the beginning.
public let HKAnchoredObjectQueryNoAnchor: Int32 = 0

/// The work of a query while it runs. The closures retain the query; a run releases them when it ends.
struct QueryWork: Sendable {
    /// Delivers the initial results. A query without ``update`` ends afterwards.
    var start: @Sendable (QueryRun) throws -> Void
    /// Called after commits, for long-running queries.
    var update: (@Sendable (QueryRun, CommitDigest) throws -> Void)?
    /// Called when the run ends or is stopped.
    var end: (@Sendable () -> Void)?
    /// Whether the query begins again with the next commit if it could not read the initial results. Handlers of other
    /// queries are called once with those.
    var beginsAgain = false
    /// Reports an error of ``start`` or ``update`` to a handler.
    var fail: @Sendable (any Error) -> Void
}

/// The execution of one query on one store.
///
/// All work and all handler calls happen on the run's serial queue, outside locks. A long-running query is
/// retained by its subscription to commits until it is stopped; any other run ends by itself.
final class QueryRun: Sendable {
    let connection: StoreConnection
    /// A serial queue without a target, as those of ``StoreConnection``: handlers may wait for another query.
    private let queue: DispatchQueue

    private struct State {
        /// `nil` once the run has ended or was stopped.
        var work: QueryWork?
        var subscription: CommitSubscription?
        /// Whether the initial results have yet to be read, because that failed and can succeed later.
        var isUnstarted = false
        /// Commits not yet handled, merged into one.
        var pending: CommitDigest?
        /// Whether ``QueryRun/update()`` is going to handle them.
        var isScheduled = false
        /// Seconds until what failed is read again; 0 unless it did.
        var delay: TimeInterval = 0
        /// The number of the last such reading.
        var retry = 0
        /// The kind of the error that was reported last, of those that can pass.
        var reported = ""

        mutating func add(_ digest: CommitDigest) {
            if pending == nil {
                pending = digest
            } else {
                pending?.merge(digest)
            }
        }
    }

    private let state: Mutex<State>

    init(work: QueryWork, connection: StoreConnection, name: String) {
        self.connection = connection
        queue = DispatchQueue(label: "HealthKit.\(name)")
        state = Mutex(State(work: work))
    }

    /// A Boolean value that indicates whether handlers may still be called.
    var isActive: Bool { state.withLock { $0.work != nil } }

    /// Starts the query on the run's queue.
    func begin() {
        guard let failure = connection.injectedFailure(in: .reading) else { return queue.async { self.start() } }
        connection.fail(failure) { error in self.queue.async { self.start(failing: error) } }
    }

    /// Calls a handler unless the run was stopped.
    func deliver(_ handler: () -> Void) {
        guard isActive else { return }
        handler()
    }

    /// Runs `body` on the run's queue unless the run has ended by then.
    func enqueue(_ body: @escaping @Sendable () -> Void) {
        queue.async {
            guard self.isActive else { return }
            body()
        }
    }

    /// Ends the run: no handler is called afterwards.
    func stop() {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        ended.subscription?.cancel()
        ended.work?.end?()
    }

    private func start(failing error: HKError? = nil) {
        guard let work = state.withLock({ $0.work }) else { return }
        do {
            if work.update != nil {
                // Subscribed before the first read, so that no commit is missed between the two.
                if !state.withLock({ $0.subscription != nil }) { try subscribe() }
            }
            if let error { throw error }
            try work.start(self)
            state.withLock { $0.delay = 0 }
        } catch  where work.beginsAgain && StoreConnection.isPassing(error) {
            state.withLock { $0.isUnstarted = true }
            failed(error, work.fail)
        } catch {
            deliver { work.fail(error) }
            stop()
        }
        if work.update == nil {
            stop()
        }
    }

    private func subscribe() throws {
        let subscription = try connection.reader().observeCommits { self.record($0) }
        let isStopped = state.withLock { state in
            guard state.work != nil else { return true }
            state.subscription = subscription
            return false
        }
        if isStopped {
            subscription.cancel()
        }
    }

    /// Records a commit, on any thread.
    private func record(_ digest: CommitDigest) {
        let isNew = state.withLock { state in
            guard state.work != nil else { return false }
            state.add(digest)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isNew {
            queue.async { self.update() }
        }
    }

    private func update() {
        let (update, fail, digest, isUnstarted) = state.withLock { state in
            defer {
                state.pending = nil
                state.isScheduled = false
                state.isUnstarted = false
            }
            return (state.work?.update, state.work?.fail, state.pending, state.isUnstarted)
        }
        if isUnstarted { return start() }
        guard let update, let fail, let digest else { return }
        do {
            try update(self, digest)
            state.withLock { $0.delay = 0 }
        } catch {
            // The query keeps running: the next commit, of whatever type, triggers another read for these.
            state.withLock { $0.add(digest) }
            failed(error, fail)
        }
    }

    /// The seconds until what failed is read again: the first, and the most, between which they double.
    private static let delays: (first: TimeInterval, last: TimeInterval) = (1, 60)

    /// Reports an error, and reads again later if that can succeed: there may be no other commit. An error that is met
    /// again is reported only once.
    private func failed(_ error: any Error, _ fail: (any Error) -> Void) {
        guard let kind = StoreConnection.kind(ofPassing: error) else { return deliver { fail(error) } }
        let (delay, retry, isNew) = state.withLock { state in
            let isNew = state.delay == 0 || state.reported != kind
            state.delay = state.delay == 0 ? Self.delays.first : min(2 * state.delay, Self.delays.last)
            state.retry += 1
            state.reported = kind
            return (state.delay, state.retry, isNew)
        }
        connection.clock.after(delay) { [weak self] in self?.retry(retry) }
        if isNew { deliver { fail(error) } }
    }

    private func retry(_ number: Int) {
        let isDue = state.withLock { state in
            // A commit may have led to another reading meanwhile.
            guard state.work != nil, state.retry == number, state.pending != nil || state.isUnstarted,
                !state.isScheduled
            else { return false }
            state.isScheduled = true
            return true
        }
        if isDue {
            queue.async { self.update() }
        }
    }
}

/// A value behind a lock, `nil` at first. Only one thread at a time sets it.
final class LockedValue<Value: Sendable>: Sendable {
    private let stored = Mutex<(value: Value?, clearings: Int)>((nil, 0))

    var value: Value? { stored.withLock { $0.value } }

    /// How often the value was cleared.
    var clearings: Int { stored.withLock { $0.clearings } }

    func set(_ value: Value) {
        stored.withLock { $0.value = value }
    }

    /// Sets a value that was read, unless it was cleared since and may be out of date.
    func set(_ value: Value, readAfter clearings: Int) {
        stored.withLock { stored in
            if stored.clearings == clearings { stored.value = value }
        }
    }

    func clear() {
        stored.withLock { $0 = (nil, $0.clearings + 1) }
    }
}
