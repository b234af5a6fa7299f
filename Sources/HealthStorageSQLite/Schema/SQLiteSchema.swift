import Foundation
import GRDB
import HealthStorage

/// The tables of a store file. Docs/Format/Store.md describes them column by column.
enum SQLiteSchema {
    /// `PRAGMA application_id` of every store file: the letters OHKS.
    static let applicationID: Int32 = 0x4F48_4B53

    /// The schema this code writes, in `PRAGMA user_version`. 0 is a file without tables.
    static var version: Int { migrations.count }

    /// Migration `n` leads from version `n` to `n + 1`. They are never edited once released.
    static let migrations: [SQLiteMigration] = [SQLiteMigration { try createVersion1(in: $0) }]

    private static func createVersion1(in database: Database) throws {
        for table in version1 { try database.execute(sql: table) }
        try database.execute(
            sql: "INSERT INTO store (id, uuid, seed, last_sequence) VALUES (1, ?, ?, 0)",
            arguments: [
                withUnsafeBytes(of: UUID().uuid) { Data($0) }, Int64.random(in: .min ... .max),
            ])
    }
}
