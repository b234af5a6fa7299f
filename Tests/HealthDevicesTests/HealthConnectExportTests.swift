import Foundation
import GRDBSQLite
import HealthEngine
import HealthFiles
import HealthFormats
import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthDevices

@Suite("Exporting to Health Connect")
struct HealthConnectExportTests {
    private let engine: HealthEngine
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("android-\(UUID().uuidString)")
    /// 2023-03-08T20:26:40Z.
    private static let start = 700_000_000.0
    private static let (watch, phone, reader) = (caller("watch"), caller("phone"), caller("reader"))

    private static func caller(_ name: String) -> Caller {
        let source = SourceRecord(bundleIdentifier: "org.example.\(name)", name: "Jo’s \(name)")
        return Caller(revision: SourceRevisionRecord(source: source), permission: .owner)
    }

    init() throws {
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    // MARK: - The store

    private static let device = DeviceRecord(name: "Watch", manufacturer: "Apple Inc.", model: "Watch")

    private static func quantity(
        _ name: String, _ unit: String, _ value: Double, _ start: Double, _ length: Double = 0,
        metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(
            type: MeasuredType.code("HKQuantityTypeIdentifier" + name), start: Self.start + start,
            end: Self.start + start + length, value: value, unit: unit, device: device, metadata: metadata)
    }

    private static func category(
        _ name: String, _ value: Int, _ start: Double, _ length: Double = 0, metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(
            type: MeasuredType.code("HKCategoryTypeIdentifier" + name), start: Self.start + start,
            end: Self.start + start + length, value: Double(value), metadata: metadata)
    }

    private static func correlation(
        _ name: String, _ start: Double, _ members: [SampleRecord], metadata: Metadata = .empty
    ) -> SaveItem {
        .object(
            ObjectRecord(
                type: MeasuredType.code("HKCorrelationTypeIdentifier" + name), start: Self.start + start,
                end: Self.start + start, metadata: metadata, members: members))
    }

    private func save(_ samples: [SampleRecord], as caller: Caller = watch) throws {
        try engine.save(samples.map { .sample($0) }, as: caller)
    }

    private func saveRun(at start: Double, events: [WorkoutBody.Event] = [], title: String? = nil) throws {
        let times = (0..<60).map { Self.start + start + Double($0) * 30 }
        let columns: [RouteDocument.Column: [Double]] = [
            .timestamps: times, .latitudes: times.indices.map { 52.5 + Double($0) / 1_000 },
            .longitudes: times.map { _ in 13.4 }, .altitudes: times.map { _ in 34 },
            .horizontalAccuracies: times.map { _ in 4 }, .verticalAccuracies: times.map { _ in 3 },
        ]
        let route = ObjectRecord(
            type: MeasuredType.code("HKWorkoutRouteTypeIdentifier"), start: times[0], end: times[59],
            body: .document(
                DocumentBody(series: Dictionary(uniqueKeysWithValues: columns.map { ($0.rawValue, $1) }))))
        try engine.save(
            ObjectRecord(
                type: MeasuredType.code("HKWorkoutTypeIdentifier"), start: Self.start + start,
                end: Self.start + start + 1_800,
                metadata: Metadata(title.map { [.init(key: "Title", value: .string($0))] } ?? []),
                body: .workout(WorkoutBody(activityType: 37, duration: 1_800, events: events))),
            owning: [], parts: [route], as: Self.watch)
    }

    /// Saves some of everything that Health Connect has.
    private func saveDays(_ count: Int, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for day in 0..<count {
            let base = Double(day) * 86_400
            var samples: [SampleRecord] = []
            for hour in 8..<20 {
                let time = base + Double(hour) * 3_600
                let steps = Double(Int.random(in: 1...900, using: &random))
                samples.append(Self.quantity("StepCount", "count", steps, time, 600))
                samples.append(Self.quantity("DistanceWalkingRunning", "km", steps / 1_024, time, 600))
                samples.append(Self.quantity("ActiveEnergyBurned", "kcal", steps / 8, time, 600))
                let rate = Double(Int.random(in: 50...150, using: &random))
                samples.append(Self.quantity("HeartRate", "count/min", rate, time + 0.25))
                samples.append(Self.quantity("BloodGlucose", MeasuredType.glucose.unit, rate / 16, time))
            }
            let flags = Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))])
            samples += [
                Self.quantity("DietaryWater", "L", 0.25, base, metadata: flags),
                Self.quantity("BodyMass", "kg", 80.5, base), Self.quantity("BodyFatPercentage", "%", 0.25, base),
                Self.quantity("OxygenSaturation", "%", 0.5, base), Self.quantity("VO2Max", "mL/min·kg", 42.5, base),
                Self.category("MindfulSession", 0, base, 300),
            ]
            if day < 4 {
                let metadata = Metadata([.init(key: MetadataKey.menstrualCycleStart, value: .bool(day == 0))])
                samples.append(Self.category("MenstrualFlow", 2 + day % 3, base, metadata: metadata))
            }
            try save(samples)
            // The phone knows the time in bed, the watch the stages.
            try save([Self.category("SleepAnalysis", 0, base + 80_000, 28_000)], as: Self.phone)
            var stages: [SampleRecord] = []
            var time = base + 80_000
            while time < base + 105_000 {
                let length = Double(Int.random(in: 60...3_600, using: &random))
                stages.append(Self.category("SleepAnalysis", random.pick([1, 2, 3, 4, 5]), time, length))
                time += length
            }
            try save(stages)
            let pressure = [("Systolic", 121.0), ("Diastolic", 79)].map {
                Self.quantity("BloodPressure" + $0, "mmHg", $1, base + 60)
            }
            let meal = [
                Self.quantity("DietaryEnergyConsumed", "kcal", 450, base + 90),
                Self.quantity("DietaryProtein", "g", 20.5, base + 90),
            ]
            try engine.save(
                [
                    Self.correlation("BloodPressure", base + 60, pressure),
                    Self.correlation(
                        "Food", base + 90, meal,
                        metadata: Metadata([.init(key: "HKFoodType", value: .string("Soup"))])),
                ], as: Self.phone)
            if day % 3 == 0 { try saveRun(at: base + 9 * 3_600) }
        }
    }

    // MARK: - Files

    private func export(_ name: String = "android.zip") throws -> (path: String, report: FormatReport) {
        let path = folder.appendingPathComponent(name).path
        let options = FormatOptions(timeZone: try #require(TimeZone(identifier: "Europe/Berlin")))
        return (path, try HealthConnectExporter(options).export(engine, to: path, as: Self.reader))
    }

    /// The database in a zip file, as a file.
    private func database(_ path: String) throws -> String {
        let reader = try ZipReader(path: path)
        #expect(reader.entries.map(\.name) == ["health_connect_export.db"])
        let stream = try reader.stream(of: reader.entries[0])
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while case let count = try stream.read(into: buffer), count > 0 { bytes += buffer[..<count] }
        let database = folder.appendingPathComponent("\(UUID().uuidString).db").path
        try Data(bytes).write(to: URL(fileURLWithPath: database))
        return database
    }

    /// The rows of a query on the database in a zip file, with columns divided by “|”.
    private func rows(_ path: String, _ query: String) throws -> [String] {
        let database = try database(path)
        var (handle, statement): (OpaquePointer?, OpaquePointer?)
        #expect(sqlite3_open(database, &handle) == SQLITE_OK)
        defer {
            sqlite3_finalize(statement)
            sqlite3_close(handle)
        }
        #expect(sqlite3_prepare_v2(handle, query, -1, &statement, nil) == SQLITE_OK)
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let columns = (0..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
            }
            rows.append(columns.joined(separator: "|"))
        }
        return rows
    }

    private func imported(_ path: String, into engine: HealthEngine) throws -> ImportReport {
        try #require(try FileImporter.run(path: path, options: .init()) { engine })
    }

    /// The contents of a store, without identities of samples that share a record with others.
    private func contents(_ engine: HealthEngine) throws -> [String] {
        try engine.withReader(as: .reader) { reading in
            var lines: [String] = []
            for type in try reading.types() {
                for place in try reading.objects(of: type.code) {
                    let object = try #require(try reading.object(place.sequence))
                    var line = "\(type.shortName) \(object.start) \(object.end)"
                    line += " \(object.revision?.source.bundleIdentifier ?? "") \(object.metadata["HKFoodType"] as Any)"
                    if case .workout(let workout) = object.body {
                        line += " \(workout.activityType) \(workout.duration) \(object.uuid as Any)"
                    }
                    lines.append(line)
                }
                let unit = MeasuredType.all(type.code)?.unit ?? ""
                for page in try reading.pages(of: type.code) {
                    let rows = try reading.rows(of: page, columns: .all)
                    for row in 0..<rows.count {
                        let sample = rows.record(
                            at: row, dictionaries: reading.dictionaries, identities: reading.identities)
                        let conversion = UnitConversion(between: sample.unit, and: unit) ?? .identity
                        let value = (conversion(sample.value) * 1e9).rounded() / 1e9
                        let isOne = ["stepCount", "heartRate", "bloodGlucose", "dietaryWater"].contains(type.shortName)
                        lines.append(
                            "\(type.shortName) \(sample.start) \(sample.end) \(value) "
                                + "\(sample.revision?.source.name ?? "") \(isOne ? sample.uuid?.uuidString ?? "" : "")")
                    }
                }
            }
            return lines.sorted()
        }
    }

    // MARK: - Tests

    @Test("What was exported is the same in another store, and adds nothing to its own", arguments: [11 as UInt64])
    func roundTrip(seed: UInt64) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try saveDays(20, seed: seed)
        let (path, report) = try export()
        #expect(report.leftOut == [:] && report.counts["stepCount"] == 240)
        let original = try contents(engine)
        let copy = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        let first = try imported(path, into: copy)
        #expect(first.skips == [] && first.irregularities == [:])
        let found = try contents(copy)
        #expect(Set(original).subtracting(found) == [] && Set(found).subtracting(original) == [])
        #expect(found.count == original.count)
        // Into the one from which it was exported, and again into the other one.
        for store in [engine, copy] {
            #expect(try imported(path, into: store).added == [:])
        }
        #expect(try contents(engine) == original)
    }

    @Test("The database is whole, has Android’s version, and refers to nothing that isn’t there")
    func whole() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try saveDays(2, seed: 3)
        let path = try export().path
        #expect(try rows(path, "PRAGMA integrity_check") == ["ok"])
        #expect(try rows(path, "PRAGMA foreign_key_check") == [])
        #expect(try rows(path, "PRAGMA user_version") == ["14"])
        let tables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'"
        #expect(try rows(path, tables) == ["64"])
        // Android’s order of applications for activity and sleep.
        let order = try rows(path, "SELECT * FROM health_data_category_priority_table ORDER BY 2").map {
            $0.split(separator: "|").dropFirst().joined(separator: "|")
        }
        #expect(order.map { $0.prefix(2) } == ["1|", "5|"])
        let packages = try rows(path, "SELECT package_name, app_name FROM application_info_table ORDER BY 1")
        #expect(packages == ["org.example.phone|Jo’s phone", "org.example.watch|Jo’s watch"])
    }

    @Test("A record has its sample’s times, offset, day, source, device, identity and value in Health Connect’s unit")
    func record() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let zone = Metadata([.init(key: MetadataKey.timeZone, value: .string("Asia/Tokyo"))])
        let uuid = try #require(UUID(uuidString: "5B1C1A0E-0000-4000-8000-000000000001"))
        var steps = Self.quantity("StepCount", "count", 120, 0, 60.5)
        steps.uuid = uuid
        try save([
            steps, Self.quantity("BodyMass", "lb", 100, 0, metadata: zone),
            Self.quantity("BodyTemperature", "degF", 98.6, 0), Self.quantity("HeartRate", "count/s", 1.26, 0),
        ])
        let path = try export().path
        let columns = "client_record_id, start_time, start_zone_offset, end_time, local_date, recording_method, count"
        #expect(
            try rows(path, "SELECT hex(uuid), \(columns), local_date_time_start_time FROM steps_record_table") == [
                "5B1C1A0E000040008000000000000001|5B1C1A0E-0000-4000-8000-000000000001|1678307200000|3600|"
                    + "1678307260500|19424|0|120|1678310800000"
            ])
        // In Tokyo it is the next day.
        #expect(
            try rows(path, "SELECT zone_offset, local_date, round(weight, 2) FROM weight_record_table") == [
                "32400|19425|45359.24"
            ])
        #expect(
            try rows(path, "SELECT measurement_location, round(temperature, 6) FROM body_temperature_record_table")
                == ["0|37.0"])
        #expect(
            try rows(
                path,
                """
                SELECT beats_per_minute, epoch_millis, manufacturer, model, device_type, package_name
                FROM heart_rate_record_series_table JOIN heart_rate_record_table AS r ON r.row_id = parent_key
                JOIN device_info_table AS d ON d.row_id = device_info_id
                JOIN application_info_table AS a ON a.row_id = app_info_id
                """) == ["76|1678307200000|Apple Inc.|Watch|1|org.example.watch"])
    }

    @Test("Of stages, laps and segments that overlap the first counts; the rest, and what has no record, is counted")
    func leftOut() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try save([
            Self.category("SleepAnalysis", 3, 0, 600), Self.category("SleepAnalysis", 4, 300, 600),
            Self.category("SleepAnalysis", 5, 600, 600), Self.category("SleepAnalysis", 4, 9_000, 600),
            Self.quantity("HeartRateVariabilitySDNN", "ms", 40, 0), Self.category("AppleStandHour", 0, 0, 3_600),
        ])
        let run = Self.start + 90_000
        let events: [WorkoutBody.Event] = [
            .init(type: 7, start: run, end: run + 300), .init(type: 7, start: run, end: run + 500),
            .init(type: 1, start: run + 400, end: run + 400), .init(type: 2, start: run + 460, end: run + 460),
            .init(type: 3, start: run, end: run + 900), .init(type: 3, start: run + 900, end: run + 1_800),
        ]
        try saveRun(at: 90_000, events: events)
        let (path, report) = try export()
        #expect(
            report.leftOut == [
                "sleepAnalysis": 1, "heartRateVariabilitySDNN": 1, "appleStandHour": 1, "lap or segment": 1,
            ])
        func times(_ columns: String, _ table: String) throws -> [String] {
            try rows(path, "SELECT \(columns) FROM \(table) ORDER BY rowid")
        }
        let zero = "1678307200000"
        #expect(
            try times("(start_time - \(zero)) / 1000, (end_time - \(zero)) / 1000", "sleep_session_record_table") == [
                "0|1200", "9000|9600",
            ])
        #expect(try times("parent_key, stage_type", "sleep_stages_table") == ["1|4", "1|6", "2|5"])
        let base = "(1678307200000 + 90000000)"
        #expect(
            try times(
                "(segment_start_time - \(base)) / 1000, (segment_end_time - \(base)) / 1000, segment_type",
                "exercise_segments_table") == ["0|300|0", "400|460|67"])
        #expect(
            try times("(lap_start_time - \(base)) / 1000, (lap_end_time - \(base)) / 1000", "exercise_laps_table") == [
                "0|900", "900|1800",
            ])
        #expect(try times("exercise_type, has_route", "exercise_session_record_table") == ["33|1"])
        #expect(try times("count(*)", "exercise_route_table") == ["60"])
    }

    @Test("A workout keeps its title")
    func title() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try saveRun(at: 0, title: "To work")
        try saveRun(at: 9_000)
        let path = try export().path
        let titles = "SELECT coalesce(title, 'none') FROM exercise_session_record_table ORDER BY start_time"
        #expect(try rows(path, titles) == ["To work", "none"])
        let copy = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        _ = try imported(path, into: copy)
        let workout = MeasuredType.code("HKWorkoutTypeIdentifier")
        let found = try copy.samples(SampleRequest(parts: [.init(type: workout)]), as: Self.reader).objects
            .sorted { $0.start < $1.start }
        #expect(found.map { $0.metadata["Title"] } == [.string("To work"), nil])
    }

    @Test("What Android exported again is known: it has the identities, but forgets what it doesn’t know")
    func again() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try saveDays(3, seed: 5)
        let original = try contents(engine)
        let path = try export().path
        let database = try database(path)
        var handle: OpaquePointer?
        #expect(sqlite3_open(database, &handle) == SQLITE_OK)
        // Other numbers of applications and devices, and a record of Android’s own.
        let changes = """
            UPDATE application_info_table SET row_id = row_id + 100, app_name = NULL;
            UPDATE device_info_table SET row_id = row_id + 100;
            UPDATE steps_record_table SET app_info_id = app_info_id + 100, device_info_id = device_info_id + 100;
            INSERT INTO steps_record_table (uuid, app_info_id, device_info_id, start_time, end_time, count)
            VALUES (randomblob(16), 101, 101, 1778307200000, 1778307260000, 77);
            """
        #expect(sqlite3_exec(handle, changes, nil, nil, nil) == SQLITE_OK)
        sqlite3_close(handle)
        #expect(try imported(database, into: engine).added == ["HKQuantityTypeIdentifierStepCount": 1])
        #expect(try contents(engine).count == original.count + 1)
    }
}

extension MeasuredType {
    /// The type of a table, with the unit in which the reader gives it.
    fileprivate static func all(_ code: TypeCode) -> MeasuredType? {
        (HealthConnectTable.all.map(\.type) + HealthConnectTable.series.flatMap(\.types)).first { $0.code == code }
    }
}
