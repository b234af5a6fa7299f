import Foundation
import GRDB
import GRDBSQLite
package import HealthModel
package import HealthStorage
package import HealthStorageFiles
import HealthStorageSQLite

/// Reads what can be read of a damaged store file, row by row, where a snapshot ends with an error at the first page of
/// the database that is damaged.
///
/// Rows are found through every index that names them, from both ends. What is returned isn't validated beyond the
/// types of columns. Use it on one thread.
///
/// In a file whose pages have checksums, a flipped bit is corrected. From a page with more damage, only samples and
/// objects are read, which have their own checksums.
package final class SQLiteSalvage {
    /// Reads pages that are what was written, or become so by one bit.
    private let queue: DatabaseQueue
    /// Reads pages as they are.
    private let lenientQueue: DatabaseQueue
    /// The key of an encrypted store.
    private let access: EncryptedAccess?
    /// A sentence for each table of which rows can't be read.
    package private(set) var losses: [String] = []

    /// Opens a copy of the file, with its log. The copy is changed: what is in the log moves to the file.
    ///
    /// Throws `StorageError` if the file is not a store, its key isn't given, or its first page is damaged.
    package init(copy path: String, encryption: StoreEncryption = .automatic) throws {
        let encryption = try encryption.fitting(path)
        access = try EncryptedAccess.open(path, encryption)
        var options = SQLiteOptions()
        options.encryption = access.map { .key($0.key) } ?? .none
        try? Self.restoreSchema(of: path, options, access)
        options.creates = false
        try? SQLiteStorage(path: path, options: options).close()
        queue = try Self.open(path, access?.access ?? ChecksummedFile.access(.correcting))
        lenientQueue = try Self.open(path, access?.access ?? ChecksummedFile.access(.lenient))
    }

    /// Writes pages of the database's schema that can't be read once more, from a new store: they are the same in each.
    private static func restoreSchema(of path: String, _ options: SQLiteOptions, _ access: EncryptedAccess?) throws {
        let other = path + "-schema"
        defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(other + suffix) } }
        let model = try SQLiteStorage(path: other, options: options)
        defer { try? model.close() }
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        // Nothing is read when a connection is opened.
        let files = try access?.access ?? ChecksummedFile.access()
        defer { withExtendedLifetime(files) {} }
        guard
            sqlite3_open_v2(files.uri(of: path), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, nil)
                == SQLITE_OK,
            let damaged = StoreFileSystem.file(of: connection)
        else { return }
        try model.writer.unsafeRead { database in
            guard let sound = StoreFileSystem.file(of: database.sqliteConnection) else { return }
            let size = Int(StoreFile.pageSize)
            func page(_ number: Int, of file: StoreFile) -> [UInt8]? {
                var bytes = [UInt8](repeating: 0, count: size)
                let code = bytes.withUnsafeMutableBytes {
                    file.read($0.baseAddress!, Int64(size), at: Int64((number - 1) * size))
                }
                return code == SQLITE_OK ? bytes : nil
            }
            // The first page has the numbers of the others: a node of the tree with children, and how many there are.
            guard var first = page(1, of: sound), first[100] == 5 else { return }
            func number(_ count: Int, at offset: Int) -> Int {
                first[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
            }
            let children =
                (0..<number(2, at: 103)).map { number(4, at: number(2, at: 112 + 2 * $0)) } + [number(4, at: 108)]
            if let own = page(1, of: damaged) {
                guard own[100...] == first[100...] else { return }
            } else {
                // Those that can be read tell whether the schema is the same. Which pages are free isn't known any
                // more.
                func rows(_ page: [UInt8]?) -> [UInt8]? {
                    // A leaf: the places of its rows, and the rows. What is between them is left over.
                    guard let page, page[0] == 13 else { return page }
                    let (count, start) = (Int(page[3]) << 8 | Int(page[4]), Int(page[5]) << 8 | Int(page[6]))
                    guard 8 + 2 * count <= start, start < page.count else { return page }
                    return Array(page[8..<8 + 2 * count] + Array(page[start...]))
                }
                let known = children.filter { page($0, of: damaged) != nil }
                guard !known.isEmpty, known.allSatisfy({ rows(page($0, of: damaged)) == rows(page($0, of: sound)) })
                else { return }
                withUnsafeBytes(of: UInt32(truncatingIfNeeded: damaged.storedPages()).bigEndian) {
                    first.replaceSubrange(28..<32, with: $0)
                }
                first.replaceSubrange(32..<40, with: repeatElement(0, count: 8))
                _ = first.withUnsafeBytes { damaged.write($0.baseAddress!, Int64(size), at: 0) }
            }
            for child in children where page(child, of: damaged) == nil {
                guard let bytes = page(child, of: sound) else { continue }
                _ = bytes.withUnsafeBytes { damaged.write($0.baseAddress!, Int64(size), at: Int64((child - 1) * size)) }
            }
        }
    }

    private static func open(_ path: String, _ access: StoreAccess) throws -> DatabaseQueue {
        try StorageError.translating {
            var configuration = Configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
            let queue = try DatabaseQueue(path: access.uri(of: path), configuration: configuration)
            let version = try queue.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
            withExtendedLifetime(access) {}
            guard version == SQLiteSchema.version else {
                throw StorageError(.notAStore, "The store has version \(version), which can't be repaired.")
            }
            return queue
        }
    }

    /// The store's key, or that it is not encrypted.
    package var encryption: StoreEncryption { access.map { .key($0.key) } ?? .none }

    /// The store's identity and the last sequence number that is known.
    ///
    /// Throws `StorageError` `.damaged` if the row can't be read: without its identity, it is another store.
    package func identity() throws -> (identity: StoreIdentity, lastSequence: Int64) {
        let rows = rows("SELECT uuid, seed, last_sequence FROM store")
        guard let row = rows.first, let uuid = Self.uuid(row, 0), let seed = Self.integer(row, 1) else {
            throw StorageError(.damaged, "The row with the store's identity cannot be read.")
        }
        let counters = ["page_header", "object", "tombstone"].map { table in
            let column = table == "page_header" ? "greatest_sequence" : "sequence"
            return self.rows("SELECT max(\(column)) FROM \(table)").first.flatMap { Self.integer($0, 0) } ?? 0
        }
        return (
            StoreIdentity(uuid: uuid, seed: UInt64(bitPattern: seed)),
            max(Self.integer(row, 2) ?? 0, counters.max() ?? 0)
        )
    }

    // MARK: Dictionaries

    /// The dictionaries. Entries that can't be read are replaced, because their numbers are positions: a source by one
    /// named Lost, a unit by a text that isn't one, so that no value is read in a wrong unit.
    package func dictionaries() -> StoreDictionaries {
        var dictionaries = StoreDictionaries()
        dictionaries.sources = entries("source", "bundle, name") { row, id in
            SourceRecord(
                bundleIdentifier: row.flatMap { Self.text($0, 1) } ?? "org.openhealthkit.lost.\(id)",
                name: row.flatMap { Self.text($0, 2) } ?? "Lost")
        }
        let sources = dictionaries.sources
        dictionaries.revisions = entries("revision", "source, version, product, os_major, os_minor, os_patch") {
            row, id in
            let number = row.flatMap { Self.integer($0, 1) }.map { Int($0) } ?? 0
            let source =
                sources.indices.contains(number - 1)
                ? sources[number - 1]
                : SourceRecord(bundleIdentifier: "org.openhealthkit.lost.revision.\(id)", name: "Lost")
            func part(_ column: Int) -> Int { Int(row.flatMap { Self.integer($0, column) } ?? 0) }
            return SourceRevisionRecord(
                source: source, version: row.flatMap { Self.text($0, 2) },
                productType: row.flatMap { Self.text($0, 3) },
                operatingSystemVersion: OperatingSystemVersionRecord(major: part(4), minor: part(5), patch: part(6)))
        }
        dictionaries.devices = entries(
            "device", "name, manufacturer, model, hardware, firmware, software, local_identifier, udi"
        ) { row, id in
            func text(_ column: Int) -> String? { row.flatMap { Self.text($0, column) } }
            return DeviceRecord(
                name: row == nil ? "Lost \(id)" : text(1), manufacturer: text(2), model: text(3),
                hardwareVersion: text(4), firmwareVersion: text(5), softwareVersion: text(6), localIdentifier: text(7),
                udiDeviceIdentifier: text(8))
        }
        dictionaries.units = entries("unit", "text") { row, id in row.flatMap { Self.text($0, 1) } ?? "lost unit \(id)"
        }
        // A type whose row is lost ends the list: the codes after it would name others.
        for row in rows("SELECT code, identifier, kind FROM type ORDER BY code") {
            guard let code = Self.integer(row, 0),
                code == Int64(TypeCode.firstUnknown.rawValue) + Int64(dictionaries.types.count),
                let identifier = Self.text(row, 1), let raw = Self.integer(row, 2),
                let kind = UInt8(exactly: raw).flatMap(TypeKind.init(rawValue:))
            else { break }
            dictionaries.types.append(
                TypeDescription(code: TypeCode(rawValue: UInt32(code)), identifier: identifier, kind: kind))
        }
        return dictionaries
    }

    private func entries<Entry>(_ table: String, _ columns: String, _ entry: (Row?, Int) -> Entry) -> [Entry] {
        var found: [Int: Row] = [:]
        for row in scan("Entries of the dictionary \(table)", "SELECT id, \(columns) FROM \(table) ORDER BY id") {
            if let id = Self.integer(row, 0), id > 0, id < 1 << 24 { found[Int(id)] = row }
        }
        return (1..<(found.keys.max() ?? 0) + 1).map { entry(found[$0], $0) }
    }

    // MARK: Pages and objects

    /// The keys of all pages that a table or an index names, in order.
    package func pageKeys() -> [PageKey] {
        var keys: Set<PageKey> = []
        let everything = "sequence_bound >= -9223372036854775808"
        for source in [
            "ORDER BY type, first_start, first_sequence",
            "INDEXED BY page_sequence WHERE type >= 0 ORDER BY type, sequence_bound, least_sequence",
            "INDEXED BY page_bound WHERE \(everything) ORDER BY sequence_bound",
        ] {
            for row in scan(nil, "SELECT type, first_start, first_sequence FROM page_header \(source)", lenientQueue) {
                guard let type = Self.integer(row, 0).flatMap({ UInt32(exactly: $0) }), let start = Self.real(row, 1),
                    let sequence = Self.integer(row, 2)
                else { continue }
                keys.insert(PageKey(type: TypeCode(rawValue: type), firstStart: start, firstSequence: sequence))
            }
        }
        return keys.sorted { ($0.type, $0.firstStart, $0.firstSequence) < ($1.type, $1.firstStart, $1.firstSequence) }
    }

    /// The header and the body of a page as they are stored; `nil` for what can't be read.
    package func page(_ key: PageKey) -> (header: [UInt8]?, body: [UInt8]?) {
        let condition = "WHERE type = \(key.type.rawValue) AND first_start = ? AND first_sequence = ?"
        let arguments: StatementArguments = [key.firstStart, key.firstSequence]
        func row(_ sql: String, _ arguments: StatementArguments) -> Row? {
            fetch(sql, arguments, lenientQueue).rows.first
        }
        let header = row("SELECT header FROM page_header \(condition)", arguments).flatMap { Self.bytes($0, 0) }
        let row = row("SELECT body, body_id FROM page_header \(condition)", arguments)
        if let row, let id = Self.integer(row, 1) {
            let body = fetch("SELECT bytes FROM page_body WHERE id = ?", [id], lenientQueue).rows.first
            return (header, body.flatMap { Self.bytes($0, 0) })
        }
        return (header, row.flatMap { Self.bytes($0, 0) })
    }

    /// The sequence numbers of all objects that the table or an index names, in order.
    package func objectSequences() -> [Int64] {
        let queries = [
            "SELECT sequence FROM object ORDER BY sequence",
            "SELECT sequence FROM object INDEXED BY object_time WHERE type >= 0 ORDER BY type, start, sequence",
            "SELECT sequence FROM object INDEXED BY object_sequence WHERE type >= 0 ORDER BY type, sequence",
        ]
        return Set(queries.flatMap { scan(nil, $0, lenientQueue) }.compactMap { Self.integer($0, 0) }).sorted()
    }

    /// An object; `nil` if it can't be read, or its type and dates are others than those in the index.
    package func object(_ sequence: Int64) -> StoredObject? {
        let columns =
            "SELECT sequence, type, start, \"end\", uuid, revision, device, payload FROM object WHERE sequence = ?"
        guard let row = fetch(columns, [sequence], lenientQueue).rows.first,
            let type = Self.integer(row, 1).flatMap({ UInt32(exactly: $0) }),
            let start = Self.real(row, 2), let end = Self.real(row, 3),
            let revision = Self.integer(row, 5).flatMap({ UInt32(exactly: $0) }),
            let device = Self.integer(row, 6).flatMap({ UInt32(exactly: $0) }), let payload = Self.bytes(row, 7)
        else { return nil }
        let same =
            "SELECT 1 FROM object INDEXED BY object_time WHERE type = ? AND start = ? AND sequence = ? AND \"end\" = ?"
        guard !fetch(same, [Int64(type), start, sequence, end], lenientQueue).rows.isEmpty else { return nil }
        return StoredObject(
            sequence: sequence, uuid: Self.uuid(row, 4), type: TypeCode(rawValue: type), start: start, end: end,
            revision: revision, device: device, payload: payload)
    }

    // MARK: The rest

    /// All links.
    package func links() -> [StoredLink] {
        scan(
            "Links",
            "SELECT owner, first_member, last_member, owner_type, member_type FROM link_run ORDER BY owner, first_member"
        )
        .flatMap { row -> [StoredLink] in
            let numbers = (0..<5).compactMap { Self.integer(row, $0) }
            guard numbers.count == 5, numbers[1] > 0, numbers[1] <= numbers[2], numbers[2] - numbers[1] < 4_096,
                let owner = UInt32(exactly: numbers[3]), let member = UInt32(exactly: numbers[4])
            else { return [] }
            return (numbers[1]...numbers[2]).map {
                StoredLink(
                    owner: numbers[0], ownerType: TypeCode(rawValue: owner), member: $0,
                    memberType: TypeCode(rawValue: member))
            }
        }
    }

    /// All sync identifiers.
    package func syncs() -> [StoredSync] {
        scan(
            "Sync identifiers",
            "SELECT source, type, identifier, version, sequence, bundle FROM sync JOIN sync_source ON id = source ORDER BY source, type, identifier"
        ).compactMap { row in
            guard let type = Self.integer(row, 1).flatMap({ UInt32(exactly: $0) }), let identifier = Self.text(row, 2),
                let version = Self.real(row, 3), let sequence = Self.integer(row, 4), let bundle = Self.text(row, 5)
            else { return nil }
            return StoredSync(
                key: StoredSync.Key(source: bundle, type: TypeCode(rawValue: type), identifier: identifier),
                version: version, sequence: sequence)
        }
    }

    /// All deletions.
    package func tombstones() -> [StoredTombstone] {
        let columns = "sequence, type, uuid, sync_identifier, sync_version, start, \"end\", revision"
        return scan("Deletions", "SELECT \(columns) FROM tombstone ORDER BY sequence")
            .compactMap { row in
                guard let sequence = Self.integer(row, 0),
                    let type = Self.integer(row, 1).flatMap({ UInt32(exactly: $0) }),
                    let uuid = Self.uuid(row, 2)
                else { return nil }
                return StoredTombstone(
                    sequence: sequence, type: TypeCode(rawValue: type), uuid: uuid, syncIdentifier: Self.text(row, 3),
                    syncVersion: Self.real(row, 4), start: Self.real(row, 5), end: Self.real(row, 6),
                    revision: Self.integer(row, 7).flatMap { UInt32(exactly: $0) })
            }
    }

    /// All settings: permissions, the person's profile, source orders, attachments.
    package func settings() -> [(namespace: String, key: String, value: [UInt8])] {
        scan("Settings and attachments", "SELECT namespace, key, value FROM setting ORDER BY namespace, key").compactMap
        { row in
            guard let namespace = Self.text(row, 0), let key = Self.text(row, 1), let value = Self.bytes(row, 2) else {
                return nil
            }
            return (namespace, key, value)
        }
    }

    /// Ends the use of the copy.
    package func close() {
        try? lenientQueue.close()
        try? queue.close()
    }

    // MARK: Rows

    /// The rows of a query that ends with its order: up to the first that can't be read, and from the other end. Of a
    /// table with a name, the loss is noted.
    private func scan(_ name: String?, _ sql: String, _ queue: DatabaseQueue? = nil) -> [Row] {
        let queue = queue ?? self.queue
        let (forward, isComplete) = fetch(sql, [], queue)
        if isComplete { return forward }
        if let name { losses.append("\(name) cannot all be read.") }
        guard let order = sql.range(of: " ORDER BY ", options: .backwards) else { return forward }
        let columns = sql[order.upperBound...].split(separator: ",").map { "\($0) DESC" }.joined(separator: ",")
        let backward = fetch(sql[..<order.upperBound] + columns, [], queue).rows
        let known = Set(forward)
        return forward + backward.reversed().filter { !known.contains($0) }
    }

    private func rows(_ sql: String) -> [Row] {
        fetch(sql, [], queue).rows
    }

    private func fetch(_ sql: String, _ arguments: StatementArguments, _ queue: DatabaseQueue) -> (
        rows: [Row], isComplete: Bool
    ) {
        var rows: [Row] = []
        do {
            try queue.read { database in
                let cursor = try Row.fetchCursor(database, sql: sql, arguments: arguments)
                while let row = try cursor.next() { rows.append(row.copy()) }
            }
            return (rows, true)
        } catch {
            return (rows, false)
        }
    }

    // A flipped bit can change the class of a value, for which GRDB's own subscripts end the process.
    private static func integer(_ row: Row, _ column: Int) -> Int64? {
        if case .int64(let value) = (row[column] as DatabaseValue).storage { value } else { nil }
    }

    private static func real(_ row: Row, _ column: Int) -> Double? {
        switch (row[column] as DatabaseValue).storage {
        case .double(let value): value
        case .int64(let value): Double(value)
        default: nil
        }
    }

    private static func text(_ row: Row, _ column: Int) -> String? {
        if case .string(let value) = (row[column] as DatabaseValue).storage { value } else { nil }
    }

    private static func bytes(_ row: Row, _ column: Int) -> [UInt8]? {
        if case .blob(let value) = (row[column] as DatabaseValue).storage { Array(value) } else { nil }
    }

    private static func uuid(_ row: Row, _ column: Int) -> UUID? {
        guard let bytes = bytes(row, column), bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
