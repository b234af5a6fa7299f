import Foundation
import GRDBSQLite
import HealthEngine
import HealthFiles
import HealthModel
import HealthStorage
import Testing

@testable import HealthDevices

@Suite("Importing Health Connect’s database")
struct HealthConnectTests {
    private let engine: HealthEngine
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("connect-\(UUID().uuidString)")

    init() throws {
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// The columns of every record, and those of a moment and of a period.
    private static let record = "row_id INTEGER PRIMARY KEY, uuid BLOB, app_info_id INTEGER, device_info_id INTEGER"
    private static let moment = "\(record), time INTEGER, zone_offset INTEGER"
    private static let period =
        "\(record), start_time INTEGER, start_zone_offset INTEGER, end_time INTEGER, end_zone_offset INTEGER"

    /// Writes a database as the sources of Android describe it, with these statements in addition.
    private func write(_ more: String = "", to name: String = "health_connect_export.db") throws -> String {
        let path = folder.appendingPathComponent(name).path
        var handle: OpaquePointer?
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        let base = 1_714_560_000_000
        let statements = """
            CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT, app_name TEXT);
            INSERT INTO application_info_table VALUES (1, 'com.example.watch', 'Watch'), (2, 'com.example.scale', NULL);
            CREATE TABLE device_info_table (row_id INTEGER PRIMARY KEY, manufacturer TEXT, model TEXT, device_type INTEGER);
            INSERT INTO device_info_table VALUES (1, 'Google', 'Pixel Watch', 1);
            CREATE TABLE steps_record_table (\(Self.period), count INTEGER,
            local_date_time_start_time INTEGER AS (start_time + 1000 * start_zone_offset));
            INSERT INTO steps_record_table VALUES (1, x'00', 1, 1, \(base), 7200, \(base + 60_000), 7200, 120),
            (2, x'01', 1, 1, \(base), 7200, \(base + 60_000), 7200, 0);
            CREATE TABLE active_calories_burned_record_table (\(Self.period), energy REAL);
            INSERT INTO active_calories_burned_record_table VALUES (1, x'00', 1, 1, \(base), 0, \(base + 60_000), 0, 12500);
            CREATE TABLE total_calories_burned_record_table (\(Self.period), energy REAL);
            INSERT INTO total_calories_burned_record_table VALUES (1, x'00', 1, 1, \(base), 0, \(base + 60_000), 0, 22500);
            CREATE TABLE weight_record_table (\(Self.moment), weight REAL);
            INSERT INTO weight_record_table VALUES (1, x'00', 2, NULL, \(base), 7200, 80500);
            CREATE TABLE blood_pressure_record_table (\(Self.moment), systolic REAL, diastolic REAL);
            INSERT INTO blood_pressure_record_table VALUES (1, x'00', 2, NULL, \(base), 7200, 121, 79);
            CREATE TABLE blood_glucose_record_table (\(Self.moment), level REAL);
            INSERT INTO blood_glucose_record_table VALUES (1, x'00', 2, NULL, \(base), 7200, 5.5);
            CREATE TABLE heart_rate_record_table (\(Self.period));
            INSERT INTO heart_rate_record_table VALUES (1, x'00', 1, 1, \(base), 7200, \(base + 600_000), 7200);
            CREATE TABLE heart_rate_record_series_table (parent_key INTEGER, beats_per_minute INTEGER, epoch_millis INTEGER);
            INSERT INTO heart_rate_record_series_table VALUES (1, 110, \(base + 1_500)), (1, 130, \(base + 10_000));
            CREATE TABLE SpeedRecordTable (\(Self.period));
            INSERT INTO SpeedRecordTable VALUES (1, x'00', 1, 1, \(base), 7200, \(base + 600_000), 7200);
            CREATE TABLE speed_record_table (parent_key INTEGER, speed REAL, epoch_millis INTEGER);
            INSERT INTO speed_record_table VALUES (1, 3.5, \(base + 2_000)), (1, 1.5, \(base + 9_000_000));
            CREATE TABLE sleep_session_record_table (\(Self.period), notes TEXT, title TEXT);
            INSERT INTO sleep_session_record_table VALUES (1, x'00', 1, 1, \(base), 7200, \(base + 7_200_000), 7200, NULL, NULL),
            (2, x'01', 2, NULL, \(base), 7200, \(base + 3_600_000), 7200, NULL, NULL);
            CREATE TABLE sleep_stages_table (parent_key INTEGER, stage_start_time INTEGER, stage_end_time INTEGER, stage_type INTEGER);
            INSERT INTO sleep_stages_table VALUES (1, \(base), \(base + 600_000), 1), (1, \(base + 600_000), \(base + 7_200_000), 5),
            (1, \(base), \(base + 1), 0);
            CREATE TABLE exercise_session_record_table (\(Self.period), notes TEXT, exercise_type INTEGER, title TEXT, has_route INTEGER);
            INSERT INTO exercise_session_record_table VALUES (1, x'00', 1, 1, \(base), 7200, \(base + 600_000), 7200, NULL, 33, 'Run', 1);
            CREATE TABLE exercise_laps_table (parent_key INTEGER, lap_start_time INTEGER, lap_end_time INTEGER, lap_length REAL);
            INSERT INTO exercise_laps_table VALUES (1, \(base), \(base + 300_000), 1000);
            CREATE TABLE exercise_segments_table (parent_key INTEGER, segment_start_time INTEGER, segment_end_time INTEGER, segment_type INTEGER);
            INSERT INTO exercise_segments_table VALUES (1, \(base + 300_000), \(base + 360_000), 67);
            CREATE TABLE exercise_route_table (parent_key INTEGER, timestamp_millis INTEGER, latitude REAL, longitude REAL, altitude REAL);
            INSERT INTO exercise_route_table VALUES (1, \(base + 1_000), 52.5, 13.4, 34), (1, \(base), 52.4, 13.4, NULL);
            CREATE TABLE bone_mass_record_table (\(Self.moment), mass REAL);
            INSERT INTO bone_mass_record_table VALUES (1, x'00', 2, NULL, \(base), 7200, 3000);
            CREATE TABLE nutrition_record_table (\(Self.period), energy REAL, protein REAL, vitamin_c REAL, meal_name TEXT);
            INSERT INTO nutrition_record_table VALUES (1, x'00', 2, NULL, \(base), 7200, \(base + 60_000), 7200, 450000, 20.5, 0, 'Soup');
            """
        #expect(sqlite3_exec(handle, statements + more, nil, nil, nil) == SQLITE_OK)
        return path
    }

    private func read(_ path: String) throws -> FileContent {
        var emitted = FileContent()
        let bytes = FileBytes(try FileByteSource(path: path))
        var reading = try HealthConnectReader.read(path: path, bytes) { emitted.series += $0.series }
        reading.series += emitted.series
        return reading
    }

    private static let base = 1_714_560_000.0 - 978_307_200

    @Test("Records become samples of the application and device that recorded them, in HealthKit’s units")
    func records() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let reading = try read(write())
        #expect(reading.damages == [])
        func series(_ type: MeasuredType) -> SampleSeries? { reading.series.first { $0.type == type.code } }
        let steps = try #require(series(.steps))
        #expect(steps.values == [120] && steps.starts == [Self.base] && steps.ends == [Self.base + 60])
        let source = SourceRecord(
            bundleIdentifier: "com.example.watch.google pixel watch", name: "Watch (Pixel Watch)")
        #expect(steps.origin.revision.source == source)
        #expect(steps.origin.device?.model == "Pixel Watch")
        #expect(series(.activeEnergy)?.values == [12.5])
        #expect(series(.bodyMass)?.values == [80.5] && series(.glucose)?.values == [5.5])
        #expect(series(.bodyMass)?.origin.revision.source.name == "com.example.scale")
        let rates = try #require(series(.heartRate))
        #expect(rates.values == [110, 130] && rates.starts == [Self.base + 1.5, Self.base + 10])
        let speed = try #require(MeasuredType.speed(of: 37))
        #expect(series(speed)?.values == [3.5])
        let leftOut = reading.leftOut
        #expect(leftOut["speed of a sport without a type for it, left out"] == 1)
        #expect(leftOut["record of total calories burned, left out"] == 1)
        #expect(leftOut["record of bone mass, left out"] == 1)
    }

