import Foundation
import HealthEngine
import HealthImport
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("The person, summaries and recordings over HTTP")
struct PersonAPITests {
    @Test("Characteristics are read, changed and unset")
    func characteristics() async throws {
        try await APIFixture.run { api in
            #expect(try await api.get("characteristics").json.isEmpty)
            let changed = try await api.send(
                "PATCH", "characteristics",
                #"{"dateOfBirth": "1984-03-01", "biologicalSex": "female", "bloodType": 7, "wheelchairUse": null}"#)
            #expect(changed.status == 200, "\(changed.text)")
            #expect(
                changed.json["biologicalSex"] as? Int == 1 && changed.json["bloodTypeName"] as? String == "oPositive")
            #expect(try await api.get("characteristics").json["dateOfBirth"] as? String == "1984-03-01")
            #expect(try await api.send("PATCH", "characteristics", #"{"bloodType": null}"#).json["bloodType"] == nil)
            for bad in [
                #"{"biologicalSex": 9}"#, #"{"dateOfBirth": "1984-02-30"}"#, #"{"dateOfBirth": "2999-01-01"}"#,
                #"{"bloodType": "C"}"#,
            ] {
                let answer = try await api.send("PATCH", "characteristics", bad)
                #expect(answer.status == 422 && answer.code == "invalidValue", "\(bad): \(answer.text)")
            }
            #expect(try await api.send("PATCH", "characteristics", "[]").status == 400)
            let token = try api.server.token(read: .some(["stepCount"]))
            #expect(try await api.get("characteristics", token: token).json.isEmpty)
            #expect(try await api.send("PATCH", "characteristics", "{}", token: token).status == 403)
        }
    }

