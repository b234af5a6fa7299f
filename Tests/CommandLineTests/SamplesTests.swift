import Foundation
import Testing

@Suite("hk samples")
struct SamplesTests {
    private let scratch = Scratch()

    @Test("A workout shows the time in its zones")
    func workoutZones() throws {
        let archive = try scratch.archive(
            """
            <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="10" durationUnit="min" \
            sourceName="Watch" startDate="2025-11-10 08:00:00 -0500" endDate="2025-11-10 08:10:00 -0500">
            <WorkoutZones type="HKQuantityTypeIdentifierHeartRate" unit="count/min" source="app" \
            boundaries="100.0 120.0" durations="60.0 0.0 540.0"/>
            </Workout>
            """)
        #expect(try CommandRun(["import", archive.path], store: scratch.store).status == 0)
        let run = try CommandRun(["samples", "workout"], store: scratch.store)
        #expect(run.output.contains("heartRate zones 1/0/9 min"))
        let answer = try #require(
            try CommandRun(["samples", "workout", "--json"], store: scratch.store).objects().first)
        let group = try #require((answer["zoneGroups"] as? [[String: Any]])?.first)
        #expect(group["source"] as? String == "app")
        let zones = try #require(group["zones"] as? [[String: Any]])
        #expect(zones.map { $0["duration"] as? Double } == [60, 0, 540])
        #expect(zones.map { $0["minimum"] as? Double } == [nil, 100, 120])
    }

    @Test(
        "The demo’s samples, printed as tables",
        arguments: [
            ("newest", ["stepCount"]), ("oldest", ["stepCount", "--ascending", "--limit", "3"]),
            ("day", ["heartRate", "--from", "2025-11-10", "--to", "2025-11-10", "--limit", "0"]),
            ("sleep", ["sleepAnalysis", "--from", "2025-11-10T22:00", "--to", "2025-11-11T02:00", "--limit", "0"]),
            ("standHour", ["appleStandHour", "--limit", "4"]), ("mindful", ["mindfulSession"]),
            ("workout", ["workout"]), ("food", ["food", "--limit", "2"]), ("bloodPressure", ["bloodPressure"]),
            ("oxygen", ["oxygenSaturation", "--limit", "2"]), ("summary", ["activitySummary", "--limit", "2"]),
            ("weight", ["HKQuantityTypeIdentifierBodyMass"]),
        ])
    func table(name: String, arguments: [String]) throws {
        let run = try CommandRun(["samples"] + arguments, store: Demo.shared.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Expected.expect(run.output, "samples-\(name)")
    }

    @Test("--limit 0 gives all samples, newest first or --ascending")
    func limits() throws {
        let all = try CommandRun(["samples", "stepCount", "--limit", "0", "--json"], store: Demo.shared.store).objects()
        #expect(all.count == 260)
        let starts = all.compactMap { $0["startDate"] as? String }
        #expect(starts == starts.sorted().reversed())
        let ascending = try CommandRun(
            ["samples", "stepCount", "--limit", "0", "--json", "--ascending"], store: Demo.shared.store
        ).objects().compactMap { $0["startDate"] as? String }
        #expect(ascending == starts.sorted())
    }

    @Test("--json describes quantities, categories, workouts and correlations")
    func json() throws {
        func first(_ type: String) throws -> [String: Any] {
            try #require(
                try CommandRun(["samples", type, "--limit", "1", "--json"], store: Demo.shared.store).objects().first)
        }
        let steps = try first("stepCount")
        #expect(
            Set(steps.keys) == [
                "uuid", "type", "startDate", "endDate", "quantity", "unit", "source", "bundleIdentifier",
                "sourceVersion", "productType", "operatingSystemVersion", "device", "deviceDetails", "sequence",
            ])
        #expect(steps["unit"] as? String == "count")
        #expect(UUID(uuidString: steps["uuid"] as? String ?? "") != nil)
        let sleep = try first("sleepAnalysis")
        #expect(sleep["value"] as? Int == 5)
        #expect((sleep["metadata"] as? [String: Any])?["HKTimeZone"] as? String == "America/New_York")
        let workout = try first("workout")
        #expect(workout["workoutActivityType"] as? Int == 52)
        #expect(workout["duration"] as? Int == 4_260)
        #expect((workout["totalEnergyBurned"] as? [String: Any])?["unit"] as? String == "kcal")
        let rate = (workout["metadata"] as? [String: Any])?["HKAverageMETs"] as? [String: Any]
        #expect(rate?["unit"] as? String == "kcal/hr·kg" && rate?["quantity"] is Double)
        let food = try first("food")
        #expect((food["objects"] as? [[String: Any]])?.count == 3)
        #expect((food["metadata"] as? [String: Any])?["HKFoodType"] as? String == "Bowl \"Nº 7\" 🥣")
        #expect(food["source"] as? String == "Chew \"&\" Log 🥗")
    }

    @Test("The years 1 and 9999, and very small and large values, are shown as they are")
    func extremes() throws {
        func record(_ start: String, _ value: String) -> String {
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="\(start) +0000" endDate="\(start) +0000" value="\(value)"/>
            """
        }
        let archive = try scratch.archive(
            record("0001-01-01 10:00:00", "1e-300") + "\n" + record("9999-12-31 23:59:59", "1.7e308"))
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let shown = try CommandRun(["samples", "steps", "--ascending"], store: scratch.store, timeZone: "UTC")
        #expect(shown.lines.count == 3)
        #expect(shown.lines[1].contains("0001-01-01 10:00") && shown.lines[1].contains("1e-300 count"))
        #expect(shown.lines[2].contains("9999-12-31 23:59") && shown.lines[2].contains("1.7e+308 count"))
        let json = try CommandRun(["samples", "steps", "--ascending", "--json"], store: scratch.store, timeZone: "UTC")
            .objects()
        #expect(json.map { $0["startDate"] as? String } == ["0001-01-01T10:00:00+00:00", "9999-12-31T23:59:59+00:00"])
        let rows = try CommandRun(
            ["sql", "SELECT day, start_date FROM samples ORDER BY start_time", "--format", "csv"], store: scratch.store,
            timeZone: "UTC")
        #expect(
            rows.output
                == "day,start_date\r\n0001-01-01,0001-01-01T10:00:00+00:00\r\n9999-12-31,9999-12-31T23:59:59+00:00\r\n")
    }

    @Test("In every time zone, the first and last instants of the years 1 to 9999 are found, added up and exported")
    func remoteInstants() throws {
        let records = [("0001-01-01 00:00:00", 3), ("9999-12-31 23:59:59", 4)].map { start, value in
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="\(start) +0000" endDate="\(start) +0000" value="\(value)"/>
            """
        }
        let archive = try scratch.archive(records.joined(separator: "\n"))
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        for zone in ["UTC", "America/New_York", "Pacific/Kiritimati"] {
            for interval in ["year", "day"] {
                let sums = try CommandRun(
                    ["stats", "steps", "--every", interval, "--json"], store: scratch.store, timeZone: zone
                ).objects()
                #expect(sums.map { $0["sumQuantity"] as? Int } == [3, 4], "\(zone)")
            }
            let days = try CommandRun(
                ["sql", "SELECT count(local_date(start_date)) AS n FROM samples", "--json"], store: scratch.store,
                timeZone: zone)
            #expect(try days.objects().first?["n"] as? Int == 2)
            let copy = scratch.file("\(zone.replacing("/", with: "-")).xml")
            _ = try CommandRun(["export", copy.path, "--no-supplement"], store: scratch.store, timeZone: zone)
            let text = try String(contentsOf: copy, encoding: .utf8)
            let other = scratch.file("\(copy.lastPathComponent).sqlite")
            #expect(try CommandRun(["import", copy.path, "--quiet"], store: other).status == 0)
            let starts = try CommandRun(["sql", "SELECT start_time FROM samples ORDER BY 1", "--json"], store: other)
                .objects()
            #expect(starts.map { $0["start_time"] as? Double } == [-62_135_596_800, 253_402_300_799], "\(text)")
        }
        let found = try CommandRun(
            ["samples", "steps", "--to", "0001-01-02", "--json"], store: scratch.store, timeZone: "UTC"
        ).objects()
        #expect(found.map { $0["quantity"] as? Int } == [3])
    }

    @Test("Documents and series are described, not counted by fields")
    func documents() throws {
        let run = try CommandRun(["samples", "heartbeatSeries", "--limit", "1"], store: Demo.shared.store)
        #expect(run.lines[1].contains(/[0-9]+ beats/))
        for type in try CommandRun(["types", "--json"], store: Demo.shared.store).objects() {
            let name = try #require(type["type"] as? String)
            #expect(try !CommandRun(["samples", name], store: Demo.shared.store).output.contains(" fields"), "\(name)")
        }
    }

    @Test("A range includes samples that overlap it")
    func ranges() throws {
        let archive = try scratch.archive(
            (7...10).map { hour in
                """
                 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="2025-11-10 \(hour < 10 ? "0" : "")\(hour):00:00 -0500" endDate="2025-11-10 \(hour < 10 ? "0" : "")\(hour):30:00 -0500" value="\(hour)"/>
                """
            }.joined(separator: "\n"))
        _ = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        func values(_ range: [String]) throws -> [Int] {
            try CommandRun(
                ["samples", "stepCount", "--ascending", "--json"] + range, store: scratch.store,
                now: "2025-11-10T12:00:00-05:00"
            )
            .objects().compactMap { $0["quantity"] as? Int }
        }
        #expect(try values([]) == [7, 8, 9, 10])
        #expect(try values(["--from", "2025-11-10T08:15"]) == [8, 9, 10])
        #expect(try values(["--to", "2025-11-10T09:00"]) == [7, 8])
        #expect(try values(["--from", "2025-11-10 07:45", "--to", "2025-11-10T08:15:00-05:00"]) == [8])
        #expect(try values(["--from", "2025-11-10T13:15:00Z", "--to", "2025-11-10T13:20:00Z"]) == [8])
        #expect(try values(["--last", "3h"]) == [9, 10])
        #expect(try values(["--last", "1d"]) == [7, 8, 9, 10])
        #expect(try values(["--from", "today"]) == [7, 8, 9, 10])
        #expect(try values(["--to", "yesterday"]) == [])
        #expect(try values(["--from", "2025", "--to", "2025"]) == [7, 8, 9, 10])
        #expect(try values(["--from", "2025-11", "--to", "2025-11-10"]) == [7, 8, 9, 10])
        #expect(try values(["--from", "2025-11-10", "--to", "2025-11"]) == [7, 8, 9, 10])
        #expect(try values(["--from", "2025-11-11"]) == [])
        // In Tokyo, the eleventh begins at 10:00 New York time.
        #expect(try values(["--from", "2025-11-11", "--time-zone", "Asia/Tokyo"]) == [10])
        #expect(
            try CommandRun(["samples", "stepCount", "--from", "2025-12"], store: scratch.store).output
                .hasPrefix("No samples in this range. The newest data is of "))
    }
}
