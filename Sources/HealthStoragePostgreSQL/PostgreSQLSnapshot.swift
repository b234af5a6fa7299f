import Foundation
import HealthModel
import HealthStorage

/// The store's row is not the one that a transaction assumed. The transaction has to be run again.
struct PostgreSQLStaleRow: Error {}

/// Reads a snapshot of a person's store. The counterpart of `PostgreSQLTransaction`.
///
/// A reader whose connection is lost continues with another one if nothing has been committed since: the store's row
/// then has the same counters and marks, and so the same contents.
class PostgreSQLSnapshot: StorageSnapshot {
    final let pool: PostgreSQLPool
    final let memory: PostgreSQLMemory
    final let person: Int64
    final private(set) var lease: PostgreSQLLease
    /// Whether the lease is one of the replica.
    private var isOfReplica = false
    /// The store's row as it was when the transaction began.
    final private(set) var row: PostgreSQLStoreRow
    /// The epoch of the connection with which the row was read.
    final private(set) var epoch: Int
    /// Whether anything of the snapshot is known outside.
    private var hasBeenRead = false
    private var resumptions = 0
    /// Identities read ahead, and what is known not to be stored.
    final private var prefetched: [UUID: StoredIdentity?] = [:]
    final var linkWindow = LinkWindow()
    /// The pages of a small window that was visited, for one who visits it again with their bodies.
    final var visitedPages: PageBatches?
    /// The pages that a writing transaction has read ahead, by type.
    final var knownPages: [TypeCode: KnownPages] = [:]
    /// The pages that the server has added up already.
    final var addedUpPages: AggregatedPages?
    /// Whether the transaction is that of several people, which can't be begun again for one.
    private var isShared = false
    /// Whether pages can be kept: a transaction changes them.
    var keepsPages: Bool { true }

    /// Begins a transaction on a connection of the pool, after waiting for a free one.
    ///
    /// - Parameter uuids: What is going to be located.
    init(
        pool: PostgreSQLPool, memory: PostgreSQLMemory, person: Int64, beginning calls: [PostgreSQLCall],
        prefetching uuids: [UUID] = []
    ) throws {
        self.pool = pool
        self.memory = memory
        self.person = person
        lease = try pool.lease()
        let lookup = PostgreSQLIdentities.lookup(uuids, of: person, in: pool.address.schema)
        let begun = try Self.begin(lease, calls + lookup)
        (row, epoch) = (begun.row, begun.epoch)
        guard memory.recognizes(row) else {
            Self.rollBack(lease)
            throw PostgreSQLStoreRow.removed
        }
        try keep(begun.rows.dropFirst(calls.count), uuids)
    }

    /// Begins a transaction on a replica. Throws ``PostgreSQLStaleRow`` if it lacks a commit of the primary's row.
    ///
    /// - Parameter epoch: The epoch of the connection to the primary with which the row was read.
    init(
        replica: PostgreSQLPool, of pool: PostgreSQLPool, memory: PostgreSQLMemory, person: Int64,
        following row: PostgreSQLStoreRow, epoch: Int
    ) throws {
        self.pool = pool
        self.memory = memory
        self.person = person
        self.epoch = epoch
        lease = try replica.lease()
        let begun = try Self.begin(lease, PostgreSQLStoreRow.beginReading(person))
        self.row = begun.row
        isOfReplica = true
        guard begun.row.includes(row) else {
            Self.rollBack(lease)
            throw PostgreSQLStaleRow()
        }
    }

    /// Creates a snapshot with a row, and asks the server for nothing until it has to; see ``settle(_:prefetching:)``.
    ///
    /// - Parameter isShared: Whether it is of one of the people of a transaction.
    init(
        pool: PostgreSQLPool, memory: PostgreSQLMemory, person: Int64, _ row: PostgreSQLStoreRow,
        over lease: PostgreSQLLease, epoch: Int, isShared: Bool = false
    ) {
        self.pool = pool
        self.memory = memory
        self.person = person
        self.row = row
        self.lease = lease
        self.epoch = epoch
        self.isShared = isShared
    }

