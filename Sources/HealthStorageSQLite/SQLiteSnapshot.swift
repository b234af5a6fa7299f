import Foundation
import GRDB
import HealthModel
import HealthStorage

/// Reads a snapshot of the file. The counterpart of `SQLiteTransaction`.
class SQLiteSnapshot: StorageSnapshot {
    var isTransaction: Bool { false }
    final let database: Database

    init(_ database: Database) {
        self.database = database
    }

    final func identity() throws -> StoreIdentity {
        try database.run("SELECT uuid, seed FROM store") { statement in
            guard try statement.step() else { throw Self.noStoreRow }
            return StoreIdentity(
                uuid: try statement.uuid(0), seed: UInt64(bitPattern: statement.integer(1)))
        }
    }

    func lastSequence() throws -> Int64 {
        try storedPosition().last
    }

    /// The last allocated number, and the stored counter, which may be behind within its block.
    final func storedPosition() throws -> SQLitePosition {
        try database.run(
            """
            SELECT last_sequence,
                (SELECT max(greatest_sequence) FROM page_header INDEXED BY page_bound
                WHERE sequence_bound > last_sequence),
                (SELECT max(sequence) FROM object), (SELECT max(sequence) FROM tombstone)
            FROM store
            """
        ) { statement in
            guard try statement.step() else { throw Self.noStoreRow }
            let counter = statement.integer(0)
            return SQLitePosition(
                last: max(counter, statement.integer(1), statement.integer(2), statement.integer(3)),
                counter: counter)
        }
    }

    final func value(namespace: String, key: String) throws -> [UInt8]? {
        try database.run("SELECT value FROM setting WHERE namespace = ? AND key = ?") { statement in
            try statement.bind(namespace, at: 1)
            try statement.bind(key, at: 2)
            return try statement.step() ? Array(statement.bytes(0)) : nil
        }
    }

    final func values(namespace: String) throws -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        try visitValues(namespace: namespace) { values[$0] = $1 }
        return values
    }

    final func visitValues(namespace: String, _ visit: (String, [UInt8]) throws -> Void) throws {
        try database.run("SELECT key, value FROM setting WHERE namespace = ?") { statement in
            try statement.bind(namespace, at: 1)
            while try statement.step() { try visit(statement.text(0), Array(statement.bytes(1))) }
        }
    }

    final func namespaces() throws -> Set<String> {
        try database.run("SELECT DISTINCT namespace FROM setting") { statement in
            var namespaces: Set<String> = []
            while try statement.step() { namespaces.insert(statement.text(0)) }
            return namespaces
        }
    }

    /// Called with each page that is found by its start, so that a writer can remember its location.
    func didFind(_ location: PageLocation) {}

    static var noStoreRow: StorageError {
        StorageError(.damaged, "The row that describes the store is missing.")
    }
}

extension SQLiteSnapshot {
    final func dictionaries() throws -> StoreDictionaries {
        var dictionaries = StoreDictionaries()
        dictionaries.sources = try rows("SELECT id, bundle, name FROM source ORDER BY id") {
            SourceRecord(bundleIdentifier: $0.text(1), name: $0.text(2))
        }
        let sources = dictionaries.sources
        dictionaries.revisions = try rows(
            "SELECT id, source, version, product, os_major, os_minor, os_patch FROM revision ORDER BY id"
        ) {
            let source: Int = try $0.number(1)
            guard source > 0, source <= sources.count else { throw Self.gap }
            return SourceRevisionRecord(
                source: sources[source - 1], version: $0.optionalText(2),
                productType: $0.optionalText(3),
                operatingSystemVersion: OperatingSystemVersionRecord(
                    major: try $0.number(4), minor: try $0.number(5), patch: try $0.number(6)))
        }
        dictionaries.devices = try rows(
            """
            SELECT id, name, manufacturer, model, hardware, firmware, software, local_identifier, udi
            FROM device ORDER BY id
            """
        ) {
            DeviceRecord(
                name: $0.optionalText(1), manufacturer: $0.optionalText(2), model: $0.optionalText(3),
                hardwareVersion: $0.optionalText(4), firmwareVersion: $0.optionalText(5),
                softwareVersion: $0.optionalText(6), localIdentifier: $0.optionalText(7),
                udiDeviceIdentifier: $0.optionalText(8))
        }
        dictionaries.units = try rows("SELECT id, text FROM unit ORDER BY id") { $0.text(1) }
        let firstType = Int64(TypeCode.firstUnknown.rawValue)
        dictionaries.types = try rows(
            "SELECT code, identifier, kind FROM type ORDER BY code", from: firstType
        ) {
            guard let kind = TypeKind(rawValue: try $0.number(2)) else {
                throw StorageError(.damaged, "The kind of a stored type is unknown.")
            }
            return TypeDescription(
                code: TypeCode(rawValue: try $0.number(0)), identifier: $0.text(1), kind: kind)
        }
        return dictionaries
    }

    /// All rows of a dictionary table. Their numbers must be contiguous, because they determine the indices of the
    /// array.
    private func rows<Entry>(
        _ sql: String, from first: Int64 = 1, _ entry: (PreparedStatement) throws -> Entry
    ) throws -> [Entry] {
        try database.run(sql) { statement in
            var entries: [Entry] = []
            while try statement.step() {
                guard statement.integer(0) == first + Int64(entries.count) else { throw Self.gap }
                entries.append(try entry(statement))
            }
            return entries
        }
    }

    private static var gap: StorageError {
        StorageError(.damaged, "The numbers of a dictionary table are not contiguous.")
    }
}
