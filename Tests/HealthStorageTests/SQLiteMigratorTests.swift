import HealthStorage
import HealthTesting
import Testing

@testable import HealthStorageSQLite

@Suite struct SQLiteMigratorTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private static let withNextVersion = SQLiteMigrator(
        migrations: SQLiteSchema.migrations + [
            SQLiteMigration { try $0.run("CREATE TABLE extra (id INTEGER PRIMARY KEY)") { try $0.execute() } }
        ])

    private func open(_ migrator: SQLiteMigrator) throws -> SQLiteStorage {
        try SQLiteStorage(path: store.path, options: SQLiteOptions(), migrator: migrator)
    }

    /// The versions are in existing files: changes require a new migration.
    @Test func writtenVersionsNeverChange() {
        func hash(_ statements: [String]) -> UInt64 {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in statements.joined(separator: ";\n").utf8 {
                hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
            }
            return hash
        }
        #expect(hash(SQLiteSchema.version1) == 2_102_025_802_608_151_638)
        #expect(hash(SQLiteSchema.version2) == 10_119_646_529_038_066_137)
        #expect(SQLiteSchema.version == 2)
        #expect(SQLiteSchema.applicationID == 0x4F48_4B53)
        #expect(CheckedFile.applicationID == 0x4F48_434B)
    }

    @Test func migratesAnOlderStore() throws {
        let old = try store.open()
        for number in 1...5 { try Rows.write(number, to: old) }
        try old.close()
        let new = try open(Self.withNextVersion)
        #expect(try Rows.lastWrite(in: new) == 5)
        try Rows.write(6, to: new)
        try new.close()
        #expect(throws: StorageError(.notAStore, "The store has version 3; this program supports versions up to 2.")) {
            try store.open()
        }
        #expect(try Rows.lastWrite(in: open(Self.withNextVersion)) == 6)
    }

    @Test func aNewStoreGetsAllVersions() throws {
        let storage = try open(Self.withNextVersion)
        try Rows.write(1, to: storage)
        try storage.close()
        #expect(throws: StorageError.self) { try store.open() }
    }

    @Test func aFailedMigrationChangesNothing() throws {
        let old = try store.open()
        try Rows.write(1, to: old)
        try old.close()
        let failing = SQLiteMigrator(
            migrations: Self.withNextVersion.migrations + [
                SQLiteMigration { _ in throw StorageError(.damaged, "stopped halfway") }
            ])
        #expect(throws: StorageError(.damaged, "stopped halfway")) { try open(failing) }
        #expect(try Rows.lastWrite(in: store.open()) == 1)
    }

    /// A program stops using an open store when a newer one migrates it.
    @Test func anOlderProgramStopsUsingAMigratedStore() throws {
        let old = try store.open()
        try Rows.write(1, to: old)
        let new = try open(Self.withNextVersion)
        for use in [{ try Rows.write(2, to: old) }, { _ = try old.read { try $0.lastSequence() } }] {
            do {
                try use()
                Issue.record("the older program continued")
            } catch let error as StorageError {
                #expect(error.kind == .notAStore)
            }
        }
        #expect(try Rows.lastWrite(in: new) == 1)
    }
}
