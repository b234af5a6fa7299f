import GRDB
import HealthModel
import HealthStorage
import Synchronization

/// Writes to the file. The counterpart of `SQLiteSnapshot`.
final class SQLiteTransaction: SQLiteSnapshot, StorageTransaction {
    override var isTransaction: Bool { true }
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
            try database.run("UPDATE store SET last_sequence = ?") { statement in
                try statement.bind(position.last, at: 1)
                try statement.execute()
            }
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
        try database.run("UPDATE store SET uuid = ?, seed = ?") { statement in
            try statement.bind(identity.uuid, at: 1)
            try statement.bind(Int64(bitPattern: identity.seed), at: 2)
            try statement.execute()
        }
    }

    // MARK: Settings

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        guard let value else {
            try database.run("DELETE FROM setting WHERE namespace = ? AND key = ?") { statement in
                try statement.bind(namespace, at: 1)
                try statement.bind(key, at: 2)
                try statement.execute()
            }
            return
        }
        try database.run("INSERT OR REPLACE INTO setting (namespace, key, value) VALUES (?, ?, ?)") { statement in
            try statement.bind(namespace, at: 1)
            try statement.bind(key, at: 2)
            try value.withUnsafeBytes { bytes in
                try statement.bind(bytes: bytes, at: 3)
                try statement.execute()
            }
        }
    }
}

extension SQLiteTransaction {
    func intern(_ source: SourceRecord) throws -> UInt32 {
        try intern(
            find: "SELECT id FROM source WHERE bundle = ? AND name = ?",
            insert: "INSERT INTO source (bundle, name) VALUES (?, ?)"
        ) { statement in
            try statement.bind(source.bundleIdentifier, at: 1)
            try statement.bind(source.name, at: 2)
        }
    }

    func intern(_ revision: SourceRevisionRecord) throws -> UInt32 {
        if let known = memory[revision] { return known }
        let source = try intern(revision.source)
        let number = try intern(
            find: """
                SELECT id FROM revision WHERE source = ? AND version IS ? AND product IS ?
                    AND os_major = ? AND os_minor = ? AND os_patch = ?
                """,
            insert: """
                INSERT INTO revision (source, version, product, os_major, os_minor, os_patch)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ) { statement in
            try statement.bind(Int64(source), at: 1)
            try statement.bind(revision.version, at: 2)
            try statement.bind(revision.productType, at: 3)
            try statement.bind(Int64(revision.operatingSystemVersion.major), at: 4)
            try statement.bind(Int64(revision.operatingSystemVersion.minor), at: 5)
            try statement.bind(Int64(revision.operatingSystemVersion.patch), at: 6)
        }
        if !hasNewEntries { memory[revision] = number }
        return number
    }

    func intern(_ device: DeviceRecord) throws -> UInt32 {
        if let known = memory[device] { return known }
        let number = try intern(
            find: """
                SELECT id FROM device WHERE name IS ? AND manufacturer IS ? AND model IS ?
                    AND hardware IS ? AND firmware IS ? AND software IS ? AND local_identifier IS ?
                    AND udi IS ?
                """,
            insert: """
                INSERT INTO device
                    (name, manufacturer, model, hardware, firmware, software, local_identifier, udi)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """
        ) { statement in
            try statement.bind(device.name, at: 1)
            try statement.bind(device.manufacturer, at: 2)
            try statement.bind(device.model, at: 3)
            try statement.bind(device.hardwareVersion, at: 4)
            try statement.bind(device.firmwareVersion, at: 5)
            try statement.bind(device.softwareVersion, at: 6)
            try statement.bind(device.localIdentifier, at: 7)
            try statement.bind(device.udiDeviceIdentifier, at: 8)
        }
        if !hasNewEntries { memory[device] = number }
        return number
    }

    func intern(unit: String) throws -> UInt32 {
        guard !unit.isEmpty else { return 0 }
        if let known = memory[unit: unit] { return known }
        let number = try intern(
            find: "SELECT id FROM unit WHERE text = ?", insert: "INSERT INTO unit (text) VALUES (?)"
        ) { statement in
            try statement.bind(unit, at: 1)
        }
        if !hasNewEntries { memory[unit: unit] = number }
        return number
    }

    func intern(typeIdentifier: String, kind: TypeKind) throws -> TypeCode {
        if let known = TypeCatalog.description(for: typeIdentifier) { return known.code }
        let code = try intern(
            find: "SELECT code FROM type WHERE identifier = ?1",
            insert: """
                INSERT INTO type (code, identifier, kind)
                VALUES ((SELECT coalesce(max(code) + 1, ?3) FROM type), ?1, ?2)
                """
        ) { statement in
            try statement.bind(typeIdentifier, at: 1)
            guard statement.argumentCount > 1 else { return }
            try statement.bind(Int64(kind.rawValue), at: 2)
            try statement.bind(Int64(TypeCode.firstUnknown.rawValue), at: 3)
        }
        return TypeCode(rawValue: code)
    }

    /// The number of the row returned by `find`, or of the one inserted by `insert` with the same arguments.
    private func intern(
        find: String, insert: String, arguments: (PreparedStatement) throws -> Void
    ) throws -> UInt32 {
        let known = try database.run(find) { statement -> UInt32? in
            try arguments(statement)
            return try statement.step() ? try statement.number(0) : nil
        }
        if let known { return known }
        hasNewEntries = true
        try database.run(insert) { statement in
            try arguments(statement)
            try statement.execute()
        }
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
        var revisions: [SourceRevisionRecord: UInt32] = [:]
        var lastRevision: (record: SourceRevisionRecord, number: UInt32)?
        var devices: [DeviceRecord: UInt32] = [:]
        var units: [String: UInt32] = [:]
        var lastUnit: (text: String, number: UInt32)?
        var longest: [TypeCode: Double] = [:]
        var position: (value: SQLitePosition, version: Int64)?
        var schemaVersion: Int64?
        var commits: Int64 = 0
    }

    /// The maximum number of cached entries of each kind.
    private static let maximumCount = 4_096

    private let known = Mutex(Known())

    subscript(revision: SourceRevisionRecord) -> UInt32? {
        get {
            known.withLock { known in
                // An application saves as itself: comparing is faster than hashing.
                if let last = known.lastRevision, last.record == revision { return last.number }
                guard let number = known.revisions[revision] else { return nil }
                known.lastRevision = (revision, number)
                return number
            }
        }
        set { known.withLock { Self.set(newValue, for: revision, in: &$0.revisions) } }
    }

    subscript(device: DeviceRecord) -> UInt32? {
        get { known.withLock { $0.devices[device] } }
        set { known.withLock { Self.set(newValue, for: device, in: &$0.devices) } }
    }

    subscript(unit unit: String) -> UInt32? {
        get {
            known.withLock { known in
                if let last = known.lastUnit, last.text == unit { return last.number }
                guard let number = known.units[unit] else { return nil }
                known.lastUnit = (unit, number)
                return number
            }
        }
        set { known.withLock { Self.set(newValue, for: unit, in: &$0.units) } }
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
