import Dispatch
import Foundation
import HealthModel
import HealthStorage

/// Writes to a person's store. The counterpart of `PostgreSQLSnapshot`.
///
/// Writes are collected and sent with the next read, or with the end of the transaction, so that a small save takes few
/// round trips. The lock on the store's row keeps all other writers out in the meantime.
final class PostgreSQLTransaction: PostgreSQLSnapshot, StorageTransaction {
    private(set) var baseState: StorageState?

    /// The statements to send.
    private var queue: [PostgreSQLCall] = []
    private var queuedBytes = 0
    /// The statements executed, for executing them again if the connection is lost; `nil` if there are too many.
    private var journal: [PostgreSQLCall]? = []
    private var journalBytes = 0
    /// Whether the journal has to be executed first.
    private var isBehind = false
    private var hasWritten = false
    var pendingPages = PendingPages()
    var pendingRows = PendingRows()
    override var keepsPages: Bool { false }

    /// Whether nothing has been asked of the server: the transaction assumes that the store's row is the one that the
    /// last own transaction wrote, and that the UUIDs it is going to enter are new. Both are checked with the commit,
    /// which then is the only round trip, or with the first read. If either is wrong, the transaction is run again.
    private(set) var isAssumed = false
    /// The UUIDs that are going to be entered, in a transaction that assumes something.
    private var assumedUUIDs: [UUID] = []
    /// Those that are assumed to be new.
    var assumedAbsent: Set<UUID> = []

    private var last: Int64 = 0
    /// The catalog with this transaction's changes; `nil` until it is needed.
    private var ownCatalog: PostgreSQLCatalog?
    private var hasChangedCatalog = false
    private var changedSettings: [PostgreSQLMemory.SettingKey: [UInt8]?] = [:]

    /// The objects that this transaction wrote with numbers that it allocated, which can't have been written before.
    var newObjects: Set<Int64> = []
    var newTombstones: Set<Int64> = []
    var newOwners: Set<Int64> = []
    /// The UUIDs entered, if the store is new.
    var newIdentities: Set<UUID> = []
    /// UUIDs that turned out not to be stored, or were removed.
    var absentIdentities: Set<UUID> = []

    private static let maximumQueue = 4 << 20
    private static let maximumJournal = 4 << 20

    /// Begins a transaction, after waiting for a free connection and for other writers.
    init(pool: PostgreSQLPool, memory: PostgreSQLMemory, person: Int64, prefetching uuids: [UUID]) throws {
        try super.init(
            pool: pool, memory: memory, person: person, beginning: PostgreSQLStoreRow.beginWriting(person),
            prefetching: uuids)
        last = row.lastSequence
        baseState = memory.baseState(row, epoch: epoch)
        recordReading()
    }

    /// Creates a transaction that relies on what is known of the store.
    init(
        pool: PostgreSQLPool, memory: PostgreSQLMemory, person: Int64, assuming row: PostgreSQLStoreRow, epoch: Int,
        prefetching uuids: [UUID]
    ) throws {
        super.init(pool: pool, memory: memory, person: person, row, over: try pool.lease(), epoch: epoch)
        isAssumed = true
        assumedUUIDs = uuids
        assumedAbsent = Set(uuids)
        last = row.lastSequence
        baseState = memory.baseState(row, epoch: epoch)
        recordReading()
    }

    /// Begins the transaction on the server, if it hasn't.
    private func settle() throws {
        guard isAssumed else { return }
        try settle(PostgreSQLStoreRow.beginWriting(person), prefetching: assumedUUIDs)
        // One that was entered already turns out to be stored.
        guard !assumedUUIDs.contains(where: { !assumedAbsent.contains($0) && isPrefetched($0) }) else {
            throw PostgreSQLStaleRow()
        }
        // The server doesn't know yet what is going to be sent.
        for uuid in pendingRows.identities.keys { forgetPrefetched(uuid) }
        isAssumed = false
        assumedAbsent = []
    }

    // MARK: Statements

    /// Collects a statement that returns nothing.
    func write(_ sql: String, _ arguments: [any PostgreSQLArgument]) throws {
        hasWritten = true
        let call = PostgreSQLCall(sql, arguments)
        queue.append(call)
        queuedBytes += call.byteCount
        if queuedBytes >= Self.maximumQueue { try flush() }
    }

    /// Collects new rows.
    func write(_ add: (inout PendingRows) -> Void) throws {
        hasWritten = true
        add(&pendingRows)
        if pendingRows.length >= Self.maximumQueue { try flush() }
    }

    func recordWriting() {
        hasWritten = true
    }

    /// Sends what has been collected.
    func flush() throws {
        _ = try perform([])
    }

