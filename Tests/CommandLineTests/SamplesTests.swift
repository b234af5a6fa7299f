import Foundation
import Testing

@Suite("hk samples")
struct SamplesTests {
    private let scratch = Scratch()

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
            try #require(try CommandRun(["samples", type, "--limit", "1", "--json"], store: Demo.shared.store).objects().first)
        }
        let steps = try first("stepCount")
        #expect(
            Set(steps.keys) == [
                "uuid", "type", "startDate", "endDate", "quantity", "unit", "source", "sourceVersion", "device",
            ])
        #expect(steps["unit"] as? String == "count")
        #expect(UUID(uuidString: steps["uuid"] as? String ?? "") != nil)
        let sleep = try first("sleepAnalysis")
        #expect(sleep["value"] as? Int == 5)
        #expect((sleep["metadata"] as? [String: String])?["HKTimeZone"] == "America/New_York")
        let workout = try first("workout")
        #expect(workout["workoutActivityType"] as? Int == 52)
        #expect(workout["duration"] as? Int == 4_260)
        #expect((workout["totalEnergyBurned"] as? [String: Any])?["unit"] as? String == "kcal")
        #expect((workout["metadata"] as? [String: String])?["HKAverageMETs"]?.contains(/^\d\.52156 kcal\/hr·kg$/) == true)
        let food = try first("food")
        #expect((food["objects"] as? [[String: Any]])?.count == 3)
        #expect((food["metadata"] as? [String: String])?["HKFoodType"] == "Bowl \"Nº 7\" 🥣")
        #expect(food["source"] as? String == "Chew \"&\" Log 🥗")
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
            try CommandRun(["samples", "stepCount", "--ascending", "--json"] + range, store: scratch.store, now: "2025-11-10T12:00:00-05:00")
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
        #expect(try CommandRun(["samples", "stepCount", "--from", "2025-12"], store: scratch.store).output == "No samples.\n")
    }
}
