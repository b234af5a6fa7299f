import Foundation
import HealthEngine
import HealthSQL
import Testing

/// Statements that run for ever, return without end, or build texts without end are stopped by the limits.
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
            database.limitStatements(seconds: 0.1, valueBytes: 1 << 20)
            let statement = try database.statement(sql)
            #expect(throws: SQLError.self) { while try statement.step() {} }
        }
    }

    @Test("Rows without end come one by one, and end with the time")
    func rows() throws {
        let store = try SQLStore.seeded(32)
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            database.limitStatements(seconds: 0.1)
            let statement = try database.statement("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n")
            var last: Int64 = 0
            #expect(throws: SQLError.self) { while try statement.step() { last = statement.integer(0) } }
            #expect(last > 0)
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