    /// Begins a transaction after all. Throws ``PostgreSQLStaleRow`` if the assumed row has changed.
    final func settle(_ calls: [PostgreSQLCall], prefetching uuids: [UUID]) throws {
        let lookup = PostgreSQLIdentities.lookup(uuids, of: person, in: pool.address.schema)
        let begun = try Self.begin(lease, calls + lookup)
        guard begun.row == row, begun.epoch == epoch else { throw PostgreSQLStaleRow() }
        try keep(begun.rows.dropFirst(calls.count), uuids)
    }

    /// Begins a transaction. Nothing is lost if the first connection turns out to be closed by the server.
    static func begin(
        _ lease: PostgreSQLLease, _ calls: [PostgreSQLCall]
    ) throws -> (row: PostgreSQLStoreRow, epoch: Int, rows: [PostgreSQLRows]) {
        var attempts = 0
        while true {
            do {
                let (rows, epoch) = try lease.run { (try $0.execute(calls), $0.epoch) }
                guard rows.count > PostgreSQLStoreRow.place else { throw PostgreSQLFailure.connectionLost }
                return (try PostgreSQLStoreRow(rows[PostgreSQLStoreRow.place]), epoch, rows)
            } catch let failure as PostgreSQLFailure {
                attempts += 1
                rollBack(lease)
                guard failure.isTransient, attempts < 4 else { throw StorageError(failure) }
            } catch {
                rollBack(lease)
                throw error
            }
        }
    }

    /// Ends a transaction whose connection is still there.
    static func rollBack(_ lease: PostgreSQLLease) {
        lease.runIfConnected { try $0.executeLater(PostgreSQLCall("ROLLBACK")) }
    }

    /// Ends the transaction. The answer isn't waited for.
    final func end() {
        Self.rollBack(lease)
    }

    // MARK: Statements

    /// Executes a statement and returns its rows.
    ///
    /// - Parameter isPrepared: Whether the statement is planned once, and not for its arguments.
    final func rows(
        _ sql: String, _ arguments: [any PostgreSQLArgument], isPrepared: Bool = true
    ) throws -> PostgreSQLRows {
        guard let rows = try perform([PostgreSQLCall(sql, arguments, isPrepared: isPrepared)]).last else {
            throw Self.noAnswer
        }
        return rows
    }

    /// Executes statements in one round trip and returns the rows of each.
    func perform(_ calls: [PostgreSQLCall]) throws -> [PostgreSQLRows] {
        while true {
            do {
                let rows = try lease.run { connection in
                    guard !isShared || connection.epoch == epoch else {
                        throw StorageError(.unreachable, "The transaction was lost with its connection.")
                    }
                    return try connection.execute(calls)
                }
                hasBeenRead = true
                return rows
            } catch let failure as PostgreSQLFailure {
                // A replica cancels readers of rows that the primary has vacuumed.
                guard !isShared, failure.isConnectionLost || isOfReplica && failure.isTransient else {
                    throw StorageError(failure)
                }
                try resume(after: failure, PostgreSQLStoreRow.beginReading(person))
            }
        }
    }

    /// Begins the transaction again after the connection was lost, if it then sees the same contents.
    final func resume(after failure: PostgreSQLFailure, _ calls: [PostgreSQLCall]) throws {
        resumptions += 1
        guard resumptions < 4 else { throw StorageError(failure) }
        if isOfReplica {
            end()
            lease = try pool.lease()
            isOfReplica = false
        }
        let (found, epoch, _) = try Self.begin(lease, calls)
        guard found == row || !hasBeenRead else {
            Self.rollBack(lease)
            throw StorageError(
                .unreachable,
                "The connection to the server was lost, and the store has changed since. Nothing was changed here.")
        }
        row = found
        self.epoch = epoch
    }

    final func recordReading() {
        hasBeenRead = true
    }

    static var noAnswer: StorageError {
        StorageError(.inputOutput, "PostgreSQL: a statement was not answered.")
    }

    // MARK: The store

