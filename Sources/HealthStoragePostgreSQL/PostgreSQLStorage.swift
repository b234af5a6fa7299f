import Dispatch
package import Foundation
package import HealthStorage
import Synchronization

/// A person's store in a PostgreSQL database.
///
/// Commits are as durable as the server's setting `synchronous_commit` says when `write` returns. Readers never wait
/// for the writer. Any number of processes on any number of machines may use the store at the same time.
///
/// A lost connection is opened again. Reads and writes continue if nothing was committed in the meantime;
/// otherwise an error is thrown, and nothing was changed. If a connection is lost during a commit, the server is asked
/// whether it was completed.
package final class PostgreSQLStorage: HealthStorage {
    /// The person whose store it is.
    package let personName: String
    let person: Int64
    let pool: PostgreSQLPool
    private let replica: PostgreSQLPool?
    private let listener: PostgreSQLListener
    /// Closed with this storage; `nil` if others use the connections, too.
    private let ownDatabase: PostgreSQLDatabase?
    let memory: PostgreSQLMemory
    private let recent: PostgreSQLRecentPeople
    private let writing = NSLock()
    private let isClosed = Mutex(false)
    private let wasRemoved = Mutex(false)
    private let queue = DispatchQueue(label: "HealthStorage.PostgreSQL.foreignCommits")

    /// Opens the store at an address such as `postgresql://host/database?person=anna`. Creates the tables and the store
    /// if they don't exist.
    ///
    /// Throws `StorageError`: `.unreachable` if the server can't be reached, refuses the connection or its permissions,
    /// or the address names no person; `.notAStore` if the tables are of another version.
    ///
    /// - Parameter creating: Whether missing tables and a missing store are created; otherwise they are `.unreachable`.
    package convenience init(
        url: String, options: PostgreSQLOptions = PostgreSQLOptions(), creating: Bool = true
    ) throws {
        let address = try PostgreSQLAddress(url)
        guard let name = address.person else {
            throw StorageError(.unreachable, "The address names no person: add ?person=NAME.")
        }
        let database = try PostgreSQLDatabase(address, options: options, creating: creating)
        do {
            let person = try database.number(ofPerson: name, creating: creating)
            self.init(name, person, database, isOwner: true)
        } catch {
            database.close()
            throw error
        }
    }

    init(_ name: String, _ person: Int64, _ database: PostgreSQLDatabase, isOwner: Bool) {
        personName = name
        self.person = person
        pool = database.pool
        replica = database.replica
        listener = database.listener
        recent = database.recent
        let known = recent.person(name)
        memory = PostgreSQLMemory(reopening: known?.number == person ? known?.memory : nil)
        ownDatabase = isOwner ? database : nil
    }

    /// Whether the person was found to be removed while the store was open. Another person of the same name has another
    /// store.
    package var isRemoved: Bool { wasRemoved.withLock { $0 } }

    func noticingRemoval<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as StorageError where error.kind == .removed {
            wasRemoved.withLock { $0 = true }
            recent.forget(personName, person)
            throw error
        }
    }

    /// Calls `body` with a snapshot of the store, after waiting for a free connection: of the replica, if it is not behind.
    /// Throws `StorageError` `.closed` after ``close()``, `.removed` if the person was removed, and rethrows the errors of
    /// `body`.
    package func read<Value>(_ body: (any StorageSnapshot) throws -> Value) throws -> Value {
        try checkOpen()
        let snapshot = try noticingRemoval {
            try snapshotOfReplica()
                ?? PostgreSQLSnapshot(
                    pool: pool, memory: memory, person: person, beginning: PostgreSQLStoreRow.beginReading(person))
        }
        defer { snapshot.end() }
        return try body(snapshot)
    }

    /// A snapshot of the replica, if there is one that has all that was committed to this store until now, by any server.
    private func snapshotOfReplica() throws -> PostgreSQLSnapshot? {
        guard let replica else { return nil }
        let lease = try pool.lease()
        let calls = PostgreSQLStoreRow.beginReading(person)
        let (row, epoch, _) = try PostgreSQLSnapshot.begin(lease, calls)
        PostgreSQLSnapshot.rollBack(lease)
        do {
            let snapshot = try PostgreSQLSnapshot(
                replica: replica, of: pool, memory: memory, person: person, following: row, epoch: epoch)
            pool.activity.add { $0.replicaReads[.current, default: 0] += 1 }
            return snapshot
        } catch {
            // It may lack the person's row, too.
            let isBehind = error is PostgreSQLStaleRow || (error as? StorageError)?.kind == .removed
            pool.activity.add { $0.replicaReads[isBehind ? .behind : .unreachable, default: 0] += 1 }
            return nil
        }
    }

    /// Calls `body` in the store's only write transaction, which is durable when this method returns and rolled back
    /// if `body` throws.
    ///
    /// Throws `StorageError` `.busy` if another writer holds the store for longer than
    /// ``PostgreSQLOptions/busyTimeout``, and `.unknownOutcome` if the server was lost during the commit and does not
    /// come back; otherwise as ``read(_:)``.
    package func write<Value>(_ body: (any StorageTransaction) throws -> Value) throws -> Value {
        try write(mayRepeat: false, prefetching: { [] }, body)
    }

    /// Like ``write(_:)``; reads the identities of UUIDs together with the beginning of the transaction, or
    /// assumes that they are new. `body` is called again if another writer turns out to have changed the store.
    package func write<Value>(
        prefetching uuids: () -> [UUID], _ body: (any StorageTransaction) throws -> Value
    ) throws -> Value {
        try write(mayRepeat: true, prefetching: uuids, body)
    }

    private func write<Value>(
        mayRepeat: Bool, prefetching uuids: () -> [UUID], _ body: (any StorageTransaction) throws -> Value
    ) throws -> Value {
        try checkOpen()
        try pool.checkWritable()
        // Threads of this process wait here, so that they don't keep connections meanwhile.
        writing.lock()
        defer { writing.unlock() }
        let uuids = uuids()
        if mayRepeat, let value = try writeAssuming(uuids, body) { return value }
        let transaction = try noticingRemoval {
            try PostgreSQLTransaction(pool: pool, memory: memory, person: person, prefetching: uuids)
        }
        do {
            let value = try body(transaction)
            try transaction.commit()
            return value
        } catch {
            transaction.end()
            throw error
        }
    }

    /// Writes on the assumption that there was no other writer since the last own transaction, which takes one round
    /// trip. Returns `nil`, with nothing changed, if that isn't known or turns out to be wrong.
    private func writeAssuming<Value>(
        _ uuids: [UUID], _ body: (any StorageTransaction) throws -> Value
    ) throws -> Value? {
        guard let (row, epoch) = memory.assumedRow() else { return nil }
        let transaction = try PostgreSQLTransaction(
            pool: pool, memory: memory, person: person, assuming: row, epoch: epoch, prefetching: uuids)
        do {
            let value = try body(transaction)
            try transaction.commit()
            return value
        } catch {
            transaction.end()
            if error is PostgreSQLStaleRow {
                memory.recordOtherWriter()
                return nil
            }
            // What was assumed may have led to the error, but not to waiting too long, nor to losing the server.
            let kind = (error as? StorageError)?.kind
            guard transaction.isAssumed, kind != .unknownOutcome, kind != .busy else { throw error }
            return nil
        }
    }

    /// Calls `handler` on a separate thread after another process or storage object has committed, of which the server
    /// notifies.
    package func observeForeignCommits(_ handler: @escaping @Sendable () -> Void) -> StorageSubscription {
        let call = CoalescedCall()
        let foreign = Mutex<Int64?>(nil)
        let subscription = listener.observe(person) { [weak self] mark in
            guard let self, !isClosed.withLock({ $0 }) else { return }
            if let mark, memory.takeAnnouncement(mark) { return }
            guard mark != nil || !listener.isPolling || hasForeignCommit(since: foreign) else { return }
            // The next write asks for the row, of which it couldn't tell any more whether it is an earlier one.
            memory.recordOtherWriter()
            // A call that hasn't begun sees this commit, too.
            guard
                !call.isWaiting.withLock({ isWaiting in
                    defer { isWaiting = true }
                    return isWaiting
                })
            else { return }
            queue.asyncAfter(deadline: call.next()) {
                call.isWaiting.withLock { $0 = false }
                handler()
            }
        }
        if listener.isPolling { _ = hasForeignCommit(since: foreign) }
        return subscription
    }

    /// Whether others have committed since the last time. While this object writes, that isn't known.
    private func hasForeignCommit(since last: borrowing Mutex<Int64?>) -> Bool {
        guard writing.try() else { return false }
        defer { writing.unlock() }
        let calls = PostgreSQLStoreRow.beginReading(person)
        guard let lease = try? pool.lease(), let begun = try? PostgreSQLSnapshot.begin(lease, calls) else {
            return true
        }
        PostgreSQLSnapshot.rollBack(lease)
        let found = memory.baseState(begun.row, epoch: begun.epoch).foreignCommits
        return last.withLock { last in
            defer { last = found }
            return last.map { $0 != found } ?? true
        }
    }

    /// A call that has been asked for and has not begun.
    private final class CoalescedCall: Sendable {
        let isWaiting = Mutex(false)
        private let last = Mutex(DispatchTime(uptimeNanoseconds: 1))

        /// When to call: now, but not soon after the last call. Each one reads the store, and would take as long as the
        /// save of a writer who saves without a pause.
        func next() -> DispatchTime {
            last.withLock { last in
                last = max(.now(), last + .milliseconds(100))
                return last
            }
        }
    }

    /// Waits until no other process is importing into the store, and keeps a separate connection for the lock that
    /// tells, which the server releases if this process is killed.
    package func beginImport(onWaiting: () -> Void) throws -> StorageSubscription {
        try checkOpen()
        return try StorageError.translatingPostgreSQL {
            let connection = try pool.open(isDirect: true)
            let arguments = "hashtext('\(pool.address.schema)'), hashtext('import \(person)')"
            // A lock of a session would outlast the import over a pooler. The transaction has neither a snapshot nor a
            // number, so it keeps no old rows from being vacuumed.
            let isFree = try connection.execute([
                PostgreSQLCall("BEGIN ISOLATION LEVEL READ COMMITTED"),
                PostgreSQLCall("SET LOCAL idle_in_transaction_session_timeout = 0"),
                PostgreSQLCall("SELECT pg_try_advisory_xact_lock(\(arguments))", isPrepared: false),
            ])[2][0].isTrue(0)
            if !isFree {
                onWaiting()
                // An import can take longer than other locks are waited for.
                _ = try connection.execute([
                    PostgreSQLCall("SET LOCAL lock_timeout = 0"),
                    PostgreSQLCall("SELECT pg_advisory_xact_lock(\(arguments))", isPrepared: false),
                ])
            }
            // The lock ends with the transaction. A server may notice the end of a connection only later.
            let held = Mutex<PostgreSQLConnection?>(connection)
            return StorageSubscription {
                held.withLock { connection in
                    _ = try? connection?.execute([PostgreSQLCall("ROLLBACK")])
                    connection = nil
                }
            }
        }
    }

    /// Closes the connections, unless the storage was opened by a ``PostgreSQLDatabase``.
    package func close() throws {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        guard !wasClosed else { return }
        // Only what would be recognized again.
        if !isRemoved, memory.isOfOpenedStore { recent.remember(personName, .init(number: person, memory: memory)) }
        ownDatabase?.close()
    }

    func checkOpen() throws {
        guard !isClosed.withLock({ $0 }) else {
            throw StorageError(.closed, "The storage is closed.")
        }
    }
}

/// Stores in PostgreSQL databases.
public enum PostgreSQLStores {
    /// Lets this process open stores at addresses that begin with `postgresql://` or `postgres://`, wherever it takes
    /// the location of a store: in `HKHealthStore.Configuration` and in `$HEALTHKIT_STORE`. Call it once, at the start.
    public static func register() {
        for scheme in ["postgresql", "postgres"] {
            StorageProviders.shared.register(scheme: scheme) { try PostgreSQLStorage(url: $0, creating: $1) }
        }
    }
}
