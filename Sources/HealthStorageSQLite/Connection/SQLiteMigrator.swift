import Foundation
import GRDB
import HealthStorage

/// Migrates a file to the newest schema, or throws if it is not a store.
struct SQLiteMigrator: Sendable {
    var migrations: [SQLiteMigration] = SQLiteSchema.migrations

    /// Checks the file and, if it is older, migrates it in one transaction. A file without tables becomes a new store.
    ///
    /// - Parameter applicationID: What identifies a new store.
    func migrate(_ database: Database, applicationID: Int32 = SQLiteSchema.applicationID) throws {
        // Read both in one transaction, because another process may be creating the store.
        var found = 0
        try database.inTransaction(.deferred) {
            found = try version(of: database)
            return .commit
        }
        guard found < migrations.count else { return }
        try database.inTransaction(.exclusive) {
            // Check again, because another process may have migrated it in the meantime.
            let found = try version(of: database)
            for migration in migrations.dropFirst(found) { try migration.run(database) }
            if found < migrations.count {
                if found == 0 { try database.execute(sql: "PRAGMA application_id = \(applicationID)") }
                try database.execute(sql: "PRAGMA user_version = \(migrations.count)")
            }
            return .commit
        }
    }

    /// The file's schema version; 0 if it has no tables.
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

/// A migration from one schema version to the next, inside the migrator's transaction.
struct SQLiteMigration: Sendable {
    let run: @Sendable (Database) throws -> Void
    /// What a connection executes to read a file of the former version that may not be written, without changing it.
    /// `nil` if such a file can't be read.
    let forReading: String?

    init(forReading: String? = nil, _ run: @escaping @Sendable (Database) throws -> Void) {
        self.run = run
        self.forReading = forReading
    }
}
