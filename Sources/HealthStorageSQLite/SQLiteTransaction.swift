import GRDB
import HealthModel
import HealthStorage
import Synchronization

/// Writes to the file. The counterpart of `SQLiteSnapshot`.
final class SQLiteTransaction: SQLiteSnapshot, StorageTransaction {
    let connection: Database
    let memory: SQLiteMemory
    let statements: WriterStatements
    /// Whether dictionary entries were added, whose numbers are uncertain before the commit.
    var hasNewEntries = false
    /// The types whose longest page became longer, which is uncertain before the commit.
    var raisedSpans: Set<TypeCode> = []

    /// The connection's `data_version`. No other connection can commit during this transaction.
    let dataVersion: Int64
    /// The number of earlier transactions of this storage.
    private let ownCommits: Int64
    /// The location of the page found or written last, unless it was removed.
    var lastFound: PageLocation?

    /// - Parameter database: A connection in a write transaction.
    init(_ database: Database, _ statements: WriterStatements, memory: SQLiteMemory) throws {
        connection = database
        self.memory = memory
        self.statements = statements
        dataVersion = try statements.run(.dataVersion, in: database) { try $0.step() ? $0.integer(0) : 0 }
        ownCommits = memory.commits
        super.init(database)
    }

    var baseState: StorageState? {
        StorageState(ownCommits: ownCommits, foreignCommits: dataVersion)
    }

    override func didFind(_ location: PageLocation) {
        lastFound = location
    }

    // MARK: Sequence numbers

    /// The current position; `nil` until it is needed.
    private(set) var position: SQLitePosition?
    /// The maximum sequence number of the rows written.
    private var maximumPut = Int64.min
    private var hasRemoved = false

    override func lastSequence() throws -> Int64 {
        try currentPosition().last
    }

    func allocateSequences(_ count: Int) throws -> Int64 {
        precondition(count >= 0, "a run of sequence numbers cannot be negative")
        let last = try currentPosition().last
        position?.last = last &+ Int64(count)
        return last &+ 1
    }

    /// Records the sequence number of a row that is written.
    func recordSequence(_ sequence: Int64) {
        maximumPut = max(maximumPut, sequence)
    }

    /// Prepares for the removal of rows, which may be the only ones that contain the last number.
    func willRemove() throws {
        _ = try currentPosition()
        hasRemoved = true
    }

    /// Ends the transaction by writing the counter if it does not follow from the rows.
    func finish() throws {
        guard let position else { return }
        let followsFromRows = !hasRemoved && (position.last == position.counter || maximumPut >= position.last)
        if !followsFromRows || SQLitePosition.bound(position.last) != SQLitePosition.bound(position.counter) {
            try database.execute("UPDATE store SET last_sequence = ?", [position.last])
            self.position?.counter = position.last
        }
    }

    private func currentPosition() throws -> SQLitePosition {
        if let position { return position }
        let found = try memory.position(version: dataVersion) ?? storedPosition()
        position = found
        return found
    }

    // MARK: Identity

    func adopt(_ identity: StoreIdentity) throws {
        try database.execute("UPDATE store SET uuid = ?, seed = ?", [identity.uuid, Int64(bitPattern: identity.seed)])
    }

    // MARK: Settings

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        guard let value else {
            try database.execute("DELETE FROM setting WHERE namespace = ? AND key = ?", [namespace, key])
            return
        }
        try database.run("INSERT OR REPLACE INTO setting (namespace, key, value) VALUES (?, ?, ?)", [namespace, key]) {
            statement in
            try value.withUnsafeBytes { bytes in
                try statement.bind(bytes: bytes, at: 3)
                try statement.execute()
            }
        }
    }
}

extension SQLiteTransaction {
    func intern(_ entry: DictionaryEntry) throws -> UInt32 {
        if let known = memory[entry] { return known }
        let values = try entry.values { try intern($0) }
        let (table, key) = (entry.table.rawValue, entry.table.key)
        // The identifier of a type alone distinguishes it.
        let columns = entry.table == .type ? Array(entry.table.columns.prefix(1)) : entry.table.columns
        let conditions = columns.map { "\($0) IS ?" }.joined(separator: " AND ")
        let sought = Array(values.prefix(columns.count))
        let found = try database.first("SELECT \(key) FROM \(table) WHERE \(conditions)", sought) {
            try $0.number(0, as: UInt32.self)
        }
        let number = try found ?? insert(values, into: entry.table)
        if !hasNewEntries { memory[entry] = number }
        return number
    }

    private func insert(_ values: [DictionaryValue], into table: DictionaryTable) throws -> UInt32 {
        hasNewEntries = true
        let next = "(SELECT coalesce(max(\(table.key)) + 1, \(table.firstNumber)) FROM \(table.rawValue))"
        let columns = ([table.key] + table.columns).joined(separator: ", ")
        let marks = ([next] + values.map { _ in "?" }).joined(separator: ", ")
        try database.execute("INSERT INTO \(table.rawValue) (\(columns)) VALUES (\(marks))", values)
        guard let number = UInt32(exactly: connection.lastInsertedRowID) else {
            throw StorageError(.damaged, "A dictionary table has run out of numbers.")
        }
        return number
    }
}

/// Caches committed facts about the file, the numbers of dictionary entries and the lengths of pages, so that a small
/// save does not query them.
///
/// No process removes entries or decreases lengths, so facts that were read from committed rows remain true. A
/// transaction that has written entries or lengths itself, and may be rolled back, does not add to the cache.
final class SQLiteMemory: Sendable {
    private struct Known {
        var entries: [DictionaryEntry: UInt32] = [:]
        var longest: [TypeCode: Double] = [:]
        var position: (value: SQLitePosition, version: Int64)?
        var schemaVersion: Int64?
        var commits: Int64 = 0
    }

    /// The maximum number of cached entries of each kind.
    private static let maximumCount = 4_096

    private let known = Mutex(Known())

    /// The number of a revision, device or unit. Sources and types are rarely asked for.
    subscript(entry: DictionaryEntry) -> UInt32? {
        get { known.withLock { $0.entries[entry] } }
        set {
            switch entry {
            case .source, .type: break
            case .revision, .device, .unit: known.withLock { Self.set(newValue, for: entry, in: &$0.entries) }
            }
        }
    }

    /// An upper bound of the length of the type's pages.
    subscript(longestOf type: TypeCode) -> Double? {
        get { known.withLock { $0.longest[type] } }
        set { known.withLock { Self.set(newValue, for: type, in: &$0.longest) } }
    }

    /// The position after this connection's last commit, unless another connection has committed since, which
    /// changes the data version.
    func position(version: Int64) -> SQLitePosition? {
        known.withLock { $0.position?.version == version ? $0.position?.value : nil }
    }

    /// The number of committed transactions.
    var commits: Int64 { known.withLock { $0.commits } }

    /// Records the result of a committed transaction.
    func update(from transaction: SQLiteTransaction) {
        let version = transaction.dataVersion
        known.withLock { known in
            known.commits += 1
            if let position = transaction.position { known.position = (position, version) }
        }
    }

    /// Whether the file's schema has been checked and no other connection has committed since.
    func isSchemaKnown(at version: Int64) -> Bool {
        known.withLock { $0.schemaVersion == version }
    }

    func setSchemaKnown(at version: Int64) {
        known.withLock { $0.schemaVersion = version }
    }

    private static func set<Key, Value>(_ value: Value?, for key: Key, in table: inout [Key: Value]) {
        if table.count >= maximumCount { table.removeAll(keepingCapacity: true) }
        table[key] = value
    }
}