    func identity() throws -> StoreIdentity {
        hasBeenRead = true
        return row.identity
    }

    func lastSequence() throws -> Int64 {
        hasBeenRead = true
        return row.lastSequence
    }

    /// The dictionaries and lengths of pages.
    func catalog() throws -> PostgreSQLCatalog {
        hasBeenRead = true
        if let known = memory.catalog(row, epoch: epoch) { return known }
        let catalog = try storedCatalog()
        memory.keep(catalog, epoch: epoch)
        return catalog
    }

    final func storedCatalog() throws -> PostgreSQLCatalog {
        let rows = try perform(PostgreSQLCatalog.selection(person))
        return try PostgreSQLCatalog(version: row.catalog, rows)
    }

    final func dictionaries() throws -> StoreDictionaries {
        try catalog().dictionaries
    }

    // MARK: Identities

    func locate(_ uuid: UUID) throws -> StoredIdentity? {
        if let known = prefetched[uuid] { return known }
        let answers = try perform(PostgreSQLIdentities.lookup([uuid], of: person, in: pool.address.schema))
        guard let rows = answers.last else { throw Self.noAnswer }
        for row in rows {
            let (other, identity) = try PostgreSQLIdentities.identity(row)
            if other == uuid { return identity }
        }
        return nil
    }

    final func prefetchIdentities(of uuids: [UUID]) throws {
        let unknown = uuids.filter { prefetched[$0] == nil }
        guard !unknown.isEmpty else { return }
        let calls = PostgreSQLIdentities.lookup(unknown, of: person, in: pool.address.schema)
        try keep(perform(calls).suffix(calls.count), unknown)
    }

    /// Whether a UUID was read ahead and found to be stored.
    final func isPrefetched(_ uuid: UUID) -> Bool {
        if case .some(.some) = prefetched[uuid] { true } else { false }
    }

    /// Forgets what was read ahead of a UUID, because it is going to change.
    final func forgetPrefetched(_ uuid: UUID) {
        prefetched[uuid] = nil
    }

    private func keep(_ answers: some Sequence<PostgreSQLRows>, _ uuids: [UUID]) throws {
        guard !uuids.isEmpty else { return }
        if prefetched.count >= Self.maximumPrefetched { prefetched = [:] }
        for uuid in uuids { prefetched[uuid] = .some(nil) }
        for rows in answers {
            for row in rows {
                let (uuid, identity) = try PostgreSQLIdentities.identity(row)
                if prefetched[uuid] != nil { prefetched[uuid] = identity }
            }
        }
    }

    private static let maximumPrefetched = 65_536

    // MARK: Settings

    func value(namespace: String, key: String) throws -> [UInt8]? {
        hasBeenRead = true
        let name = PostgreSQLMemory.SettingKey(namespace: namespace, key: key)
        if let known = memory.setting(name, row, epoch: epoch) { return known }
        let found = try rows(
            "SELECT value FROM setting WHERE person = $1 AND namespace = $2 AND key = $3", [person, namespace, key])
        let value = found.count == 0 ? nil : Array(found[0].bytes(0))
        memory.keep(value, for: name, row, epoch: epoch)
        return value
    }

    final func namespaces() throws -> Set<String> {
        let found = try rows("SELECT DISTINCT namespace FROM setting WHERE person = $1", [person])
        return Set(found.map { $0.text(0) })
    }

    func values(namespace: String) throws -> [String: [UInt8]] {
        hasBeenRead = true
        if let known = memory.values(namespace, row, epoch: epoch) { return known }
        let values = try storedValues(namespace: namespace)
        memory.keep(values, of: namespace, row, epoch: epoch)
        return values
    }

    final func storedValues(namespace: String) throws -> [String: [UInt8]] {
        let found = try rows(
            "SELECT key, value FROM setting WHERE person = $1 AND namespace = $2", [person, namespace])
        // Names that Swift takes for equal can differ in their bytes.
        return Dictionary(found.map { ($0.text(0), Array($0.bytes(1))) }) { first, _ in first }
    }
}
