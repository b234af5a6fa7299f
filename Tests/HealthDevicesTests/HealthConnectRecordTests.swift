import Foundation
import GRDBSQLite
import HealthFiles
import HealthModel
import Testing

@testable import HealthDevices

@Suite("Every record of Health Connect")
struct HealthConnectRecordTests {
    /// 2024-05-01 07:00:00 UTC.
    private static let base = 1_714_546_800_000
    private static let moment = "2024-05-01T07:00:00Z"
    private static let record = "row_id INTEGER PRIMARY KEY, uuid BLOB, app_info_id INTEGER, device_info_id INTEGER"

    /// A table of records with one row: of a moment, or of a minute from it on.
    private static func table(_ name: String, _ columns: String, _ values: String, isPeriod: Bool = false) -> String {
        let times = isPeriod ? "start_time, start_zone_offset, end_time, end_zone_offset" : "time, zone_offset"
        let dates = isPeriod ? "\(base), 7200, \(base + 60_000), 7200" : "\(base), 7200"
        return """
            CREATE TABLE \(name) (\(record), \(times), \(columns));
            INSERT INTO \(name) VALUES (1, x'01', 1, NULL, \(dates), \(values));
            """
    }

    /// A table of rows that belong to record 1.
    private static func children(_ name: String, _ columns: String, _ rows: String...) -> String {
        "CREATE TABLE \(name) (parent_key INTEGER, \(columns));"
            + rows.map { "INSERT INTO \(name) VALUES (1, \($0));" }.joined()
    }

    /// Imports a database with these tables.
    private func imported(_ tables: String) throws -> (contents: [String], report: ImportReport) {
        let folder = try ArchiveFolder()
        defer { folder.remove() }
        let path = folder.url.appendingPathComponent("health_connect_export.db").path
        var handle: OpaquePointer?
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        let statements = """
            CREATE TABLE application_info_table (row_id INTEGER PRIMARY KEY, package_name TEXT, app_name TEXT);
            INSERT INTO application_info_table VALUES (1, 'com.example.watch', 'Watch');
            \(tables)
            """
        #expect(
            sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
        sqlite3_close(handle)
        let report = try #require(try folder.importing())
        let contents = try folder.contents()
        #expect(try folder.importing()?.addedCount == 0)
        return (contents, report)
    }

    /// The name of a table without its ending, the column, its value, whether it is of a period, and what is stored.
    static let records: [(table: String, column: String, value: String, isPeriod: Bool, stored: String)] = [
        ("steps", "count", "120", true, "StepCount 120 count \(moment) +60"),
        ("distance", "distance", "82.5", true, "DistanceWalkingRunning 82.5 m \(moment) +60"),
        ("active_calories_burned", "energy", "12500", true, "ActiveEnergyBurned 12.5 kcal \(moment) +60"),
        ("floors_climbed", "floors", "1.5", true, "FlightsClimbed 1.5 count \(moment) +60"),
        ("wheelchair_pushes", "count", "30", true, "PushCount 30 count \(moment) +60"),
        ("hydration", "volume", "0.25", true, "DietaryWater 0.25 L \(moment) +60"),
        ("resting_heart_rate", "beats_per_minute", "52", false, "RestingHeartRate 52 count/min \(moment)"),
        (
            "heart_rate_variability_rmssd", "heart_rate_variability_millis", "35.5", false,
            "HeartRateVariabilityRMSSD 35.5 ms \(moment)"
        ),
        ("oxygen_saturation", "percentage", "97", false, "OxygenSaturation 0.97 % \(moment)"),
        ("respiratory_rate", "rate", "14.5", false, "RespiratoryRate 14.5 count/min \(moment)"),
        ("body_temperature", "temperature", "36.75", false, "BodyTemperature 36.75 degC \(moment)"),
        ("basal_body_temperature", "temperature", "36.5", false, "BasalBodyTemperature 36.5 degC \(moment)"),
        ("vo2_max", "vo2_milliliters_per_minute_kilogram", "42.5", false, "VO2Max 42.5 mL/min·kg \(moment)"),
        ("blood_glucose", "level", "5.5", false, "BloodGlucose 5.5 mmol<180.1558800000541>/L \(moment)"),
        ("weight", "weight", "80500", false, "BodyMass 80.5 kg \(moment)"),
        ("lean_body_mass", "mass", "60500", false, "LeanBodyMass 60.5 kg \(moment)"),
        ("body_fat", "percentage", "20.5", false, "BodyFatPercentage 0.205 % \(moment)"),
        ("height", "height", "1.8", false, "Height 1.8 m \(moment)"),
    ]

