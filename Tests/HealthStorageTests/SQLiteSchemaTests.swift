import Foundation
import GRDB
import HealthStorage
import Testing

@testable import HealthStorageSQLite

@Suite struct SQLiteSchemaTests {
    /// Docs/Format/Store.md contains every table and column, and the version.
    @Test func theFormatPageIsComplete() throws {
        let page = try String(
            contentsOf: Self.repository.appendingPathComponent("Docs/Format/Store.md"), encoding: .utf8)
        let store = try TemporaryStore()
        let storage = try store.open()
        let columns = try storage.writer.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
                    WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'
                    """
            ).map { row -> (table: String, column: String) in (row[0], row[1]) }
        }
        #expect(columns.count > 50)
        for (table, column) in columns {
            #expect(
                page.contains("### \(table)") || page.contains("`\(table)`") || page.contains(" \(table)"), "\(table)")
            #expect(page.contains("`\(column)`"), "\(table).\(column)")
        }
        #expect(page.contains("## Version \(SQLiteSchema.version)\n"))
    }

    /// A released version is in existing files: changes need another version.
    @Test func aReleasedVersionNeverChanges() {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in SQLiteSchema.statements.joined(separator: ";\n").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        #expect(hash == 14_696_872_651_801_241_257)
        #expect(SQLiteSchema.version == 1)
        #expect(SQLiteFile.applicationID == 0x4F48_434B)
    }

    /// A program stops using an open store when a newer one has changed its schema.
    @Test func anOlderProgramStopsUsingANewerStore() throws {
        let store = try TemporaryStore()
        let (old, new) = (try store.open(), try store.open())
        try Rows.write(1, to: old)
        try new.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 2") }
        let error = StorageError(.notAStore, "Another program has migrated the store to version 2.")
        #expect(throws: error) { try Rows.write(2, to: old) }
        #expect(throws: error) { try old.read { try $0.lastSequence() } }
    }

    /// Frequent queries use a key or an index and do not sort.
    @Test(arguments: [
        "SELECT header FROM page_header WHERE type = 1 AND first_start >= 0 AND first_start <= 9 ORDER BY first_start, first_sequence",
        "SELECT first_start, first_sequence FROM page_header WHERE type = 1 AND sequence_bound >= 1 AND least_sequence <= 9",
        "SELECT body, bytes FROM page_header LEFT JOIN page_body ON id = body_id WHERE type = 1 AND first_start <= 1 ORDER BY first_start DESC, first_sequence DESC LIMIT 1",
        "SELECT payload FROM object WHERE type = 1 AND start <= 9 ORDER BY start, sequence",
        "SELECT payload FROM object WHERE type = 1 AND sequence > 9 ORDER BY sequence",
        "SELECT * FROM link_run WHERE owner = 1 AND first_member BETWEEN 1 AND 9 AND last_member >= 5 ORDER BY first_member",
        "SELECT * FROM link_run WHERE reach = 1 AND first_member BETWEEN 1 AND 9 AND last_member >= 5",
        "SELECT first_member, last_member FROM link_run WHERE owner_type = 1 AND member_type = 2 ORDER BY first_member",
        "SELECT sequence FROM sync WHERE source = 1 AND type = 1 AND identifier = 'i'",
        "SELECT * FROM tombstone WHERE sequence > 1 ORDER BY sequence",
    ])
    func readsAreSearches(sql: String) throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        let plan = try storage.writer.read { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { row -> String in row["detail"] }
        }
        #expect(!plan.isEmpty && plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(plan)")
    }

    private static var repository: URL {
        URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }
}
