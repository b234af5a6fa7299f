import Foundation
import GRDBSQLite
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Importing Gadgetbridge’s database")
struct GadgetbridgeTests {
    /// 2024-05-01 07:00:00 UTC, in seconds since 1970.
    private static let base = 1_714_546_800

    /// Writes a database with these statements.
    private static func write(_ statements: String, to path: String) {
        var handle: OpaquePointer?
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        #expect(sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
    }

    /// Tables as Gadgetbridge's sources define them.
    private static let statements = """
        CREATE TABLE "DEVICE" ("_id" INTEGER PRIMARY KEY, "NAME" TEXT NOT NULL, "MANUFACTURER" TEXT NOT NULL,
        "IDENTIFIER" TEXT NOT NULL, "TYPE" INTEGER NOT NULL, "MODEL" TEXT, "ALIAS" TEXT);
        INSERT INTO DEVICE VALUES (1, 'Mi Band 6', 'Xiaomi', 'AA:BB', 1, 'V1', 'Left'), (2, 'Ring', 'Colmi', 'CC:DD', 2, NULL, NULL);
        CREATE TABLE "MI_BAND_ACTIVITY_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL,
        "USER_ID" INTEGER NOT NULL, "RAW_INTENSITY" INTEGER NOT NULL, "STEPS" INTEGER NOT NULL, "RAW_KIND" INTEGER NOT NULL,
        "HEART_RATE" INTEGER NOT NULL);
        INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (\(base), 1, 1, 40, 25, 1, 61), (\(base + 60), 1, 1, 0, 0, 1, 255);
        CREATE TABLE "COLMI_SPO2_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL, "SPO2" INTEGER NOT NULL);
        INSERT INTO COLMI_SPO2_SAMPLE VALUES (\(base)000, 2, 97);
        CREATE TABLE "COLMI_SLEEP_STAGE_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL,
        "DURATION" INTEGER NOT NULL, "STAGE" INTEGER NOT NULL);
        INSERT INTO COLMI_SLEEP_STAGE_SAMPLE VALUES (\(base)000, 2, 30, 3), (\(base)000, 2, 30, 9);
        CREATE TABLE "XIAOMI_SLEEP_TIME_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL, "WAKEUP_TIME" INTEGER);
        INSERT INTO XIAOMI_SLEEP_TIME_SAMPLE VALUES (\(base)000, 1, \(base + 3_600)000);
        CREATE TABLE "XIAOMI_SLEEP_STAGE_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL, "STAGE" INTEGER);
        INSERT INTO XIAOMI_SLEEP_STAGE_SAMPLE VALUES (\(base)000, 1, 3), (\(base + 600)000, 1, 2),
        (\(base + 1_200)000, 1, 5);
        CREATE TABLE "XIAOMI_ACTIVITY_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL, "DISTANCE_CM" INTEGER);
        INSERT INTO XIAOMI_ACTIVITY_SAMPLE VALUES (\(base), 1, 1850), (\(base + 60), 1, 0);
        CREATE TABLE "XIAOMI_DAILY_SUMMARY_SAMPLE" ("TIMESTAMP" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL, "HR_RESTING" INTEGER);
        INSERT INTO XIAOMI_DAILY_SUMMARY_SAMPLE VALUES (\(base)000, 1, 52);
        CREATE TABLE "BASE_ACTIVITY_SUMMARY" ("_id" INTEGER PRIMARY KEY, "NAME" TEXT, "START_TIME" INTEGER NOT NULL,
        "END_TIME" INTEGER NOT NULL, "ACTIVITY_KIND" INTEGER NOT NULL, "DEVICE_ID" INTEGER NOT NULL, "SUMMARY_DATA" TEXT);
        INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (1, NULL, \(base)000, \(base + 1_800)000, 16, 1,
        '{"distanceMeters":{"value":5000,"unit":"meters"},"caloriesBurnt":{"value":310,"unit":"calories_unit"}}');
        """

    @Test("Samples of several makers, each device a source", arguments: ["Gadgetbridge.db", "database/Gadgetbridge"])
    func samples(name: String) throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        // An empty file is an empty database.
        Self.write(Self.statements, to: try folder.write([], name))
        let report = try #require(try folder.importing())
        let start = "2024-05-01T07:00:00Z"
        #expect(
            try folder.contents()
                == [
                    "StepCount 25 count \(start) +60", "HeartRate 61 count/min \(start)",
                    "OxygenSaturation 0.97 % \(start)", "SleepAnalysis 4 \(start) +1800",
                    "SleepAnalysis 0 \(start) +3600", "SleepAnalysis 3 \(start) +600",
                    "SleepAnalysis 4 2024-05-01T07:10:00Z +600", "SleepAnalysis 2 2024-05-01T07:20:00Z +2400",
                    "DistanceWalkingRunning 18.5 m \(start) +60", "RestingHeartRate 52 count/min \(start)",
                    "Workout \(start) +1800 activity 37 for 1800 310 kcal 5000 m",
                    "ActiveEnergyBurned 310 kcal \(start) +1800", "DistanceWalkingRunning 5000 m \(start) +1800",
                ].sorted())
        #expect(try folder.sources() == ["Left", "Ring"])
        #expect(report.irregularities["stage of sleep without times or of an unknown kind, left out"] == 1)
        #expect(try folder.importing()?.addedCount == 0)
    }

    @Test("An earlier database, without aliases and totals of workouts, and heart rates of another maker")
    func earlier() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let statements = """
            CREATE TABLE "DEVICE" ("_id" INTEGER PRIMARY KEY, "NAME" TEXT, "MANUFACTURER" TEXT, "MODEL" TEXT);
            INSERT INTO DEVICE VALUES (1, 'Time', 'Maker', 'V1');
            CREATE TABLE "ZE_TIME_ACTIVITY_SAMPLE" ("TIMESTAMP" INTEGER, "DEVICE_ID" INTEGER, "STEPS" INTEGER, "HEART_RATE" INTEGER);
            INSERT INTO ZE_TIME_ACTIVITY_SAMPLE VALUES (\(Self.base), 1, 0, 61);
            CREATE TABLE "BASE_ACTIVITY_SUMMARY" ("_id" INTEGER PRIMARY KEY, "START_TIME" INTEGER, "END_TIME" INTEGER,
            "ACTIVITY_KIND" INTEGER, "DEVICE_ID" INTEGER);
            INSERT INTO BASE_ACTIVITY_SUMMARY VALUES (1, \(Self.base)000, \(Self.base + 1_800)000, 16, 1);
            """
        Self.write(statements, to: try folder.write([], "Gadgetbridge.db"))
        _ = try folder.importing()
        let start = "2024-05-01T07:00:00Z"
        #expect(
            try folder.contents() == ["HeartRate 61 count/min \(start)", "Workout \(start) +1800 activity 37 for 1800"])
        #expect(try folder.sources() == ["Time"])
    }

    @Test("A database of something else is refused")
    func others() throws {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = try folder.write([], "gadgetbridge.db")
        Self.write("CREATE TABLE notes (text TEXT);", to: path)
        let report = try #require(try folder.importing(path))
        #expect(
            report.unread.map(\.reason) == ["can’t be read: it is a database, but not one of Gadgetbridge"]
                && report.addedCount == 0)
    }
}
