import Foundation
import GRDB
import HealthEngine
import HealthFormats
import HealthModel
import Testing

/// CSV, NDJSON and SQLite exports, read back and compared with the samples.
@Suite struct TableExporterTests {
    private static let steps = FormatStore.quantity("StepCount")
    private static let unix = 978_307_200.0

    private func records(_ store: FormatStore, _ type: TypeCode) throws -> [SampleRecord] {
        let selection = try store.engine.samples(
            SampleRequest(parts: [.init(type: type)], sort: [SampleSort(.start, ascending: true)]),
            as: FormatStore.owner)
        return selection.batches.flatMap { batch in
            (0..<batch.count).map {
                batch.record(at: $0, dictionaries: selection.dictionaries, identities: selection.identities)
            }
        }
    }

    /// Parses CSV as RFC 4180 describes it.
    private func cells(_ text: String) -> [[String]] {
        var rows: [[String]] = []
        var (row, cell, isQuoted) = ([String](), "", false)
        var letters = Array(text.unicodeScalars)[...]
        while let letter = letters.popFirst() {
            switch letter {
            case "\"" where isQuoted && letters.first == "\"":
                cell.unicodeScalars.append(letter)
                letters = letters.dropFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                row.append(cell)
                cell = ""
            case "\r" where !isQuoted: break
            case "\n" where !isQuoted:
                rows.append(row + [cell])
                (row, cell) = ([], "")
            default: cell.unicodeScalars.append(letter)
            }
        }
        return rows
    }

