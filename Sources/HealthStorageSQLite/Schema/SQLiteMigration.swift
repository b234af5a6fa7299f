import GRDB

/// One step from a schema version to the next. It runs inside the migrating transaction.
struct SQLiteMigration: Sendable {
    let run: @Sendable (Database) throws -> Void

    init(_ run: @escaping @Sendable (Database) throws -> Void) {
        self.run = run
    }
}
