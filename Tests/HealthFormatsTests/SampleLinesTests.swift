import Foundation
import HealthEngine
import HealthFormats
import HealthImport
import HealthModel
import HealthSQL
import Testing

/// Lines made from columns, compared with those that `hk sql` writes for the same samples.
@Suite struct SampleLinesTests {
    private static let lines = """
        SELECT CASE WHEN unit IS NULL THEN 'category' ELSE 'quantity' END AS kind, type, identifier, start_date,
            end_date, value, value_name, unit, source, bundle_identifier, revision_id, device, device_id,
            creation_date, metadata, uuid, sequence
        FROM samples
        """

    /// A store with values, texts and dates that are rarely seen.
    private func makeStore() throws -> FormatStore {
        let store = try FormatStore()
        var batch = BulkBatch(columns: [], dictionaries: StoreDictionaries())
        let names = ["a,b", " \"quoted\" ", "line\nbreak\r\u{1}", "", "Ünïcödé 🍎"]
        for name in names {
            let source = SourceRecord(bundleIdentifier: "org.example.\(name.utf8.count)", name: name)
            batch.dictionaries.sources.append(source)
            batch.dictionaries.revisions.append(SourceRevisionRecord(source: source, version: "1"))
            batch.dictionaries.devices.append(
                DeviceRecord(name: name.isEmpty ? nil : name, model: name.isEmpty ? nil : "M"))
        }
        batch.dictionaries.units = ["count", "km, \"far\""]
        let values = [
            0, -0.0, 1, -17, 0.1, -2.5e-9, 1e15, 123_456_789_012_345, 1e300, .greatestFiniteMagnitude,
            .leastNonzeroMagnitude, 9.007e15, 5e18, 4,
        ]
        for type in [
            FormatStore.quantity("DistanceCycling"), FormatStore.type("HKCategoryTypeIdentifierSleepAnalysis"),
        ] {
            var columns = SampleColumns(type: type)
            for (index, value) in values.enumerated() {
                columns.starts.append(-3e9 + Double(index) * 1e9 / 3 + 0.123_456)
                columns.ends.append(columns.starts[index] + Double(index % 3))
                columns.values.append(value)
                columns.units.append(type == FormatStore.quantity("DistanceCycling") ? UInt32(index % 3) : 0)
                columns.revisions.append(UInt32(1 + index % names.count))
                columns.devices.append(UInt32(index % (names.count + 1)))
                columns.metadata.numbers.append(UInt32(index % 3))
                columns.creations.append(index % 2 == 0 ? .nan : Double(index) * 1e8)
            }
            columns.metadata.table = [
                Metadata([
                    .init(key: "text", value: .string("x, \"y\"\n")), .init(key: "when", value: .date(7e8)),
                    .init(key: "size", value: .quantity(1.5, unit: "m")), .init(key: "yes", value: .bool(true)),
                ]),
                Metadata([.init(key: "_internal", value: .integer(1))]),
            ]
            batch.columns.append(columns)
        }
        _ = try BulkImport(engine: store.engine).commit(batch)
        return store
    }

    /// Returns what a row writer writes for a statement.
    private func written(
        _ sql: String, as format: RowFormat, _ store: FormatStore, _ zone: TimeZone
    ) throws -> [UInt8] {
        try store.engine.withReader(as: FormatStore.owner) { reading in
            let database = try HealthDatabase(reading, timeZone: zone)
            let statement = try database.statement(sql)
            var bytes: [UInt8] = []
            var writer = RowWriter(statement, as: format, omitsNull: true) { bytes += $0 }
            try writer.begin()
            while try statement.step() { try writer.write(statement) }
            try writer.end()
            return bytes
        }
    }