    @Test("A record with a value becomes a sample in HealthKit’s unit", arguments: records)
    func readsValue(table: String, column: String, value: String, isPeriod: Bool, stored: String) throws {
        let name = table + "_record_table"
        let (contents, report) = try imported(Self.table(name, column, value, isPeriod: isPeriod))
        #expect(contents == [stored] && report.irregularities == [:])
        // Nothing happened, what is missing, and what isn't a number.
        for other in ["0", "NULL", "'many'", "-1", "9e999"] {
            let (contents, report) = try imported(Self.table(name, column, other, isPeriod: isPeriod))
            #expect(contents == [], "\(other)")
            let count = other == "0" ? nil : 1
            #expect(report.irregularities["record without a time or value, left out"] == count, "\(other)")
        }
    }

    @Test("Every value of a table has a test")
    func complete() {
        #expect(Self.records.map { $0.table + "_record_table" } == HealthConnectTable.all.map(\.name))
    }

    /// A column, its value and the nutrient, in grams.
    static let nutrients: [(column: String, name: String)] = [
        ("protein", "Protein"), ("total_carbohydrate", "Carbohydrates"), ("sugar", "Sugar"), ("dietary_fiber", "Fiber"),
        ("total_fat", "FatTotal"), ("saturated_fat", "FatSaturated"), ("monounsaturated_fat", "FatMonounsaturated"),
        ("polyunsaturated_fat", "FatPolyunsaturated"), ("cholesterol", "Cholesterol"), ("sodium", "Sodium"),
        ("potassium", "Potassium"), ("calcium", "Calcium"), ("iron", "Iron"), ("magnesium", "Magnesium"),
        ("zinc", "Zinc"), ("copper", "Copper"), ("manganese", "Manganese"), ("selenium", "Selenium"),
        ("chromium", "Chromium"), ("iodine", "Iodine"), ("molybdenum", "Molybdenum"), ("phosphorus", "Phosphorus"),
        ("chloride", "Chloride"), ("caffeine", "Caffeine"), ("biotin", "Biotin"), ("folate", "Folate"),
        ("niacin", "Niacin"), ("pantothenic_acid", "PantothenicAcid"), ("riboflavin", "Riboflavin"),
        ("thiamin", "Thiamin"), ("vitamin_a", "VitaminA"), ("vitamin_b6", "VitaminB6"), ("vitamin_b12", "VitaminB12"),
        ("vitamin_c", "VitaminC"), ("vitamin_d", "VitaminD"), ("vitamin_e", "VitaminE"), ("vitamin_k", "VitaminK"),
    ]

    @Test("A meal has each of its nutrients")
    func food() throws {
        let columns = Self.nutrients.map(\.column).joined(separator: ", ")
        let values = Self.nutrients.indices.map { "\($0 + 1).5" }.joined(separator: ", ")
        let (contents, _) = try imported(
            Self.table(
                "nutrition_record_table", "energy, meal_name, \(columns)", "450000, 'Soup', \(values)", isPeriod: true))
        let period = "\(Self.moment) +60"
        let nutrients = Self.nutrients.enumerated().map { "Dietary\($1.name) \($0 + 1).5 g \(period)" }
        let meal = ["DietaryEnergyConsumed 450 kcal \(period)", "Food \(period) {HKFoodType: Soup}"]
        #expect(contents == (nutrients + meal).sorted())
    }

    // MARK: - Sleep, cycle, sessions