    override func perform(_ calls: [PostgreSQLCall]) throws -> [PostgreSQLRows] {
        try settle()
        let (writes, copy) = takeWrites()
        while true {
            do {
                let rows = try lease.run { connection -> [PostgreSQLRows] in
                    let first = (isBehind ? journal ?? [] : []) + writes
                    guard let copy else { return try connection.execute(first + calls) }
                    if !first.isEmpty { _ = try connection.execute(first) }
                    try connection.copy(PageCopyData.statement, copy.data)
                    return calls.isEmpty ? [] : try connection.execute(calls)
                }
                isBehind = false
                record(writes, copy)
                return Array(rows.suffix(calls.count))
            } catch let failure as PostgreSQLFailure {
                guard failure.isConnectionLost else { throw StorageError(failure) }
                guard journal != nil else { throw Self.nothingSaved(failure) }
                try resume(after: failure, PostgreSQLStoreRow.beginWriting(person))
                isBehind = true
            }
        }
    }

    private func takeWrites() -> (calls: [PostgreSQLCall], copy: PageCopyData?) {
        let pages = takePages()
        defer {
            queue = []
            queuedBytes = 0
            pendingRows = PendingRows()
        }
        return (queue + pendingRows.calls(person, in: pool.address.schema) + pages.calls, pages.copy)
    }

    private func record(_ writes: [PostgreSQLCall], _ copy: PageCopyData?) {
        journalBytes += writes.reduce(0) { $0 + $1.byteCount }
        if copy != nil || journalBytes > Self.maximumJournal { journal = nil }
        journal?.append(contentsOf: writes)
    }

    // MARK: The end

    /// Commits, and notifies others. When this method returns, the changes are durable. Throws `StorageError`
    /// `.unknownOutcome` if the server can't be asked whether they are, and otherwise only if nothing was changed.
    func commit() throws {
        guard hasWritten else {
            end()
            return memory.update(from: row, to: nil, catalog: nil, settings: [:], epoch: epoch)
        }
        var after = row
        after.commits += 1
        after.lastSequence = last
        if hasChangedCatalog { after.catalog = after.commits }
        if !changedSettings.isEmpty { after.settings = after.commits }
        if let adopted { after.identity = adopted }
        let mark = UInt64.random(in: 1 ... .max)
        after.recordMark(mark)
        // Pages that are copied go first; the rest is sent with the commit.
        if !pendingPages.pages.isEmpty, pendingPages.pages.count >= Self.copiedCount { try flush() }
        memory.announce(mark)
        do {
            try commit(after, mark: mark)
        } catch {
            _ = memory.takeAnnouncement(mark)
            throw error
        }
        memory.update(
            from: row, to: after, catalog: hasChangedCatalog ? ownCatalog : nil, settings: changedSettings, epoch: epoch
        )
    }

    /// Sends what has been collected with the commit. Others are notified afterwards, outside of the transaction, and
    /// only if there are listeners: along with the commit if there were at the last one.
    private func commit(_ after: PostgreSQLStoreRow, mark: UInt64) throws {
        let notification = PostgreSQLListener.notification(schema: pool.address.schema, person: person, mark: mark)
        let wasListenedTo = memory.isListenedTo
        var final = takeEnd(after)
        var attempts = 0
        while true {
            do {
                let rows = try lease.run { connection in
                    guard !isAssumed || connection.epoch == epoch else { throw PostgreSQLStaleRow() }
                    return try connection.execute(final, followedBy: wasListenedTo ? notification : nil)
                }
                let isListenedTo = try PostgreSQLCommit.isListenedTo(rows)
                if isListenedTo != wasListenedTo { memory.isListenedTo = isListenedTo }
                if !isListenedTo { _ = memory.takeAnnouncement(mark) }
                if isListenedTo, !wasListenedTo { lease.runIfConnected { try $0.executeLater(notification) } }
                break
            } catch let failure as PostgreSQLFailure {
                guard failure.isConnectionLost else {
                    if isAssumed, failure.isWrongAssumption { throw PostgreSQLStaleRow() }
                    throw StorageError(failure)
                }
                attempts += 1
                if try hasCommitted(after.commits, mark: mark, failure, mayRepeat: attempts < 4) {
                    lease.runIfConnected { try $0.executeLater(notification) }
                    break
                }
                if let journal, !isBehind { final = journal + final }
                isBehind = true
            }
        }
    }

    /// Takes what has been collected, with the statements that end the transaction `after`.
    private func takeEnd(_ after: PostgreSQLStoreRow) -> [PostgreSQLCall] {
        let commit = PostgreSQLCommit(person: person, schema: pool.address.schema, after: after)
        guard isAssumed else { return (isBehind ? journal ?? [] : []) + takeWrites().calls + commit.calls }
        if queue.isEmpty, pendingRows.isPlain, !pendingPages.pages.isEmpty {
            defer { (pendingPages, pendingRows) = (PendingPages(), PendingRows()) }
            return commit.calls(from: row, pages: pendingPages, rows: pendingRows)
        }
        return commit.calls(from: row, writes: takeWrites().calls)
    }

