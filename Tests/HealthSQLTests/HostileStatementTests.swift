import Foundation
import HealthEngine
import HealthSQL
import Testing

/// The memory of this process, in bytes.
private enum ProcessMemory {
    /// The most since ``forgetMost()``.
    static var most: Int { number("VmHWM:") }
    static var now: Int { number("VmRSS:") }

    static func forgetMost() throws {
        try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
    }

    private static func number(_ name: String) -> Int {
        let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8))?.split(separator: "\n") ?? []
        let words = lines.first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace)
        return (words.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0) * 1_024
    }
}

@Suite("Hostile statements") struct HostileStatementTests {
    @Test("There are a hundred, each of them different")
    func count() {
        #expect(Set(HostileStatements.all).count >= 100)
    }

    // In a separate process, whose memory nothing else takes.
    @Test("None takes more than 100 MB, and each ends")
    func memory() async {
        await #expect(processExitsWith: .success) {
            let store = try SQLStore.seeded(34)
            try store.engine.withReader(as: SQLStore.owner) { reading in
                for sql in HostileStatements.all {
                    try ProcessMemory.forgetMost()
                    let before = ProcessMemory.now
                    let start = ContinuousClock.now
                    var (rows, outcome, held) = (0, "ended", 0)
                    do {
                        let database = try HealthDatabase(reading, timeZone: .gmt)
                        try database.limitStatements(seconds: 0.5)
                        defer { held = database.mostMemory }
                        let statement = try database.statement(sql)
                        while rows < 10_000, try statement.step() {
                            for column in statement.columnNames.indices { _ = statement.value(column) }
                            rows += 1
                        }
                    } catch let error as SQLError {
                        outcome = error.description
                    }
                    let taken = ProcessMemory.most - before
                    if ProcessInfo.processInfo.environment["PRINT_STATEMENTS"] != nil {
                        print(
                            taken >> 20, held >> 20, ContinuousClock.now - start, rows, outcome.prefix(60),
                            sql.prefix(90))
                    }
                    #expect(
                        taken < 100 << 20 && held <= StatementBounds.memory, "\(taken >> 20) MB: \(sql.prefix(200))")
                }
            }
        }
    }

    @Test(
        "What SQLite reaches is said in a sentence",
        arguments: [
            (
                "WITH m(h) AS MATERIALIZED (SELECT hex(zeroblob(120000))) SELECT \(Array(repeating: "h", count: 500).joined(separator: ",")) FROM m",
                "The statement needs more than 64 MB of memory"
            ),
            (
                "WITH RECURSIVE n(x) AS (SELECT zeroblob(200000) UNION ALL SELECT zeroblob(200000) FROM n) SELECT x FROM n ORDER BY x",
                "The statement sorts more than 256 MB"
            ),
            (
                "SELECT 1 WHERE 1 IN (\((0..<40_000).map { "\($0)" }.joined(separator: ",")))",
                "The statement is too long"
            ),
            ("SELECT zeroblob(300000)", "string or blob too big"),
            ("EXPLAIN SELECT * FROM samples", "EXPLAIN is not allowed"),
        ])
    func messages(_ sql: String, _ message: String) throws {
        let store = try SQLStore.seeded(35)
        try store.engine.withReader(as: SQLStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: .gmt)
            try database.limitStatements(seconds: 60)
            let error = #expect(throws: SQLError.self) {
                let statement = try database.statement(sql)
                while try statement.step() {}
            }
            #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
        }
    }

    @Test("A statement that fails leaves the next one the whole memory")
    func memoryIsGivenBack() throws {
        let store = try SQLStore.seeded(36)
        for _ in 0..<5 {
            try store.engine.withReader(as: SQLStore.owner) { reading in
                let database = try HealthDatabase(reading, timeZone: .gmt)
                try database.limitStatements(seconds: 60)
                #expect(throws: SQLError.self) {
                    let all = try database.statement(
                        "SELECT " + Array(repeating: "hex(zeroblob(100000))", count: 900).joined(separator: ", "))
                    while try all.step() {}
                }
                let usual = try database.statement("SELECT uuid, metadata FROM samples ORDER BY uuid")
                var rows = 0
                while try usual.step() { rows += 1 }
                #expect(rows == 2_100)
            }
        }
    }
}
