import Foundation
import HealthArrow
import HealthModel
import HealthSQL
import Testing

@Suite("Answers and SQL as Arrow tables")
struct AnswerTableTests {
    private static func steps(_ value: Double, hour: Double) -> SampleRecord {
        SampleRecord(
            type: ArrowStore.type("stepCount"), start: hour * 3_600, end: hour * 3_600 + 600, value: value,
            unit: "count")
    }

    @Test("Statistics have instants, the figures that the type has, and the unit")
    func statistics() async throws {
        let store = try ArrowStore()
        try store.save([Self.steps(100, hour: 12), Self.steps(50, hour: 13), Self.steps(7, hour: 36)])
        let table = try await store.ask(#"{"question": "statistics", "type": "stepCount", "interval": "day"}"#)
        #expect(table.columns.map(\.name) == ["start_date", "end_date", "sum", "unit"])
        #expect(table.columns.map(\.format) == ["tsu:Europe/Berlin", "tsu:Europe/Berlin", "g", "u"])
        #expect(table.column("sum") == [.number(150), .number(7)])
        #expect(table.column("start_date") == [.integer(978_303_600_000_000), .integer(978_390_000_000_000)])
        let none = try await store.ask(#"{"question": "statistics", "type": "heartRate", "interval": "day"}"#)
        #expect(none.rows.isEmpty)
        #expect(Set(none.columns.map(\.name)).isSuperset(of: ["start_date", "average", "minimum", "maximum"]))
    }

    @Test("Lists of objects stay lists, with the columns' names")
    func lists() async throws {
        let store = try ArrowStore()
        try store.save([Self.steps(100, hour: 12)])
        let table = try await store.ask(
            #"{"question": "statistics", "type": "stepCount", "options": ["sum", "separateBySource"]}"#)
        guard case .list(let sources)? = table.column("sources").first, case .row(let source)? = sources.first else {
            Issue.record("\(table.columns.map(\.format))")
            return
        }
        #expect(source["bundle_identifier"] == .text("org.example.watch") && source["sum"] == .number(100))
        #expect(source["average"] == .null)
    }

    @Test("Columns of numbers in a fixed unit have it, and so have those of an object of numbers")
    func units() async throws {
        let store = try ArrowStore()
        let sleep = ArrowStore.type("sleepAnalysis")
        let start = 8.0 * 86_400 + 22 * 3_600
        try store.save([
            SampleRecord(type: sleep, start: start, end: start + 18_000, value: 3),
            SampleRecord(type: sleep, start: start + 18_000, end: start + 28_800, value: 4),
        ])
        let nights = try await store.ask(#"{"question": "sleep"}"#)
        let units = Dictionary(uniqueKeysWithValues: nights.columns.map { ($0.name, $0.metadata["unit"]) })
        #expect(units["time_asleep"] == "s" && units["stages_deep"] == "s" && units["awakenings"] == "count")
        #expect(units["date"] == .some(nil))
        let values = try await store.ask(#"{"question": "statistics", "type": "sleepAnalysis", "interval": "day"}"#)
        #expect(values.columns.first { $0.name == "duration" }?.metadata == ["unit": "s"])
    }

    @Test("An answer without a list is one row")
    func row() async throws {
        let store = try ArrowStore()
        let table = try await store.ask(#"{"question": "energy-balance"}"#)
        #expect(!table.columns.isEmpty)
    }

    // MARK: SQL

    @Test("The values of SQL give the types: instants and days of our tables, numbers, texts, bytes and nulls")
    func sql() async throws {
        let store = try ArrowStore()
        try store.save([Self.steps(100, hour: 12), Self.steps(7.5, hour: 36)])
        let table = try await store.ask(
            #"""
            {"question": "sql", "query": "SELECT start_date, day, value, 1 AS one, 'x' AS x, x'00ff' AS z, NULL AS n, '2001-02-30' AS made FROM samples ORDER BY start_time"}
            """#)
        #expect(table.columns.map(\.format) == ["tsu:Europe/Berlin", "tdD", "g", "l", "u", "z", "u", "u"])
        #expect(table.rows.count == 2)
        #expect(
            table.rows[0] == [
                .integer(978_350_400_000_000), .integer(11_323), .number(100), .integer(1), .text("x"),
                .bytes([0, 255]), .null, .text("2001-02-30"),
            ])
    }

    @Test("Where there is no value, the tables' own columns have their types; a repeated name gets a number")
    func sqlWithoutValues() async throws {
        let store = try ArrowStore()
        let query = "SELECT start_date, day, value, sequence, uuid, start_date FROM samples"
        func table() async throws -> ArrowConsumer {
            try await store.ask(#"{"question": "sql", "query": "\#(query)"}"#)
        }
        let empty = try await table()
        #expect(empty.rows.isEmpty)
        #expect(
            empty.columns.map(\.name) == ["start_date", "day", "value", "sequence", "uuid", "start_date_2"])
        try store.save([Self.steps(100, hour: 12)])
        #expect(try await table().columns == empty.columns)
    }

    @Test("A time zone that is only an offset has Arrow's name for it")
    func offset() async throws {
        let store = try ArrowStore()
        try store.save([Self.steps(100, hour: 12)])
        for question in [
            #"{"question": "samples", "type": "stepCount", "columns": ["start_date"], "timeZone": "GMT-0330"}"#,
            #"{"question": "sql", "query": "SELECT start_date FROM samples", "timeZone": "GMT-0330"}"#,
            #"{"question": "statistics", "type": "stepCount", "interval": "day", "timeZone": "GMT-0330"}"#,
        ] {
            #expect(try await store.ask(question).columns[0].format == "tsu:-03:30")
        }
    }

    @Test("A value of another type than in the first rows is an error of the stream, with advice")
    func conflict() async throws {
        let store = try ArrowStore()
        let table = try await store.ask(
            #"""
            {"question": "sql", "query": "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000) SELECT CASE WHEN i < 69999 THEN i ELSE 'text' END AS v FROM n"}
            """#)
        #expect(table.batches.map(\.count) == [65_536])
        #expect(table.error?.contains("“v”") == true && table.error?.contains("CAST") == true)
    }

    @Test(
        "Invalid and writing statements are errors when the stream is opened",
        arguments: ["SELEC", "DELETE FROM samples", "", "SELECT 1; SELECT 2"])
    func invalid(sql: String) async throws {
        let store = try ArrowStore()
        let question = #"{"question": "sql", "query": "\#(sql)"}"#
        await #expect(throws: (any Error).self) { try await store.ask(question) }
        #expect(throws: (any Error).self) { try store.check(question) }
    }

    // MARK: Answers of a server

    @Test(
        "A server's answer is the table that a store on this machine has",
        arguments: [
            #"{"question": "statistics", "type": "stepCount", "interval": "day"}"#,
            #"{"question": "types"}"#,
        ])
    func received(question: String) async throws {
        let store = try ArrowStore()
        try store.save([Self.steps(100, hour: 12), Self.steps(7, hour: 36)])
        let expected = try await store.ask(question)
        let table = try await ArrowStore().receive(question, store.json(question))
        #expect(table.columns == expected.columns && table.rows == expected.rows && !table.rows.isEmpty)
    }

    @Test("Samples that a server lists have their source, device, unit and UUID")
    func receivedSamples() throws {
        let line = """
            {"uuid": "7057817B-2B42-484B-BFA3-18ECA0F6C2BA", "type": "HKQuantityTypeIdentifierBodyMass", \
            "startDate": "2001-01-01T00:00:01Z", "endDate": "2001-01-01T00:00:02Z", "quantity": 154, "unit": "lb", \
            "source": "Scale", "bundleIdentifier": "org.example.scale", "device": "Body+", "metadata": {"a": "b"}}

            """
        let question = #"{"question": "samples", "type": "bodyMass", "timeZone": "UTC"}"#
        let table = try ArrowStore().receive(question, line + line)
        #expect(table.rows.count == 2)
        #expect(table.columns[3].metadata == ["unit": "lb"])
        #expect(table.column("value") == [.number(154), .number(154)])
        #expect(table.column("source")[0] == .text("Scale") && table.column("device")[1] == .text("Body+"))
        #expect(table.column("end_date")[0] == .integer(978_307_202_000_000))
        #expect(table.column("metadata")[1] == .list([.row(["key": .text("a"), "value": .text("b")])]))
        #expect(try ArrowStore().receive(question, "").rows.isEmpty)
        #expect(throws: (any Error).self) { try ArrowStore().receive(question, "<html>") }
    }

    @Test("Rows of SQL from a server have types; a part of them is an error")
    func receivedRows() throws {
        let question = #"{"question": "sql", "query": "SELECT 1"}"#
        let table = try ArrowStore().receive(
            question, #"{"columns": ["d", "n"], "rows": [["2001-01-02", 1.5], [null, 2]], "isTruncated": false}"#)
        #expect(table.columns.map(\.format) == ["tdD", "g"])
        #expect(table.rows == [[.integer(11_324), .number(1.5)], [.null, .number(2)]])
        #expect(throws: (any Error).self) {
            try ArrowStore().receive(question, #"{"columns": ["d"], "rows": [], "isTruncated": true}"#)
        }
    }

    // MARK: Streams

    @Test("Streams of one store are read by several threads at a time")
    func threads() async throws {
        let store = try ArrowStore()
        try store.save((0..<5_000).map { Self.steps(1, hour: Double($0)) })
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<6 {
                group.addTask { try await store.ask(#"{"question": "samples", "type": "stepCount"}"#).rows.count }
            }
            for try await count in group { #expect(count == 5_000) }
        }
    }

    @Test("An error before the columns is thrown by the opening, and the reading thread ends")
    func failure() {
        struct Failing: ArrowSource {
            struct Problem: Error {}
            func read(to output: any ArrowOutput) throws { throw Problem() }
        }
        #expect(throws: Failing.Problem.self) { try ArrowConsumer(Failing()) }
    }
}