    /// Finds out, over another connection, whether the transaction was committed when the connection was lost. If it
    /// was not, and nothing else has happened since, a transaction has begun in which it can be repeated.
    private func hasCommitted(
        _ number: Int64, mark: UInt64, _ failure: PostgreSQLFailure, mayRepeat: Bool
    ) throws -> Bool {
        let deadline = DispatchTime.now() + pool.options.reconnectTimeout
        var asked: PostgreSQLStoreRow?
        while asked == nil {
            do {
                // Locks the row, and so waits until the server has ended the previous transaction.
                asked = try Self.begin(lease, PostgreSQLStoreRow.beginWriting(person)).row
            } catch {
                guard DispatchTime.now() < deadline else { throw Self.unknownOutcome }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        guard let found = asked else { throw Self.unknownOutcome }
        switch found.hasCommitted(number, mark: mark) {
        case true?:
            end()
            return true
        case nil:
            end()
            throw Self.unknownOutcome
        case false? where isAssumed:
            throw PostgreSQLStaleRow()
        case false?:
            guard found == row, journal != nil, mayRepeat else {
                end()
                throw Self.nothingSaved(failure)
            }
            return false
        }
    }

    private static func nothingSaved(_ failure: PostgreSQLFailure) -> StorageError {
        var error = StorageError(failure)
        error.description += " Nothing of the transaction was saved."
        return error
    }

    static var unknownOutcome: StorageError {
        StorageError(
            .unknownOutcome,
            "The connection to the server was lost during a commit, and the server cannot be asked whether it was completed."
        )
    }

    // MARK: Identity

    /// The identity of another store, if this one adopts it.
    private var adopted: StoreIdentity?

    override func identity() throws -> StoreIdentity {
        try adopted ?? super.identity()
    }

    func adopt(_ identity: StoreIdentity) throws {
        adopted = identity
        try write(
            "UPDATE store SET uuid = $2, seed = $3 WHERE person = $1",
            [person, identity.uuid, Int64(bitPattern: identity.seed)])
    }

    // MARK: Sequence numbers

    override func lastSequence() throws -> Int64 {
        last
    }

    func allocateSequences(_ count: Int) throws -> Int64 {
        precondition(count >= 0, "a run of sequence numbers cannot be negative")
        let first = last &+ 1
        last = last &+ Int64(count)
        if count > 0 { hasWritten = true }
        return first
    }

    /// Whether a number was allocated by this transaction, so that no row of an earlier one has it.
    func isAllocatedHere(_ sequence: Int64) -> Bool {
        row.lastSequence < sequence && sequence <= last
    }

    // MARK: Identities

    override func locate(_ uuid: UUID) throws -> StoredIdentity? {
        let found = try super.locate(uuid)
        if found == nil { recordAbsence(of: uuid) }
        return found
    }

    /// Records that a UUID is not stored.
    func recordAbsence(of uuid: UUID) {
        if absentIdentities.count >= 65_536 { absentIdentities = [] }
        absentIdentities.insert(uuid)
    }

    // MARK: Settings

    override func value(namespace: String, key: String) throws -> [UInt8]? {
        if let changed = changedSettings[PostgreSQLMemory.SettingKey(namespace: namespace, key: key)] { return changed }
        return try super.value(namespace: namespace, key: key)
    }

    override func values(namespace: String) throws -> [String: [UInt8]] {
        let hasChanged = changedSettings.keys.contains { $0.namespace == namespace }
        return try hasChanged ? storedValues(namespace: namespace) : super.values(namespace: namespace)
    }

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        let name = PostgreSQLMemory.SettingKey(namespace: namespace, key: key)
        changedSettings[name] = .some(value)
        try write { $0.set(value, for: name) }
        guard value == nil else { return }
        try write(
            "DELETE FROM setting WHERE person = $1 AND namespace = $2 AND key = $3", [person, namespace, key])
    }

    // MARK: Dictionaries

    override func catalog() throws -> PostgreSQLCatalog {
        if let ownCatalog { return ownCatalog }
        let catalog = try super.catalog()
        ownCatalog = catalog
        return catalog
    }

    /// Changes the catalog, without a copy of it, and returns what `body` does.
    private func change<Value>(_ body: (inout PostgreSQLCatalog) -> Value) throws -> Value {
        var catalog = try catalog()
        ownCatalog = nil
        defer { ownCatalog = catalog }
        return body(&catalog)
    }

    /// Raises the maximum page length of a type.
    func raiseSpan(_ span: Double, of type: TypeCode) throws {
        guard let longest = try change({ $0.raiseSpan(span, of: type) }) else { return }
        hasChangedCatalog = true
        try write { $0.spans[type] = longest }
    }

    func intern(_ entry: DictionaryEntry) throws -> UInt32 {
        if let known = try catalog().number(of: entry) { return known }
        let values = try entry.values { try intern($0) }
        let number = try change { $0.add(entry) }
        hasChangedCatalog = true
        try write { $0.add(number, values, to: entry.table) }
        return number
    }
}
