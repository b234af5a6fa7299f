import Foundation
import GRDB
import HealthStorage

/// The tables of a store file. Docs/Format/Store.md describes them column by column.
package enum SQLiteSchema {
    /// The schema version of this code, stored as `PRAGMA user_version`. A released version never changes: the next one
    /// adds the statements that lead to it.
    package static let version = 1

    /// Creates the tables in a file without any, in one transaction, unless another process does so first.
    static func create(in database: Database) throws {
        try database.inTransaction(.exclusive) {
            if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 {
                for statement in statements { try database.execute(sql: statement) }
                try database.execute(
                    sql: "INSERT INTO store (id, uuid, seed, last_sequence) VALUES (1, ?, ?, 0)",
                    arguments: [withUnsafeBytes(of: UUID().uuid) { Data($0) }, Int64.random(in: .min ... .max)])
                try database.execute(
                    sql: "PRAGMA application_id = \(SQLiteFile.applicationID); PRAGMA user_version = \(version)")
            }
            return .commit
        }
        try check(database)
    }

    /// Throws `StorageError` `.notAStore` if an open file isn't a store of this version.
    static func check(_ database: Database) throws {
        try SQLiteFile.check(
            applicationID: Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
            version: Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0)
    }
}