    @Test("Goals and units")
    func settings() async throws {
        try await APIFixture.run { api in
            let goals = try await api.send(
                "PUT", "goals",
                #"{"from": "2025-05-01", "activeEnergyBurnedGoal": {"quantity": 2092, "unit": "kJ"}, "standHoursGoal": 12}"#
            )
            let entry = try #require(goals.list("goals").first)
            #expect(entry["from"] as? String == "2025-05-01")
            #expect((entry["activeEnergyBurnedGoal"] as? [String: Any])?["quantity"] as? Double == 500)
            let current = try #require(try await api.get("goals").json["current"] as? [String: [String: Any]])
            #expect(current.keys.sorted() == ["activeEnergyBurnedGoal", "standHoursGoal"])
            #expect(current["standHoursGoal"]?["quantity"] as? Double == 12)
            #expect(try await api.send("PUT", "goals", #"{"standHoursGoal": -1}"#).status == 422)
            #expect(
                try await api.send("PUT", "goals", #"{"standHoursGoal": {"quantity": 1, "unit": "kg"}}"#).status == 422)
            let units = try await api.send(
                "PUT", "preferred-units", #"{"preferredUnits": {"bodyMass": "lb", "height": "cm"}}"#)
            #expect((units.json["preferredUnits"] as? [String: String])?["HKQuantityTypeIdentifierBodyMass"] == "lb")
            try api.save("bodyMass", "kg", [("2025-05-01T08:00:00Z", 0, 45.359237)])
            let statistics = try await api.get("statistics?type=bodyMass")
            #expect(statistics.json["unit"] as? String == "lb")
            #expect(abs((statistics.list("statistics").first?["averageQuantity"] as? Double ?? 0) - 100) < 1e-9)
            #expect(
                try await api.send("PUT", "preferred-units", #"{"preferredUnits": {"bodyMass": "m"}}"#).status == 422)
            _ = try await api.send("PUT", "preferred-units", #"{"preferredUnits": {"bodyMass": null}}"#)
            #expect(try await api.get("statistics?type=bodyMass&unit=kg").json["unit"] as? String == "kg")
            #expect(
                (try await api.get("preferred-units?types=bodyMass").json["preferredUnits"] as? [String: String])?.count
                    == 1)
        }
    }

    /// The clock of the tests is long after that day.
    @Test("The goals of the last archive stay when they are older than two weeks")
    func goalsOfAnArchive() async throws {
        try await APIFixture.run { api in
            var day = ActivitySummaryBody(year: 2024, month: 1, day: 7)
            day.activeEnergyBurnedGoal = QuantityRecord(430, unit: "kcal")
            let type = try #require(TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier"))
            _ = try BulkImport(engine: api.server.engine()).commit(
                BulkBatch(objects: [
                    ObjectRecord(
                        type: type.code, start: 726_278_400, end: 726_364_800,
                        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "a", name: "a")),
                        body: .activitySummary(day))
                ]))
            let current = try #require(try await api.get("goals").json["current"] as? [String: [String: Any]])
            #expect(current["activeEnergyBurnedGoal"]?["quantity"] as? Double == 430)
        }
    }

    @Test("Rings and energy by day")
    func summaries() async throws {
        try await APIFixture.run { api in
            _ = try await api.send(
                "PUT", "goals",
                #"{"from": "2025-01-01", "activeEnergyBurnedGoal": 500, "exerciseTimeGoal": 30, "standHoursGoal": 12}"#)
            try api.save(
                "activeEnergyBurned", "kcal", [("2025-05-01T08:00:00Z", 600, 250), ("2025-05-02T08:00:00Z", 600, 600)])
            try api.save("dietaryEnergyConsumed", "kcal", [("2025-05-01T09:00:00Z", 0, 1_800)])
            let days = try await api.get("activity-summaries?start=2025-05-01&end=2025-05-04").list("activitySummaries")
            try #require(days.map { $0["date"] as? String } == ["2025-05-01", "2025-05-02"])
            #expect((days[0]["rings"] as? [String: Double])?["move"] == 0.5)
            #expect((days[0]["activeEnergyBurned"] as? [String: Any])?["quantity"] as? Double == 250)
            #expect(try await api.get("activity-summaries?start=2025-05-02&end=2025-05-01").status == 400)
            let unknown = try await api.get("energy-balance?start=2025-05-01&end=2025-05-03").list("days")
            try #require(unknown.count == 2)
            #expect(
                unknown[0]["missing"] as? [String] == ["weight", "height", "dateOfBirth", "biologicalSex"]
                    && unknown[0]["net"] == nil)
            try api.save("bodyMass", "kg", [("2025-04-01T08:00:00Z", 0, 70)])
            try api.save("height", "cm", [("2025-04-01T08:00:00Z", 0, 170)])
            _ = try await api.send("PATCH", "characteristics", #"{"dateOfBirth": "1985-05-01", "biologicalSex": 1}"#)
            let day = try #require(
                try await api.get("energy-balance?start=2025-05-01&end=2025-05-02").list("days").first)
            #expect(day["missing"] as? [String] == [])
            // 655 + 9.6·70 + 1.8·170 − 4.7·40, for the whole day.
            let resting = (day["resting"] as? [String: Any])?["quantity"] as? Double ?? 0
            #expect(abs(resting - 1_445) < 0.1, "\(resting)")
            #expect((day["consumed"] as? [String: Any])?["quantity"] as? Double == 1_800)
        }
    }

    @Test("A workout's route, zones, statistics and splits; an ECG; a heartbeat series")
    func recordings() async throws {
        try await APIFixture.run { api in
            let saved = try await api.post(
                "samples",
                #"""
                [{"type": "workout", "startDate": "2025-05-01T10:00:00Z", "endDate": "2025-05-01T10:30:00Z", "workoutActivityType": 37,
                  "zoneGroups": [{"quantityType": "HKQuantityTypeIdentifierHeartRate", "unit": "count/min", "source": "app",
                    "zones": [{"maximum": 120, "duration": 600}, {"minimum": 120, "duration": 1200}]}],
                  "objects": [{"type": "heartRate", "quantity": 130, "unit": "count/min"}, {"type": "activeEnergyBurned", "quantity": 300, "unit": "kcal"}]},
                 {"type": "electrocardiogram", "startDate": "2025-05-01T11:00:00Z", "endDate": "2025-05-01T11:00:30Z", "classification": "sinusRhythm",
                  "symptomsStatus": 1, "averageHeartRate": {"quantity": 61, "unit": "count/min"},
                  "voltageMeasurements": {"timeSinceSampleStart": [0, 0.002], "appleWatchSimilarToLeadI": [0.00025, null]}},
                 {"type": "heartbeatSeries", "startDate": "2025-05-01T12:00:00Z", "endDate": "2025-05-01T12:01:00Z",
                  "heartbeats": [{"timeSinceSeriesStart": 0.8}, {"timeSinceSeriesStart": 1.7, "precededByGap": true}]}]
                """#)
            #expect(saved.status == 200, "\(saved.text)")
            let uuids = try #require(saved.json["samples"] as? [String])
            let workout = try await api.get("workouts/\(uuids[0])?points=10")
            let zones = try #require(workout.json["zones"] as? [String: Any])
            #expect((zones["zones"] as? [[String: Any]])?.compactMap { $0["duration"] as? Double } == [600, 1_200])
            #expect(zones["source"] as? String == "app")
            let statistics = workout.list("statistics")
            #expect(
                statistics.first { $0["type"] as? String == "HKQuantityTypeIdentifierActiveEnergyBurned" }?[
                    "sumQuantity"] as? Double == 300)
            #expect(workout.json["routes"] as? [Any] != nil && workout.json["splits"] == nil)
            #expect(try await api.get("workouts/\(uuids[0])").json["routes"] == nil)
            let ecgs = try await api.get("electrocardiograms").list("electrocardiograms")
            #expect(
                ecgs.first?["classificationName"] as? String == "sinusRhythm"
                    && ecgs.first?["numberOfVoltageMeasurements"] as? Int == 2)
            #expect(ecgs.first?["voltageMeasurements"] == nil)
            let voltages = try #require(
                try await api.get("electrocardiograms/\(uuids[1])").json["voltageMeasurements"] as? [String: Any])
            #expect((voltages["appleWatchSimilarToLeadI"] as? [Any])?.last is NSNull)
            let beats = try await api.get("series/\(uuids[2])").list("heartbeats")
            #expect(beats.map { $0["precededByGap"] as? Bool } == [false, true])
            for path in [
                "workouts/\(uuids[1])", "electrocardiograms/\(uuids[0])", "series/\(uuids[0])", "workouts/nonsense",
                "samples/\(UUID())",
            ] {
                #expect(try await api.get(path).status == 404, "\(path)")
            }
        }
    }

    @Test("Insights: sleep, trends and today")
    func insights() async throws {
        try await APIFixture.run { api in
            try api.engine.save(
                [
                    try APIFixture.night("2025-05-01T22:00:00Z", 7, 3),
                    try APIFixture.night("2025-05-02T05:00:00Z", 1, 5),
                ],
                as: APIFixture.app("watch"))
            let nights = try await api.get("sleep?start=2025-05-01&end=2025-05-04").list("nights")
            #expect(nights.count == 1 && nights[0]["date"] as? String == "2025-05-02")
            let main = try #require(nights[0]["main"] as? [String: Any])
            #expect(main["timeAsleep"] as? Double == 28_800.0)
            #expect((main["stages"] as? [String: Double])?["rem"] == 3_600)
            try api.save(
                "stepCount", "count", (1...28).map { ("2025-04-\($0 < 10 ? "0" : "")\($0)T12:00:00Z", 60, 1_000) })
            let compared = try await api.get(
                "trends?type=stepCount&start=2025-04-08&end=2025-04-15&compareStart=2025-04-01&compareEnd=2025-04-08")
            #expect(
                (compared.list("trends").first?["comparison"] as? [String: Any])?["change"] as? Double == 0,
                "\(compared.text)")
            let trend = try await api.get("trends?type=stepCount")
            #expect((trend.list("trends").first?["trend"] as? [String: Any])?["direction"] is String, "\(trend.text)")
            #expect(try await api.get("trends?type=sleepAnalysis").status == 400)
            let today = try await api.get("today")
            #expect(today.status == 200 && today.json["energy"] is [String: Any], "\(today.text)")
            let token = try api.server.token(read: .some([]))
            for path in ["today", "sleep", "trends?type=stepCount", "energy-balance", "activity-summaries"] {
                #expect(try await api.get(path, token: token).status == 200, "\(path)")
            }
        }
    }

    @Test("SQL reads, within bounds, what the caller may read")
    func sql() async throws {
        try await APIFixture.run { api in
            try api.save("stepCount", "count", (0..<20).map { ("2025-05-01T08:\(10 + $0):00Z", 30, 10) })
            func run(_ query: String, _ limit: Int? = nil, token: String? = nil) async throws -> TestResponse {
                var body: [String: Any] = ["query": query]
                body["limit"] = limit
                let text = String(decoding: try JSONSerialization.data(withJSONObject: body), as: UTF8.self)
                return try await api.post("sql", text, token: token)
            }
            let sum = try await run("SELECT count(*) AS n, sum(value) FROM step_count")
            #expect(sum.json["columns"] as? [String] == ["n", "sum(value)"], "\(sum.text)")
            #expect((sum.json["rows"] as? [[Double]])?.first == [20, 200])
            let cut = try await run("SELECT value FROM step_count", 5)
            #expect((cut.json["rows"] as? [Any])?.count == 5 && cut.json["isTruncated"] as? Bool == true)
            for bad in [
                "DELETE FROM samples", "SELECT", "", "SELECT 1; SELECT 2", "ATTACH 'x' AS y",
                "SELECT zeroblob(100000000)",
            ] {
                let answer = try await run(bad)
                #expect(answer.status == 400 && answer.code == "invalidSQL", "\(bad): \(answer.text.prefix(300))")
            }
            let endless = try await run(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n")
            #expect(endless.status == 400 && endless.json["detail"] as? String != nil)
            #expect(try await run("SELECT 1", 0).status == 422)
            let token = try api.server.token(read: .some(["heartRate"]))
            for table in ["samples", "sources", "source_revisions", "devices", "types"] {
                #expect(
                    (try await run("SELECT count(*) FROM \(table)", token: token).json["rows"] as? [[Double]])?.first
                        == [0], "\(table)")
            }
        }
    }
}
