import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthSQL
import Testing

/// The views of types, which are created when a statement needs them: a store can have thousands of types that this
/// version doesn't know.
@Suite struct TypeViewTests {
    /// A store with one sample of each type, whose value is the number of the type.
    private static func store(_ identifiers: [String]) throws -> SQLStore {
        let store = try SQLStore()
        var dictionaries = StoreDictionaries()
        dictionaries.units = ["count"]
        dictionaries.revisions = [SQLStore.owner.revision]
        var columns: [SampleColumns] = []
        for (number, identifier) in identifiers.enumerated() {
            let code = TypeCode(rawValue: TypeCode.firstUnknown.rawValue + UInt32(number))
            dictionaries.types.append(TypeDescription(code: code, identifier: identifier, kind: .quantity))
            var column = SampleColumns(type: code)
            column.starts.append(Double(number))
            column.ends.append(Double(number))
            column.values.append(Double(number))
            column.units.append(1)
            column.revisions.append(1)
            column.devices.append(0)
            column.metadata.numbers.append(0)
            column.uuids.append(nil)
            column.creations.append(.nan)
            columns.append(column)
        }
        _ = try BulkImport(engine: store.engine).commit(
            BulkBatch(columns: columns, objects: [], dictionaries: dictionaries))
        return store
    }

    private static func many(_ count: Int) throws -> SQLStore {
        try store((0..<count).map { "HKQuantityTypeIdentifierUnknown\($0)" })
    }

    @Test("Each of thousands of types has a view, however it is named")
    func thousands() throws {
        let store = try Self.many(4_000)
        func number(_ sql: String) throws -> SQLValue? { try store.ask(sql).rows.first?.first }
        #expect(try number("SELECT value FROM unknown17") == .real(17))
        #expect(try number("SELECT u.value FROM main.UNKNOWN3999 AS u") == .real(3_999))
        #expect(try number(#"SELECT value FROM "Unknown18""#) == .real(18))
        #expect(try number("SELECT value FROM [unknown19]") == .real(19))
        #expect(try number("SELECT value FROM `unknown20`") == .real(20))
        #expect(try number("SELECT value FROM 'unknown21'") == .real(21))
        #expect(
            try number("SELECT a.value + b.value + (SELECT value FROM unknown3) FROM unknown1 a, unknown2 b")
                == .real(6))
        #expect(try number("WITH unknown5 AS (SELECT 1 AS value) SELECT value FROM unknown5") == .integer(1))
        #expect(try number("SELECT count(*) FROM types") == .integer(4_000))
        #expect(
            try number(
                "SELECT count(*) FROM (\((0..<40).map { "SELECT value FROM unknown\($0)" }.joined(separator: " UNION ALL ")))"
            ) == .integer(40))
        let error = #expect(throws: SQLError.self) { _ = try store.ask("SELECT * FROM unknown4000") }
        #expect(error?.description == "no such table: unknown4000")
    }

    @Test("Listings have all views, and views remain usable after them")
    func listings() throws {
        let store = try Self.many(300)
        let names = try store.ask("SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name").rows
        #expect(
            names.count == 301 && names.contains([.text("blood_pressure")]) && names.contains([.text("unknown299")]))
        #expect(try store.ask("SELECT count(*) FROM pragma_table_list WHERE type = 'view'").rows == [[.integer(301)]])
        let columns = try store.ask("SELECT name FROM pragma_table_info('samples')").rows
        #expect(try store.ask("SELECT name FROM pragma_table_info('unknown7')").rows == columns && !columns.isEmpty)
        #expect(try store.ask("PRAGMA table_info(unknown8)").rows.count == columns.count)
        #expect(
            try store.ask("SELECT value, (SELECT count(*) FROM sqlite_master WHERE type = 'view') FROM unknown9").rows
                == [[.real(9), .integer(301)]])
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            #expect(database.schema.views.count { $0.name.hasPrefix("unknown") } == 300)
            // Statements of before a view was created remain usable.
            let before = try database.statement("SELECT value FROM samples ORDER BY start_time")
            #expect(try before.step() && before.integer(0) == 0)
            let after = try database.statement("SELECT value FROM unknown10, (SELECT count(*) FROM sqlite_schema)")
            #expect(try after.step() && after.integer(0) == 10)
            #expect(try before.step() && before.integer(0) == 1)
        }
    }

    @Test("Several statements of one text each find their views")
    func texts() throws {
        let store = try Self.many(30)
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            let statements = try database.statements(
                "SELECT value FROM unknown1; SELECT value FROM unknown2; SELECT value FROM unknown29")
            #expect(statements.count == 3)
            for (statement, value) in zip(statements, [1, 2, 29]) {
                #expect(try statement.step() && statement.integer(0) == Int64(value))
            }
        }
    }

    @Test("Types whose names SQLite reserves, or that need quotes, don’t fail other statements")
    func oddNames() throws {
        let store = try Self.store(["sqlite_schema", "two words", #"say "hi""#, "it's", "select"])
        #expect(try store.ask("SELECT count(*) FROM samples").rows == [[.integer(5)]])
        #expect(try store.ask(#"SELECT value FROM "two words""#).rows == [[.real(1)]])
        #expect(try store.ask(#"SELECT value FROM "say ""hi""""#).rows == [[.real(2)]])
        #expect(try store.ask(#"SELECT value FROM "it's""#).rows == [[.real(3)]])
        #expect(try store.ask(#"SELECT value FROM "select""#).rows == [[.real(4)]])
        #expect(try store.ask("SELECT count(*) FROM sqlite_schema WHERE type = 'view'").rows == [[.integer(5)]])
    }

    @Test(
        "Views can’t be written or removed",
        arguments: ["DROP VIEW unknown1", "DELETE FROM unknown1", "INSERT INTO unknown1 VALUES (1)"])
    func writing(_ sql: String) throws {
        let error = #expect(throws: SQLError.self) { _ = try Self.many(3).ask(sql) }
        #expect(error?.description.hasPrefix("no such") == false, "\(error?.description ?? "")")
    }
}