    @Test func csv() throws {
        let store = try FormatStore()
        let zone = try #require(TimeZone(identifier: "Asia/Kathmandu"))
        let report = try CSVExporter(FormatOptions(timeZone: zone)).export(
            store.engine, to: store.path("out"), as: FormatStore.owner)
        #expect(try store.names() == ["out"])
        let files = try FileManager.default.contentsOfDirectory(atPath: store.path("out"))
            .filter { $0 != ".openhealthkit-export" }
        #expect(files.count == report.files)
        #expect(
            Set(files).isSuperset(of: [
                "stepCount.csv", "sleepAnalysis.csv", "workouts.csv", "workout_events.csv", "ecg_voltages.csv",
                "characteristics.csv", "types.csv",
            ]))
        #expect(!files.contains("route_points.csv"))
        let rows = cells(try String(contentsOfFile: store.path("out/stepCount.csv"), encoding: .utf8))
        #expect(
            rows[0] == [
                "start_date", "end_date", "value", "unit", "source", "bundle_identifier", "device", "creation_date",
                "metadata", "uuid", "sequence", "start_time",
            ])
        let records = try records(store, Self.steps)
        #expect(rows.count == records.count + 1 && report.counts["stepCount"] == records.count)
        let clock = LocalClock(timeZone: zone)
        for (row, record) in zip(rows.dropFirst(), records) {
            #expect(row.count == 12)
            #expect(row[0] == clock.text(record.start) && row[1] == clock.text(record.end))
            #expect(Double(row[2]) == record.value && row[3] == "count")
            #expect(row[4] == "Journal, \"the\" 🍎")
            #expect(row[9] == record.uuid?.uuidString && row[10] == String(record.sequence))
        }
    }

    @Test func ndjson() throws {
        let store = try FormatStore()
        let report = try NDJSONExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out.ndjson"), as: FormatStore.owner)
        let lines = try String(contentsOfFile: store.path("out.ndjson"), encoding: .utf8).split(separator: "\n")
        #expect(lines.count == report.total)
        let objects = try lines.map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let steps = objects.filter { $0["type"] as? String == "stepCount" }
        let records = try records(store, Self.steps)
        #expect(steps.count == records.count)
        // Foundation's JSON parser is a few units in the last place off, so the values are read from the text.
        let values = lines.filter { $0.contains("\"HKQuantityTypeIdentifierStepCount\"") }.map { line in
            line.firstMatch(of: /"value":([-+.e0-9]+)/).flatMap { Double($0.1) }
        }
        #expect(values == records.map(\.value))
        for (line, record) in zip(steps, records) {
            #expect(line["uuid"] as? String == record.uuid?.uuidString)
            #expect((line["metadata"] != nil) == !record.metadata.isEmpty)
        }
        let workout = try #require(objects.first { $0["kind"] as? String == "workout" })
        let body = try #require(workout["body"] as? [String: Any])
        #expect(body["workoutActivityType"] as? Int == 37 && body["workoutActivityTypeName"] as? String == "running")
        let correlation = try #require(objects.first { $0["kind"] as? String == "correlation" })
        let members = Set((correlation["members"] as? [Int]) ?? [])
        #expect(
            objects.filter { members.contains($0["sequence"] as? Int ?? 0) }.compactMap { $0["value"] as? Double }
                .sorted() == [79, 121])
        let ecg = try #require(objects.first { $0["type"] as? String == "electrocardiogram" })
        #expect(((ecg["series"] as? [String: Any])?["voltages.1"] as? [Any])?.count == 3)
        #expect(objects.filter { $0["kind"] as? String == "characteristic" }.count == 2)
    }

    @Test func sqlite() throws {
        let store = try FormatStore()
        let path = store.path("out.db")
        let report = try SQLiteExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: path, as: FormatStore.owner)
        #expect(try store.names() == ["out.db"])
        let records = try records(store, Self.steps)
        let queue = try DatabaseQueue(path: path)
        try queue.read { database in
            #expect(try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").isEmpty)
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
            let rows = try Row.fetchAll(
                database,
                sql:
                    "SELECT sequence, start_time, end_time, value, unit, uuid, source FROM step_count ORDER BY start_time, sequence"
            )
            #expect(rows.count == records.count)
            for (row, record) in zip(rows, records) {
                #expect(row["sequence"] == record.sequence && row["value"] == record.value && row["unit"] == "count")
                #expect(row["start_time"] == record.start + Self.unix && row["end_time"] == record.end + Self.unix)
                let (uuid, source): (String?, String?) = (row["uuid"], row["source"])
                #expect(uuid == record.uuid?.uuidString && source == "Journal, \"the\" 🍎")
            }
            #expect(
                try Row.fetchOne(database, sql: "SELECT systolic, diastolic FROM blood_pressure") == [
                    "systolic": 121.0, "diastolic": 79.0,
                ])
            #expect(
                try String.fetchOne(
                    database,
                    sql:
                        "SELECT event FROM workout_events JOIN workouts w ON workout = w.sequence WHERE w.activity = 'running'"
                ) == "lap")
            #expect(
                try Int.fetchOne(database, sql: "SELECT count(*) FROM ecg_voltages JOIN ecgs e ON ecg = e.sequence")
                    == 3)
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM metadata WHERE key = 'HKTimeZone'") ?? 0 > 0)
            #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM samples") == report.counts["samples"])
            let plan = try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN SELECT sum(value) FROM step_count WHERE start_time > 5")
            #expect(plan.contains { ($0["detail"] as String).contains("samples_by_time") })
        }
    }

    @Test func selections() throws {
        let store = try FormatStore()
        let all = try records(store, Self.steps)
        let (since, until) = (all[50].start, all[150].start)
        let options = FormatOptions(
            selection: ContentsSelection(types: [Self.steps], since: since, until: until), timeZone: .gmt)
        let expected = all.filter { $0.start >= since && $0.start < until }.count
        let csv = try CSVExporter(options).export(store.engine, to: store.path("a"), as: FormatStore.owner)
        #expect(csv.counts["stepCount"] == expected && csv.counts["heartRate"] == nil && csv.counts["workouts"] == nil)
        let lines = try NDJSONExporter(options).export(store.engine, to: store.path("b"), as: FormatStore.owner)
        #expect(lines.counts["samples"] == expected && lines.counts["objects"] == nil)
        let plain = try SQLiteExporter(options).export(store.engine, to: store.path("c"), as: FormatStore.owner)
        #expect(
            plain.counts["samples"] == expected && plain.counts["types"] == 1 && plain.counts["ecg_voltages"] == nil)
        let fhir = try FHIRExporter(options).export(store.engine, to: store.path("d"), as: FormatStore.owner)
        #expect(fhir.counts == ["Patient": 1, "stepCount": expected])
    }

    @Test func replacesOnlyOnRequest() throws {
        let store = try FormatStore(count: 5)
        let target = store.path("there")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: target))
        let kept = FormatOptions(timeZone: .gmt)
        #expect(throws: FormatError.self) {
            try CSVExporter(kept).export(store.engine, to: target, as: FormatStore.owner)
        }
        #expect(throws: FormatError.self) {
            try NDJSONExporter(kept).export(store.engine, to: target, as: FormatStore.owner)
        }
        #expect(throws: FormatError.self) {
            try SQLiteExporter(kept).export(store.engine, to: target, as: FormatStore.owner)
        }
        #expect(throws: FormatError.self) {
            try FHIRExporter(kept).export(store.engine, to: target, as: FormatStore.owner)
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        let replacing = NDJSONExporter(FormatOptions(timeZone: .gmt, replaces: true))
        #expect(throws: FormatError.self) {
            try replacing.export(store.engine, to: target, as: FormatStore.owner)
        }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
        try FileManager.default.removeItem(atPath: target)
        for _ in 0..<2 { _ = try replacing.export(store.engine, to: target, as: FormatStore.owner) }
        #expect(try String(contentsOfFile: target, encoding: .utf8).hasPrefix("{"))
        #expect(throws: FormatError.self) {
            try CSVExporter(kept).export(store.engine, to: store.path("no/where"), as: FormatStore.owner)
        }
        #expect(try store.names() == ["there"])
    }
}
