import Foundation
import HealthAnswers
import HealthModel
import Testing

@Suite("Samples as Arrow batches")
struct SampleBatchesTests {
    private static let mass = ArrowStore.type("bodyMass")
    private static let sleep = ArrowStore.type("sleepAnalysis")

    private static func mass(_ value: Double, _ unit: String, at start: Double) -> SampleRecord {
        SampleRecord(type: mass, start: start, end: start, value: value, unit: unit)
    }

    @Test("Columns have types, time zone, unit and nulls; values are in the unit that is asked for")
    func columns() async throws {
        let store = try ArrowStore()
        let uuid = UUID()
        var first = Self.mass(70, "kg", at: 0.5)
        first.uuid = uuid
        first.device = DeviceRecord(name: "Scale")
        first.metadata = Metadata([
            .init(key: "HKWasUserEntered", value: .bool(true)), .init(key: "Fat", value: .quantity(20.5, unit: "%")),
            .init(key: "_archived.order", value: .string("hidden")),
        ])
        try store.save([first, Self.mass(100, "lb", at: 1)])
        let table = try await store.ask(#"{"question": "samples", "type": "bodyMass", "unit": "kg"}"#)
        #expect(
            table.columns.map(\.name) == [
                "type", "start_date", "end_date", "value", "source", "device", "metadata", "uuid",
            ])
        #expect(
            table.columns.map(\.format) == [
                "S", "tsu:Europe/Berlin", "tsu:Europe/Berlin", "g", "S", "S", "+m", "w:16",
            ])
        #expect(table.columns.map(\.hasDictionary) == [true, false, false, false, true, true, false, false])
        #expect(table.columns[3].metadata == ["unit": "kg"])
        #expect(
            table.columns[7].metadata == ["ARROW:extension:name": "arrow.uuid", "ARROW:extension:metadata": ""])
        #expect(table.column("start_date") == [.integer(978_307_200_500_000), .integer(978_307_201_000_000)])
        #expect(table.column("value") == [.number(70), .number(45.359237)])
        #expect(table.column("source") == [.text("Watch"), .text("Watch")])
        #expect(table.column("device") == [.text("Scale"), .null])
        #expect(
            table.column("metadata") == [
                .list([
                    .row(["key": .text("HKWasUserEntered"), "value": .text("true")]),
                    .row(["key": .text("Fat"), "value": .text("20.5 %")]),
                ]), .null,
            ])
        #expect(table.column("uuid")[0] == .bytes(withUnsafeBytes(of: uuid.uuid) { Array($0) }))
        #expect(table.column("uuid")[1] != table.column("uuid")[0])
    }

    @Test("Category values are names; several types have a unit and a name each")
    func names() async throws {
        let store = try ArrowStore()
        try store.save([
            SampleRecord(type: Self.sleep, start: 0, end: 60, value: 4),
            SampleRecord(type: Self.sleep, start: 60, end: 120, value: 2), Self.mass(70, "kg", at: 9),
        ])
        let sleep = try await store.ask(#"{"question": "samples", "type": "sleepAnalysis", "columns": ["value"]}"#)
        #expect(sleep.columns.map(\.hasDictionary) == [true])
        #expect(sleep.rows == [[.text("asleepDeep")], [.text("awake")]])
        let both = try await store.ask(
            #"{"question": "samples", "type": ["sleepAnalysis", "bodyMass"], "unit": null}"#)
        #expect(
            both.columns.map(\.name).prefix(6) == ["type", "start_date", "end_date", "value", "value_name", "unit"])
        #expect(both.column("value").prefix(2) == [.number(4), .number(2)])
        #expect(both.column("value_name") == [.text("asleepDeep"), .text("awake"), .null])
        #expect(both.column("unit").prefix(2) == [.null, .null])
        #expect(both.column("unit")[2] != .null)
    }

    @Test("Batches have at most 65,536 rows; dictionaries grow with them; a limit cuts the last")
    func batches() async throws {
        let store = try ArrowStore(pageCapacity: 1_000)
        let count = 140_000
        try store.save((0..<count / 2).map { Self.mass(Double($0), "kg", at: Double($0)) }, from: "Watch")
        try store.save((count / 2..<count).map { Self.mass(Double($0), "kg", at: Double($0)) }, from: "Phone")
        let question = #"{"question": "samples", "type": "bodyMass", "columns": ["value", "source"], "unit": "kg""#
        let table = try await store.ask(question + "}")
        #expect(table.batches.allSatisfy { $0.count <= 65_536 })
        #expect(table.batches.count == 3)
        #expect(table.column("value") == (0..<count).map { .number(Double($0)) })
        #expect(table.rows[0][1] == .text("Watch") && table.rows[count - 1][1] == .text("Phone"))
        let limited = try await store.ask(question + #", "limit": 70001}"#)
        #expect(limited.rows.count == 70_001)
        #expect(limited.rows.last?[0] == .number(70_000))
        let none = try await store.ask(question + #", "limit": 0}"#)
        #expect(none.batches.isEmpty && none.columns.count == 2)
        // The thread that reads ahead ends with a stream of which only the beginning is read.
        #expect(try await store.ask(question + "}", limit: 1).batches.count == 1)
    }

    @Test(
        "A table with more texts than a dictionary has numbers continues with another dictionary",
        arguments: [1_000, 65_536])
    func manyTexts(pageCapacity: Int) async throws {
        let store = try ArrowStore(pageCapacity: pageCapacity)
        // The second half doesn't fit into a dictionary beside the first, even if it is one page.
        let count = 131_072
        func device(_ number: Int) -> String? {
            number < count / 2 ? "Scale \(number % 20_000)" : number % 9 == 0 ? nil : "Watch \(number)"
        }
        try store.save(
            (0..<count).map { number in
                var sample = Self.mass(70, "kg", at: Double(number))
                sample.device = device(number).map { DeviceRecord(name: $0) }
                return sample
            })
        let table = try await store.ask(
            #"{"question": "samples", "type": "bodyMass", "columns": ["device"], "unit": "kg"}"#)
        #expect(table.column("device") == (0..<count).map { device($0).map { .text($0) } ?? .null })
    }

    @Test("Only what is in the range, of the source and of the value is in the table")
    func selection() async throws {
        let store = try ArrowStore()
        try store.save((0..<300).map { Self.mass(70, "kg", at: Double($0) * 86_400) })
        var other = Self.mass(1, "kg", at: 86_400)
        other.device = DeviceRecord(name: "Größe & Co")
        try store.save([other], from: "Scale")
        func count(_ parameters: String) async throws -> Int {
            try await store.ask(#"{"question": "samples", "type": "bodyMass", \#(parameters)}"#).rows.count
        }
        #expect(try await count(#""start": "2001-01-02T00:00:00Z", "end": "2001-01-04T00:00:00Z""#) == 3)
        #expect(try await count(#""source": ["Scale"]"#) == 1)
        #expect(try await count(#""source": ["Nobody"]"#) == 0)
        try store.save([Self.mass(2, "kg", at: 86_400)], from: "Anna, Phone")
        #expect(try await count(#""source": ["Anna\\, Phone"]"#) == 1)
        #expect(try await count(#""source": "Scale, Anna\\, Phone""#) == 2)
        #expect(try await count(#""device": "Größe & Co""#) == 1)
        #expect(try await count(#""device": ["Nobody"]"#) == 0)
        let mean = try await store.ask(
            #"{"question": "statistics", "type": "bodyMass", "device": "Größe & Co", "unit": "kg"}"#)
        #expect(mean.column("average") == [.number(1)])
    }

    @Test(
        "Invalid parameters are errors before anything is read",
        arguments: [
            #"{"question": "samples"}"#, #"{"question": "samples", "type": "hartRate"}"#,
            #"{"question": "samples", "type": "workout"}"#,
            #"{"question": "samples", "type": "bodyMass", "unit": "s"}"#,
            #"{"question": "samples", "type": "bodyMass", "columns": ["values"]}"#,
            #"{"question": "samples", "type": "bodyMass", "limit": -1}"#,
            #"{"question": "samples", "type": "bodyMass", "start": {"day": 1}}"#,
            #"{"question": "samples", "type": "bodyMass", "begin": "2024-01-01"}"#, #"{"question": "nonsense"}"#,
            #"{"question": "workouts/1/2"}"#, "[]", "",
        ])
    func errors(question: String) throws {
        let store = try ArrowStore()
        #expect(throws: ParameterError.self) { try store.check(question) }
    }
}
