import Foundation
import HealthEngine
import HealthSQL
import Testing

/// Statements that run forever, return without end, or build texts without end are stopped by the limits.
@Suite struct StatementLimitTests {
    @Test(arguments: [
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
        "SELECT count(*) FROM samples a, samples b, samples c, samples d",
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT sum(value) FROM n, step_count",
        "SELECT count(*) FROM (WITH RECURSIVE n(x) AS (SELECT 1 UNION SELECT random() FROM n) SELECT x FROM n)",
        "WITH RECURSIVE n(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM n) SELECT max(length(x)) FROM n",
        "SELECT length(zeroblob(2000000000))", "SELECT replace(hex(zeroblob(60000)), '0', hex(zeroblob(60000)))",
        "SELECT length(group_concat(hex(zeroblob(30000)))) FROM samples a, samples b",
    ])
    func ends(_ sql: String) throws {
        let store = try SQLStore.seeded(31)
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            try database.limitStatements(seconds: 0.1)
            let statement = try database.statement(sql)
            #expect(throws: SQLError.self) { while try statement.step() {} }
        }
    }

    @Test("Rows without end come one by one, and end with the time")
    func rows() throws {
        let store = try SQLStore.seeded(32)
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            try database.limitStatements(seconds: 0.1)
            let statement = try database.statement(
                "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n")
            var last: Int64 = 0
            #expect(throws: SQLError.self) { while try statement.step() { last = statement.integer(0) } }
            #expect(last > 0)
        }
    }

    private static let endless =
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

    @Test("Pauses don’t count, until they are as long as the time")
    func pauses() throws {
        let store = try SQLStore.seeded(33)
        try store.engine.withReader(as: SQLStore.owner) { reading in
            // A minute without pauses; each of these is stated to be a second long.
            for (seconds, most) in [(60.0, 121), (3.0, 7)] {
                var pauses = 0
                let database = try HealthDatabase(reading, timeZone: .gmt)
                try database.limitStatements(seconds: seconds) { _ in
                    pauses += 1
                    return UInt64(pauses) * 1_000_000_000
                }
                let statement = try database.statement(Self.endless)
                #expect(throws: SQLError.self) { while try statement.step() {} }
                #expect(pauses > 1 && pauses <= most)
            }
        }
    }

    /// SQLite doesn't call its progress handler within a function.
    @Test(
        "Functions that could run for long within one call refuse long patterns",
        arguments: [
            (
                "SELECT length(trim(hex(zeroblob(100000)), replace(hex(zeroblob(60000)), '0', 'a') || '0'))",
                "trim(): the characters to remove"
            ),
            ("SELECT ltrim('a', hex(zeroblob(51)))", "ltrim(): the characters to remove"),
            ("SELECT rtrim('a', hex(zeroblob(51)))", "rtrim(): the characters to remove"),
            ("SELECT instr(hex(zeroblob(100000)), hex(zeroblob(60000)) || '1')", "instr(): the text to find"),
            ("SELECT replace(hex(zeroblob(100000)), hex(zeroblob(60000)) || '1', 'x')", "replace(): the text to find"),
            ("SELECT hex(zeroblob(100000)) LIKE '%' || hex(zeroblob(20000)) || '1'", "like(): the pattern"),
            ("SELECT hex(zeroblob(100000)) LIKE hex(zeroblob(101)) ESCAPE '!'", "like(): the pattern"),
            ("SELECT hex(zeroblob(100000)) GLOB '*' || hex(zeroblob(20000)) || '1'", "glob(): the pattern"),
            ("SELECT json_patch('{}', hex(zeroblob(20000)))", "json_patch(): the patch"),
            ("SELECT printf('%.*c', 2147483647, 'x')", "printf(): use a width"),
            ("SELECT format('%.2147483647c', 'x')", "format(): use a width"),
            ("SELECT printf('%-+ 01001d', 1)", "printf(): use a width"),
            ("SELECT printf('%%%s%5.99999999999999999999f', 1, 1)", "printf(): use a width"),
            ("SELECT printf(hex(zeroblob(20000)))", "printf(): the format"),
        ])
    func longPatterns(_ sql: String, _ message: String) throws {
        let store = try SQLStore()
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            try database.limitStatements(seconds: 60)
            let error = #expect(throws: SQLError.self) {
                let statement = try database.statement(sql)
                while try statement.step() {}
            }
            #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test(
        "With short patterns, the results are SQLite’s own",
        arguments: [
            "trim('xaxbx', 'x'), ltrim('xxa', 'x'), rtrim('axx', 'yx'), trim('  a '), trim('äbä', 'ä'), trim(NULL, 'x'), trim(121, 1)",
            "instr('abcabc', 'c'), instr('äöü', 'ü'), instr(x'0102', x'02'), instr(NULL, 'a'), instr('a', ''), instr(12, 2)",
            "replace('abcabc', 'b', 'xx'), replace('abc', '', 'x'), replace('abc', 'b', NULL), typeof(replace(12, 1, 3))",
            "'Abc' LIKE 'a%', 'Abc' LIKE 'a_', 'ÄB' LIKE 'äb', 'a%c' LIKE 'a!%c' ESCAPE '!', 12 LIKE '1%', NULL LIKE 'a', 'a' LIKE NULL, like('a%', 'ab')",
            "'Abc' GLOB 'A*', 'Abc' GLOB 'a*', 'Abc' GLOB 'A[a-c]?', 12 GLOB '1?', NULL GLOB 'a', x'41' GLOB 'A', x'41' LIKE 'a'",
            "json_patch('{\"a\":1}', '{\"a\":null,\"b\":2}'), json_array(json_patch('{}', '{\"b\":2}')), json_patch(NULL, '{}')",
            "printf('%5.2f|%-5s|%05d|%,d|%%|%c|%x|%Q', 1.5, 'ab', 42, 12345, 'z', 255, 'it''s'), printf('%999d 2024', 1), printf(), printf(NULL), format('%s')",
        ])
    func shortPatterns(_ expressions: String) throws {
        let store = try SQLStore()
        let expected = try store.ask("SELECT \(expressions)").rows
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            try database.limitStatements(seconds: 60)
            let statement = try database.statement("SELECT \(expressions)")
            var rows: [[SQLValue]] = []
            while try statement.step() { rows.append(statement.values) }
            #expect(rows == expected)
        }
    }

    @Test("When the time is over, a function isn’t called again in a statement without a loop")
    func timeWithoutLoop() throws {
        let store = try SQLStore()
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            try database.limitStatements(seconds: 0)
            let error = #expect(throws: SQLError.self) {
                let statement = try database.statement("SELECT trim('xax', 'x')")
                while try statement.step() {}
            }
            #expect(error?.description.contains("takes more than 0 seconds") == true)
        }
    }

    @Test("The size of values can be limited alone")
    func values() throws {
        let store = try SQLStore()
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            database.limitValues(bytes: 1_000)
            let statement = try database.statement("SELECT length(zeroblob(1000))")
            #expect(try statement.step() && statement.integer(0) == 1_000)
            for sql in ["SELECT length(zeroblob(1001))", "SELECT hex(zeroblob(501))"] {
                let statement = try database.statement(sql)
                let error = #expect(throws: SQLError.self) { while try statement.step() {} }
                #expect(error?.description == "string or blob too big")
            }
        }
    }

    @Test("Nesting beyond SQLite’s limits is an error")
    func nesting() throws {
        let store = try SQLStore()
        let deep = "SELECT " + String(repeating: "(", count: 50_000) + "1" + String(repeating: ")", count: 50_000)
        #expect(throws: SQLError.self) { _ = try store.ask(deep) }
        let joined = "SELECT 1 FROM " + (0..<100).map { "samples s\($0)" }.joined(separator: ", ")
        #expect(throws: SQLError.self) { _ = try store.ask(joined) }
    }
}
