import Foundation
import GRDB
import HealthModel
import HealthStorage

/// Reads a snapshot of the file. The counterpart of `SQLiteTransaction`.
class SQLiteSnapshot: StorageSnapshot {
    final let database: Database

    init(_ database: Database) {
        self.database = database
    }

    final func identity() throws -> StoreIdentity {
        try database.run("SELECT uuid, seed FROM store") { statement in
            guard try statement.step() else { throw Self.noStoreRow }
            return StoreIdentity(uuid: try statement.uuid(0), seed: UInt64(bitPattern: statement.integer(1)))
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
                last: max(counter, statement.integer(1), statement.integer(2), statement.integer(3)), counter: counter)
        }
    }

    final func value(namespace: String, key: String) throws -> [UInt8]? {
        try database.first("SELECT value FROM setting WHERE namespace = ? AND key = ?", [namespace, key]) {
            Array($0.bytes(0))
        }
    }

    final func values(namespace: String) throws -> [String: [UInt8]] {
        try database.run("SELECT key, value FROM setting WHERE namespace = ?", [namespace]) { statement in
            var values: [String: [UInt8]] = [:]
            while try statement.step() { values[statement.text(0)] = Array(statement.bytes(1)) }
            return values
        }
    }

    final func namespaces() throws -> Set<String> {
        Set(try database.all("SELECT DISTINCT namespace FROM setting") { $0.text(0) })
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
        for table in DictionaryTable.allCases {
            let columns = ([table.key] + table.columns).joined(separator: ", ")
            try database.run("SELECT \(columns) FROM \(table.rawValue) ORDER BY \(table.key)") { statement in
                while try statement.step() { try dictionaries.append(statement, of: table) }
            }
        }
        return dictionaries
    }
}