    @Test("Stages of sleep", arguments: [(1, 2), (2, 1), (3, 2), (4, 3), (5, 4), (6, 5), (7, 2)])
    func stage(stage: Int, value: Int) throws {
        let (contents, _) = try imported(
            Self.table("sleep_session_record_table", "notes", "NULL", isPeriod: true)
                + Self.children(
                    "sleep_stages_table", "stage_start_time, stage_end_time, stage_type",
                    "\(Self.base), \(Self.base + 30_000), \(stage)"))
        #expect(contents == ["SleepAnalysis 0 \(Self.moment) +60", "SleepAnalysis \(value) \(Self.moment) +30"])
    }

    /// A table, its column, the value, and what is stored; `nil` for a kind that isn't known.
    static let cycle: [(table: String, column: String, value: Int, stored: String?)] = [
        ("menstruation_flow", "flow", 0, "MenstrualFlow 1 \(moment) {HKMenstrualCycleStart: false}"),
        ("menstruation_flow", "flow", 1, "MenstrualFlow 2 \(moment) {HKMenstrualCycleStart: false}"),
        ("menstruation_flow", "flow", 2, "MenstrualFlow 3 \(moment) {HKMenstrualCycleStart: false}"),
        ("menstruation_flow", "flow", 3, "MenstrualFlow 4 \(moment) {HKMenstrualCycleStart: false}"),
        ("menstruation_flow", "flow", 4, nil), ("ovulation_test", "result", 0, "OvulationTestResult 3 \(moment)"),
        ("ovulation_test", "result", 1, "OvulationTestResult 2 \(moment)"),
        ("ovulation_test", "result", 2, "OvulationTestResult 4 \(moment)"),
        ("ovulation_test", "result", 3, "OvulationTestResult 1 \(moment)"), ("ovulation_test", "result", 9, nil),
        ("cervical_mucus", "appearance", 1, "CervicalMucusQuality 1 \(moment)"),
        ("cervical_mucus", "appearance", 5, "CervicalMucusQuality 5 \(moment)"),
        ("cervical_mucus", "appearance", 0, nil), ("cervical_mucus", "appearance", 6, nil),
        ("sexual_activity", "protection_used", 0, "SexualActivity 0 \(moment)"),
        (
            "sexual_activity", "protection_used", 1,
            "SexualActivity 0 \(moment) {HKSexualActivityProtectionUsed: true}"
        ),
        (
            "sexual_activity", "protection_used", 2,
            "SexualActivity 0 \(moment) {HKSexualActivityProtectionUsed: false}"
        ),
        ("intermenstrual_bleeding", "notes", 0, "IntermenstrualBleeding 0 \(moment)"),
    ]

    @Test("Records of the cycle", arguments: cycle)
    func readsCycle(table: String, column: String, value: Int, stored: String?) throws {
        let (contents, report) = try imported(Self.table("\(table)_record_table", column, "\(value)"))
        #expect(contents == [stored].compactMap(\.self))
        let unknown = report.irregularities["record of the cycle without a time or of an unknown kind, left out"]
        #expect(unknown == (stored == nil ? 1 : nil))
    }

