import Foundation
import GRDB
import HealthStorage

/// Brings a file to the newest schema, or says why it cannot be one of ours.
struct SQLiteMigrator: Sendable {
    var migrations: [SQLiteMigration] = SQLiteSchema.migrations

    /// Checks the file and migrates it where it is older, all in one transaction. A file without
    /// any table becomes a new store.
    func migrate(_ database: Database) throws {
        // In one reading: another process may be making the store just now.
        var found = 0
        try database.inTransaction(.deferred) {
            found = try version(of: database)
            return .commit
        }
        guard found < migrations.count else { return }
        try database.inTransaction(.exclusive) {
            // Asked again: another process may have been faster.
            let found = try version(of: database)
            for migration in migrations.dropFirst(found) { try migration.run(database) }
            if found < migrations.count {
                try database.execute(sql: "PRAGMA application_id = \(SQLiteSchema.applicationID)")
                try database.execute(sql: "PRAGMA user_version = \(migrations.count)")
            }
            return .commit
        }
    }

    /// The file's schema version; 0 when it has no table yet.
    private func version(of database: Database) throws -> Int {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        if application == 0, version == 0,
            try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
        {
            return 0
        }
        try SQLiteFile.check(applicationID: application, version: version, newest: migrations.count)
        return version
    }
}