    @Test("Nights have stages or sleep of an unknown kind; a meal and a blood pressure are correlations")
    func nights() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = try read(write())
        #expect(content.samples.map(\.value).sorted() == [0, 0, 1, 2, 4])
        let correlations = content.objects.filter { !$0.members.isEmpty }
        #expect(correlations.map(\.members.count).sorted() == [2, 2])
        let meal = try #require(correlations.first { $0.type == MeasuredType.code("HKCorrelationTypeIdentifierFood") })
        #expect(meal.members.map(\.value).sorted() == [20.5, 450])
        #expect(meal.metadata["HKFoodType"] == .string("Soup"))
    }

    @Test("An exercise session is a workout with a route, laps, pauses and what the same application recorded")
    func sessions() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = try read(write())
        let place = try #require(content.objects.firstIndex { $0.type == MeasuredType.code("HKWorkoutTypeIdentifier") })
        guard case .workout(let body) = content.objects[place].body else { return }
        #expect(body.activityType == 37 && body.duration == 540)
        #expect(body.events.map(\.type) == [3, 1, 2])
        #expect(body.totalEnergyBurned == QuantityRecord(12.5, unit: "kcal"))
        let rate = try #require(body.statistics.first { $0.type == MeasuredType.heartRate.identifier })
        #expect(rate.average == 120 && rate.minimum == 110 && rate.maximum == 130)
        let route = try #require(content.parts.first { $0.owner == place }?.object)
        guard case .document(let document) = route.body else { return }
        #expect(document.series["latitudes"] == [52.4, 52.5] && document.series["altitudes"] == [0, 34])
    }

    @Test("What a person has typed in says so")
    func manual() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let tables = ["weight", "nutrition", "sleep_session", "exercise_session"].map { "\($0)_record_table" }
        let content = try read(
            write(tables.map { "ALTER TABLE \($0) ADD COLUMN recording_method INTEGER DEFAULT 3;" }.joined())
        )
        #expect(!content.series.contains { $0.type == MeasuredType.bodyMass.code })
        let weight = try #require(content.samples.first { $0.type == MeasuredType.bodyMass.code })
        #expect(weight.value == 80.5 && weight.metadata.wasUserEntered)
        // The stages and the night, but not the blood pressure.
        #expect(content.samples.allSatisfy { $0.metadata.wasUserEntered })
        #expect(content.objects.filter { !$0.metadata.wasUserEntered }.map(\.members.count) == [2])
    }

    @Test("A distance is that of the sport during most of it; a phone and a watch of one application are two sources")
    func distances() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = 1_714_560_000_000
        let path = try write(
            """
            INSERT INTO device_info_table VALUES (2, 'Google', 'Pixel 8', 2);
            INSERT INTO exercise_session_record_table VALUES
            (2, x'02', 2, 1, \(base), 7200, \(base + 3_600_000), 7200, NULL, 4, 'Ride', 0);
            CREATE TABLE distance_record_table (\(Self.period), distance REAL);
            INSERT INTO distance_record_table VALUES
            (1, x'00', 2, 1, \(base - 500), 7200, \(base + 3_600_500), 7200, 20000),
            (2, x'01', 2, 2, \(base), 7200, \(base + 3_600_000), 7200, 21000),
            (3, x'02', 2, 1, \(base + 7_200_000), 7200, \(base + 7_260_000), 7200, 80);
            CREATE TABLE StepsCadenceRecordTable (\(Self.period));
            INSERT INTO StepsCadenceRecordTable VALUES (1, x'00', 1, 1, \(base), 7200, \(base + 600_000), 7200);
            """)
        let content = try read(path)
        let ridden = content.series.filter { $0.type == MeasuredType.distance(of: 13)?.code }
        #expect(Set(ridden.map(\.values)) == [[20_000], [21_000]])
        #expect(Set(ridden.map(\.origin.revision.source.bundleIdentifier)).count == 2)
        #expect(content.series.filter { $0.type == MeasuredType.distanceOnFoot.code }.map(\.values) == [[80]])
        let ride = content.objects.compactMap { object -> WorkoutBody? in
            guard case .workout(let body) = object.body, body.activityType == 13 else { return nil }
            return body
        }
        #expect(ride.map(\.totalDistance) == [QuantityRecord(20_000, unit: "m")])
        #expect(content.leftOut["record of steps cadence, left out"] == 1)
    }

    @Test("A period begins the cycle on its local day, and has a flow of an unknown kind on days without one")
    func cycle() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // 2024-05-01 00:00 and 08:00 in Berlin.
        let midnight = 1_714_514_400_000
        let path = try write(
            """
            CREATE TABLE menstruation_period_record_table (\(Self.period));
            INSERT INTO menstruation_period_record_table VALUES
            (1, x'00', 1, NULL, \(midnight), 7200, \(midnight + 345_600_000), 7200),
            (2, x'01', 1, NULL, \(midnight + 2_419_200_000), 7200, \(midnight + 2_592_000_000), 7200);
            CREATE TABLE menstruation_flow_record_table (\(Self.moment), flow INTEGER);
            INSERT INTO menstruation_flow_record_table VALUES (1, x'00', 1, NULL, \(midnight + 28_800_000), 7200, 2),
            (2, x'01', 1, NULL, \(midnight + 115_200_000), 7200, 1);
            """)
        let flow = try read(path).samples.filter {
            $0.type == MeasuredType.code("HKCategoryTypeIdentifierMenstrualFlow")
        }
        #expect(flow.map(\.value) == [3, 2, 1, 1, 1, 1])
        let isStart = [true, false, false, false, true, false]
        #expect(flow.map { $0.metadata["HKMenstrualCycleStart"] } == isStart.map { .bool($0) })
        #expect(flow[4].start == Double(midnight) / 1_000 - 978_307_200 + 2_419_200)
    }

    @Test("A record that has grown replaces the one of an earlier database, in any order", arguments: [false, true])
    func grown(isReversed: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = 1_714_600_000_000
        let paths = try [(3_600_000, 400), (86_400_000, 9_000)].map { length, count in
            let values = "(3, x'03', 1, 1, \(base), 7200, \(base + length), 7200, \(count))"
            return try write("INSERT INTO steps_record_table VALUES \(values)", to: "\(count).db")
        }
        for path in isReversed ? paths.reversed() : paths {
            _ = try FileImporter.run(path: path, options: .init()) { engine }
        }
        func steps() throws -> [Double] {
            let request = SampleRequest(parts: [.init(type: MeasuredType.steps.code)])
            return try engine.samples(request, as: .reader).batches.flatMap(\.values).sorted()
        }
        #expect(try steps() == [120, 9_000])
        for path in paths {
            let report = try #require(try FileImporter.run(path: path, options: .init()) { engine })
            #expect(report.added == [:])
        }
        #expect(try steps() == [120, 9_000])
    }

    @Test("A session of which a later database has other sums stays one workout")
    func sums() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let later = "INSERT INTO heart_rate_record_series_table VALUES (1, 150, 1714560020000);"
        for path in try [write(), write(later, to: "later.db")] {
            _ = try FileImporter.run(path: path, options: .init()) { engine }
        }
        let workout = MeasuredType.code("HKWorkoutTypeIdentifier")
        #expect(try engine.withReader(as: .reader) { try $0.objects(of: workout).count } == 1)
        let rates = SampleRequest(parts: [.init(type: MeasuredType.heartRate.code)])
        #expect(try engine.samples(rates, as: .reader).count == 3)
    }

    @Test("The zip file with the database, and the database again, add nothing")
    func again() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try write()
        let first = try #require(try FileImporter.run(path: path, options: .init()) { engine })
        #expect(first.addedCount > 15 && first.skips == [])
        let zip = folder.appendingPathComponent("Health Connect.zip").path
        let writer = try ZipWriter(path: zip)
        try writer.beginEntry("health_connect_export.db")
        try writer.write([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
        try writer.finish()
        for path in [zip, path] {
            let report = try #require(try FileImporter.run(path: path, options: .init()) { engine })
            #expect(report.added == [:] && report.skips == [])
            #expect(report.alreadyThereCount == first.addedCount)
        }
    }

    @Test("What a record lacks is Java’s smallest number in the database, and nothing in HealthKit")
    func lacking() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (base, lacking) = (1_714_560_000_000, "4.9E-324")
        let path = try write(
            """
            INSERT INTO nutrition_record_table VALUES
            (2, x'02', 2, NULL, \(base), 7200, \(base + 60_000), 7200, 90000, \(lacking), \(lacking), 'Apple');
            CREATE TABLE skin_temperature_record_table (\(Self.period), baseline REAL);
            INSERT INTO skin_temperature_record_table VALUES
            (1, x'00', 1, 1, \(base), 7200, \(base + 60_000), 7200, \(lacking)),
            (2, x'01', 1, 1, \(base + 86_400_000), 7200, \(base + 86_460_000), 7200, 33.5);
            CREATE TABLE skin_temperature_delta_table (parent_key INTEGER, delta REAL, epoch_millis INTEGER);
            INSERT INTO skin_temperature_delta_table VALUES (1, 0.25, \(base)), (2, 0.25, \(base + 86_400_000));
            UPDATE exercise_route_table SET altitude = \(lacking) WHERE altitude IS NULL;
            """)
        let content = try read(path)
        let apple = try #require(content.objects.first { $0.metadata["HKFoodType"] == .string("Apple") })
        #expect(apple.members.map(\.value) == [90])
        let temperatures = content.series.filter { $0.type == MeasuredType.wristTemperature.code }
        #expect(temperatures.map(\.values) == [[33.75]])
        #expect(content.leftOut["skin temperature without a baseline, left out"] == 1)
        guard case .document(let document) = try #require(content.parts.first).object.body else { return }
        #expect(document.series["altitudes"] == [0, 34] && document.series["verticalAccuracies"] == [-1, 0])
    }

    @Test("Another database is refused; one that is cut off anywhere never traps")
    func damages() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let other = folder.appendingPathComponent("other.db").path
        var handle: OpaquePointer?
        #expect(sqlite3_open(other, &handle) == SQLITE_OK)
        #expect(sqlite3_exec(handle, "CREATE TABLE notes (text TEXT)", nil, nil, nil) == SQLITE_OK)
        sqlite3_close(handle)
        #expect(throws: FileReadingError.self) { try read(other) }
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: write())))
        for part in [100, 4_096, bytes.count / 2, bytes.count - 4_096] {
            let cut = folder.appendingPathComponent("cut.db").path
            try Data(bytes[..<part]).write(to: URL(fileURLWithPath: cut))
            // Whether it is refused depends on which pages are missing.
            _ = try? read(cut)
        }
    }

    @Test(
        "Only what is stored is read: what the database would compute isn’t",
        arguments: [
            // A column whose expression takes hours, in the place of the one that is read.
            """
            ALTER TABLE weight_record_table DROP COLUMN weight;
            ALTER TABLE weight_record_table ADD COLUMN weight REAL AS
            (length(replace(hex(zeroblob(900000)), '0', hex(zeroblob(9))))) VIRTUAL
            """,
            """
            DROP TABLE weight_record_table; CREATE VIEW weight_record_table AS
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
            SELECT x AS row_id, x'00' AS uuid, 1 AS app_info_id, 1 AS device_info_id, x AS time, x AS weight FROM n
            """,
            """
            DROP TABLE weight_record_table; CREATE VIRTUAL TABLE weight_record_table USING
            fts4(row_id, uuid, app_info_id, device_info_id, time, zone_offset, weight);
            INSERT INTO weight_record_table VALUES (1, '', 1, 1, 1714560000000, 0, 80500)
            """,
            """
            DROP TABLE weight_record_table; CREATE TABLE weights (a, b, c, d, e, weight);
            PRAGMA writable_schema = 1;
            UPDATE sqlite_schema SET name = 'weight_record_table', tbl_name = 'weight_record_table', type = 'table',
            sql = 'CREATE VIEW weight_record_table AS SELECT 1 AS weight' WHERE name = 'weights'
            """,
        ])
    func computed(_ change: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try write()
        var handle: OpaquePointer?
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        #expect(sqlite3_exec(handle, change, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
        sqlite3_close(handle)
        // The rest is there, or the whole database is refused.
        if let reading = try? read(path) {
            #expect(!reading.series.contains { $0.type == MeasuredType.bodyMass.code })
        }
    }

    @Test("A database that multiplies its rows is read for a time that its size limits, and is refused")
    func work() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        // All of the deltas belong to each of the equal records.
        let path = try write(
            """
            CREATE TABLE skin_temperature_record_table (row_id INTEGER, uuid BLOB, app_info_id INTEGER,
            device_info_id INTEGER, start_time INTEGER, end_time INTEGER, baseline REAL);
            CREATE TABLE skin_temperature_delta_table (parent_key INTEGER, delta REAL);
            WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 15000)
            INSERT INTO skin_temperature_delta_table SELECT 1, 0.5 FROM n;
            INSERT INTO skin_temperature_record_table SELECT 1, x'00', 1, 1, 0, 0, 33 FROM skin_temperature_delta_table;
            """)
        let error = #expect(throws: FileReadingError.self) { try read(path) }
        #expect(error?.reason == "its database takes too long to read")
    }

    @Test("An import that is interrupted ends while SQLite works")
    func interruption() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = try write(
            """
            BEGIN; WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 50000)
            INSERT INTO weight_record_table SELECT x, x'00', 2, NULL, x, 0, 80500 FROM n; COMMIT;
            """)
        let bytes = FileBytes(try FileByteSource(path: path))
        #expect(throws: CancellationError.self) {
            try HealthConnectReader.read(path: path, bytes, isInterrupted: { true }) { _ in }
        }
    }

    @Test("Of a database that was cut off, also in its zip file, what is before is imported; tables are reported")
    func cut() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = 1_714_560_000_000
        // Steps and stages of many nights, which the second half has, too.
        let rows = (10..<2_000).map { number in
            let start = base + number * 86_400_000
            let (middle, end) = (start + 3_600_000, start + 7_200_000)
            return """
                INSERT INTO steps_record_table VALUES
                (\(number), x'00', 1, 1, \(start), 0, \(start + 60_000), 0, \(number));
                INSERT INTO sleep_session_record_table VALUES
                (\(number), x'00', 1, 1, \(start), 0, \(end), 0, NULL, NULL);
                INSERT INTO sleep_stages_table VALUES
                (\(number), \(start), \(middle), 5), (\(number), \(middle), \(end), 6);
                """
        }
        let path = try write("BEGIN; \(rows.joined()) COMMIT;")
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let half = folder.appendingPathComponent("half.db").path
        try Data(bytes[..<(bytes.count / 2)]).write(to: URL(fileURLWithPath: half))
        let reading = try read(half)
        let steps = try #require(reading.series.first { $0.type == MeasuredType.steps.code })
        #expect((500..<1_990).contains(steps.count) && steps.values[1] == 10)
        #expect(reading.damages.map(\.reason).contains { $0.hasSuffix("in steps_record_table") })
        // Nights of which the stages are missing don't become sleep of an unknown kind.
        #expect(!reading.samples.contains { $0.value == Double(SleepValue.asleep.rawValue) })

        let zip = folder.appendingPathComponent("Health Connect.zip").path
        let writer = try ZipWriter(path: zip)
        try writer.beginEntry("health_connect_export.db")
        try writer.write(bytes)
        try writer.finish()
        let packed = try Data(contentsOf: URL(fileURLWithPath: zip))
        try packed[..<(packed.count * 3 / 4)].write(to: URL(fileURLWithPath: zip))
        var options = ImportOptions()
        options.recoversDamagedArchives = true
        let report = try #require(try FileImporter.run(path: zip, options: options) { engine })
        #expect(report.added["HKQuantityTypeIdentifierStepCount"] ?? 0 > 500)
        #expect(report.skips.contains { $0.reason.contains("cut off") })
    }
}