    @Test(
        "Exercise sessions by their type",
        arguments: [
            (4, 13, ""), (5, 13, "HKIndoorWorkout: true, "), (16, 21, ""), (33, 37, ""),
            (34, 37, "HKIndoorWorkout: true, "), (48, 46, "HKSwimmingLocationType: 2, "),
            (49, 46, "HKSwimmingLocationType: 1, "), (53, 52, ""), (57, 57, ""), (0, 3_000, ""), (999, 3_000, ""),
        ])
    func session(type: Int, activity: Int, metadata: String) throws {
        let (contents, _) = try imported(
            Self.table("exercise_session_record_table", "exercise_type", "\(type)", isPeriod: true))
        // The time zone comes last in the order of the alphabet, except the one of a place to swim.
        let entries = (metadata.components(separatedBy: ", ").filter { !$0.isEmpty } + ["HKTimeZone: GMT+0200"])
            .sorted()
        #expect(
            contents == [
                "Workout \(Self.moment) +60 activity \(activity) for 60 {\(entries.joined(separator: ", "))}"
            ])
    }

    @Test(
        "An activity is written as the type that means it, also where another one is read as it",
        arguments: [(63, 20), (60, 38), (61, 38), (39, 37), (37, 33), (13, 4), (57, 57), (3_000, 58)])
    func written(activity: UInt, type: Int64) {
        #expect(HealthConnectTable.exercise(activity, .empty) == type)
    }

    /// The series of sessions of a type: the tables of the record and of the series, the column, and the sample.
    static let series: [(type: Int, record: String, table: String, column: String, stored: String?)] = [
        (33, "SpeedRecordTable", "speed_record_table", "speed", "RunningSpeed 3.5 m/s"),
        (4, "SpeedRecordTable", "speed_record_table", "speed", "CyclingSpeed 3.5 m/s"),
        (53, "SpeedRecordTable", "speed_record_table", "speed", "WalkingSpeed 3.5 m/s"),
        (51, "SpeedRecordTable", "speed_record_table", "speed", nil),
        (33, "PowerRecordTable", "power_record_table", "power", "RunningPower 3.5 W"),
        (4, "PowerRecordTable", "power_record_table", "power", "CyclingPower 3.5 W"),
        (53, "PowerRecordTable", "power_record_table", "power", nil),
        (
            4, "CyclingPedalingCadenceRecordTable", "cycling_pedaling_cadence_record_table", "revolutions_per_minute",
            "CyclingCadence 3.5 count/min"
        ),
        (
            33, "heart_rate_record_table", "heart_rate_record_series_table", "beats_per_minute",
            "HeartRate 3.5 count/min"
        ),
    ]

    @Test("Series are of the sport of their session", arguments: series)
    func readsSeries(type: Int, record: String, table: String, column: String, stored: String?) throws {
        let (contents, report) = try imported(
            Self.table("exercise_session_record_table", "exercise_type", "\(type)", isPeriod: true)
                + Self.table(record, "notes", "NULL", isPeriod: true)
                + Self.children(
                    table, "\(column), epoch_millis", "3.5, \(Self.base + 1_500)", "0, \(Self.base + 3_000)"))
        let samples = contents.filter { !$0.hasPrefix("Workout ") }
        #expect(samples == [stored.map { "\($0) 2024-05-01T07:00:01.5Z" }].compactMap(\.self))
        let left = report.irregularities["\(column) of a sport without a type for it, left out"]
        #expect(left == (stored == nil ? 1 : nil))
    }

    @Test("Blood pressure, mindful sessions and intensity")
    func others() throws {
        let (contents, report) = try imported(
            Self.table("blood_pressure_record_table", "systolic, diastolic", "121, 79")
                + Self.table("mindfulness_session_record_table", "notes", "NULL", isPeriod: true)
                + Self.table("activity_intensity_record_table", "intensity", "1", isPeriod: true)
                + Self.table("bone_mass_record_table", "mass", "3000")
                + Self.table("body_water_mass_record_table", "body_water_mass", "3000")
                + Self.table("basal_metabolic_rate_record_table", "basal_metabolic_rate", "70"))
        #expect(
            contents == [
                "AppleExerciseTime 1 min \(Self.moment) +60", "BloodPressure \(Self.moment)",
                "BloodPressureDiastolic 79 mmHg \(Self.moment)", "BloodPressureSystolic 121 mmHg \(Self.moment)",
                "MindfulSession 0 \(Self.moment) +60",
            ])
        for name in ["bone mass", "body water mass", "basal metabolic rate"] {
            #expect(report.irregularities["record of \(name), left out"] == 1, "\(name)")
        }
    }

    @Test("A database without rows, and one whose tables lack columns, have nothing")
    func empty() throws {
        let (contents, report) = try imported(
            "CREATE TABLE steps_record_table (\(Self.record), start_time INTEGER);"
                + "INSERT INTO steps_record_table VALUES (1, x'01', 1, NULL, \(Self.base));")
        #expect(contents == [] && report.skips == [])
    }
}