    @Test(arguments: ["GMT", "America/St_Johns", "Asia/Kathmandu"])
    func ndjsonIsThatOfSQL(zone name: String) throws {
        let store = try makeStore()
        let zone = try #require(TimeZone(identifier: name))
        let report = try NDJSONExporter(FormatOptions(timeZone: zone))
            .export(store.engine, to: store.path("out"), as: FormatStore.owner)
        let expected = try written(Self.lines, as: .ndjson, store, zone)
        let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: store.path("out"))))
        let lines = file.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let samples = lines.filter { $0.hasPrefix("{\"kind\":\"quantity\"") || $0.hasPrefix("{\"kind\":\"category\"") }
        #expect(samples == expected.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) })
        #expect(report.counts["samples"] == samples.count && samples.count > 600)
    }

    @Test func csvIsThatOfSQL() throws {
        let store = try makeStore()
        let zone = try #require(TimeZone(identifier: "America/St_Johns"))
        _ = try CSVExporter(FormatOptions(timeZone: zone))
            .export(store.engine, to: store.path("out"), as: FormatStore.owner)
        for (type, column) in [
            ("stepCount", "unit"), ("heartRate", "unit"), ("distanceCycling", "unit"), ("sleepAnalysis", "value_name"),
        ] {
            let sql = """
                SELECT start_date, end_date, value, \(column), source, bundle_identifier, device, creation_date,
                    metadata, uuid, sequence, start_time FROM samples WHERE type = '\(type)'
                """
            let file = try Data(contentsOf: URL(fileURLWithPath: store.path("out/\(type).csv")))
            #expect(
                try String(decoding: file, as: UTF8.self)
                    == String(decoding: written(sql, as: .csv, store, zone), as: UTF8.self), "\(type)")
        }
    }

    @Test func selectionsAreThoseOfSQL() throws {
        let store = try makeStore()
        let types: Set = [FormatStore.quantity("StepCount"), FormatStore.type("HKCategoryTypeIdentifierSleepAnalysis")]
        let selection = ContentsSelection(types: types, since: 0, until: 1e9)
        _ = try NDJSONExporter(FormatOptions(selection: selection, timeZone: .gmt))
            .export(store.engine, to: store.path("out"), as: FormatStore.owner)
        let condition =
            " WHERE type IN ('sleepAnalysis', 'stepCount') AND start_time >= 978307200.0 AND start_time < 1978307200.0"
        let file = try String(contentsOfFile: store.path("out"), encoding: .utf8)
        let expected = try written(Self.lines + condition, as: .ndjson, store, .gmt)
        #expect(!expected.isEmpty && file.hasPrefix(String(decoding: expected, as: UTF8.self)))
    }

    @Test("A type has one spelling and one unit in CSV, NDJSON and SQL")
    func oneUnit() throws {
        let store = try FormatStore()
        let mass = FormatStore.quantity("BodyMass")
        let written = [(70.0, "kg"), (154, "lb"), (71, "kg")]
        try store.engine.save(
            written.enumerated().map { day, entry in
                let start = 600_000_000 + Double(day) * 86_400
                return .sample(SampleRecord(type: mass, start: start, end: start, value: entry.0, unit: entry.1))
            }, as: FormatStore.owner)
        for chosen in [nil, "lb", "g"] {
            try store.engine.profile.update { $0.preferredUnits["HKQuantityTypeIdentifierBodyMass"] = chosen }
            let unit = chosen ?? "kg"
            let (folder, file) = (store.path("csv-\(unit)"), store.path("ndjson-\(unit)"))
            let options = FormatOptions(selection: ContentsSelection(types: [mass]), timeZone: .gmt)
            _ = try CSVExporter(options).export(store.engine, to: folder, as: FormatStore.owner)
            let csv = try String(contentsOfFile: folder + "/bodyMass.csv", encoding: .utf8)
            let rows = csv.components(separatedBy: "\r\n").dropFirst().dropLast()
            #expect(rows.count >= 3 && rows.allSatisfy { $0.contains(",\(unit),") })
            let sql = """
                SELECT start_date, end_date, value, unit, source, bundle_identifier, device, creation_date, metadata, uuid,
                    sequence, start_time FROM samples WHERE type = 'bodyMass'
                """
            #expect(try csv == String(decoding: self.written(sql, as: .csv, store, .gmt), as: UTF8.self))
            _ = try NDJSONExporter(options).export(store.engine, to: file, as: FormatStore.owner)
            let lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n").filter {
                $0.hasPrefix("{\"kind\":\"quantity\"")
            }
            #expect(
                lines.count == rows.count
                    && lines.allSatisfy {
                        $0.contains(#""type":"bodyMass","identifier":"HKQuantityTypeIdentifierBodyMass""#)
                            && $0.contains(#""unit":"\#(unit)""#)
                    })
        }
    }
}
