import Foundation
import HealthEngine
import HealthModel
import HealthTesting
import Testing

@testable import HealthServer

/// The clock of the fixture shows noon of 2025-11-01, a Saturday, in UTC.
@Suite("Insights over HTTP")
struct InsightsAPITests {
    private func quantity(_ object: Any?) -> (Double, String)? {
        guard let object = object as? [String: Any], let value = object["quantity"] as? Double,
            let unit = object["unit"] as? String
        else { return nil }
        return (value, unit)
    }

    private func prefer(_ units: String, _ api: APIFixture) async throws {
        let answer = try await api.send("PUT", "preferred-units", #"{"preferredUnits": {\#(units)}}"#)
        #expect(answer.status == 200, "\(answer.text)")
    }

    @Test("A day without data has the date of the last one, which can be shown instead")
    func latestDay() async throws {
        try await APIFixture.run { api in
            #expect(try await api.get("today").json["latestDate"] == nil)
            try api.save("stepCount", "count", [("2025-10-22T08:00:00Z", 60, 500), ("2025-10-23T08:00:00Z", 60, 700)])
            let today = try await api.get("today")
            #expect(today.json["latestDate"] as? String == "2025-10-23" && today.json["isEmpty"] as? Bool == false)
            let last = try await api.get("today?day=2025-10-23")
            #expect(last.json["date"] as? String == "2025-10-23" && last.json["latestDate"] == nil, "\(last.text)")
            #expect((last.json["steps"] as? [String: Any])?["quantity"] as? Double == 700)
            #expect((last.json["steps"] as? [String: Any])?["hours"] as? [Double] == (0..<24).map { $0 == 8 ? 700 : 0 })
            #expect(try await api.get("today?day=soon").status == 400)
            try api.save("stepCount", "count", [("2025-11-01T08:00:00Z", 60, 900)])
            #expect(try await api.get("today").json["latestDate"] == nil)
            // A future day is today so far.
            #expect(try await api.get("today?day=2025-12-01").json["date"] as? String == "2025-11-01")
        }
    }

    @Test("Without food there is no balance")
    func balance() async throws {
        try await APIFixture.run { api in
            try api.save("bodyMass", "kg", [("2025-04-01T08:00:00Z", 0, 70)])
            try api.save("height", "cm", [("2025-04-01T08:00:00Z", 0, 170)])
            _ = try await api.send("PATCH", "characteristics", #"{"dateOfBirth": "1985-05-01", "biologicalSex": 1}"#)
            func energy() async throws -> [[String: Any]] {
                [
                    try await api.get("today").json["energy"] as? [String: Any] ?? [:],
                    try await api.get("energy-balance").list("days").first ?? [:],
                ]
            }
            for answer in try await energy() {
                #expect(answer["net"] == nil && answer["missing"] as? [String] == [] && answer["burned"] != nil)
            }
            try api.save("dietaryEnergyConsumed", "kcal", [("2025-11-01T09:00:00Z", 0, 400)])
            for answer in try await energy() { #expect(answer["net"] != nil) }
        }
    }

    @Test("A type has one unit in every answer")
    func units() async throws {
        try await APIFixture.run { api in
            try await prefer(#""activeEnergyBurned": "kJ", "distanceWalkingRunning": "mi""#, api)
            try api.save("activeEnergyBurned", "kcal", [("2025-11-01T08:00:00Z", 600, 250)])
            _ = try await api.send(
                "PUT", "goals", #"{"from": "2025-01-01", "activeEnergyBurnedGoal": 500, "standHoursGoal": 12}"#)
            let saved = try await api.post(
                "samples",
                #"""
                [{"type": "workout", "startDate": "2025-11-01T10:00:00Z", "endDate": "2025-11-01T10:30:00Z", "workoutActivityType": 37,
                  "totalDistance": {"quantity": 5, "unit": "km"}, "totalEnergyBurned": {"quantity": 100, "unit": "kcal"},
                  "metadata": {"HKElevationAscended": {"quantity": 30.48, "unit": "m"}}}]
                """#)
            let uuid = try #require((saved.json["samples"] as? [String])?.first, "\(saved.text)")
            let energy = try await api.get("today").json["energy"] as? [String: Any]
            let rings = try await api.get("activity-summaries").list("activitySummaries").first
            let goals = try await api.get("goals").json["current"] as? [String: Any]
            let workout = try await api.get("workouts/\(uuid)").json
            let sample = try await api.get("samples/\(uuid)").json
            let listed = try await api.get("samples?type=workout").list("samples").first
            let expected: [(Any?, Double, String)] = [
                (energy?["active"], 1_046, "kJ"), (rings?["activeEnergyBurned"], 1_046, "kJ"),
                (rings?["activeEnergyBurnedGoal"], 2_092, "kJ"), (goals?["activeEnergyBurnedGoal"], 2_092, "kJ"),
                (workout["totalEnergyBurned"], 418.4, "kJ"), (workout["totalDistance"], 3.106_855_961, "mi"),
                (workout["elevationAscended"], 100, "ft"), (sample["totalEnergyBurned"], 418.4, "kJ"),
                (sample["totalDistance"], 3.106_855_961, "mi"), (listed?["totalDistance"], 3.106_855_961, "mi"),
            ]
            for (index, (answer, value, unit)) in expected.enumerated() {
                let (found, foundUnit) = try #require(quantity(answer), "\(index)")
                #expect(abs(found - value) < 1e-6 && foundUnit == unit, "\(index): \(found) \(foundUnit)")
            }
            let statistics = try await api.get("statistics?type=activeEnergyBurned&start=2025-11-01&end=2025-11-02")
            #expect(statistics.list("statistics").first?["sumQuantity"] as? Double == 1_046)
        }
    }

    @Test("The average week is of whole weeks since the first workout")
    func averageWeek() async throws {
        try await APIFixture.run { api in
            // Monday the 6th begins the first week with a workout, Monday the 27th the present one.
            for (day, hours) in [("10-08", 1.0), ("10-20", 2), ("10-28", 5)] {
                let start = try APIFixture.instant("2025-\(day)T10:00:00Z")
                let workout = ObjectRecord(
                    type: try APIFixture.type("workout"), start: start, end: start + hours * 3_600,
                    body: .workout(WorkoutBody(activityType: 37, duration: hours * 3_600)))
                try api.engine.save([.object(workout)], as: APIFixture.app("watch"))
            }
            let year = try await api.get("workouts/weeks?start=2025-08-11&end=2025-11-02").json
            #expect((year["weeks"] as? [Any])?.count == 12 && year["wholeWeeks"] as? Int == 3)
            #expect(year["averageWeek"] as? Double == 3_600)
            let present = try await api.get("workouts/weeks?start=2025-10-27&end=2025-11-02").json
            #expect(present["wholeWeeks"] as? Int == 0 && present["averageWeek"] == nil)
            let sundays = try await api.get("workouts/weeks?firstWeekday=sunday")
            let starts = sundays.list("weeks").compactMap { ($0["startDate"] as? String)?.prefix(10) }
            #expect(starts == ["2025-10-05", "2025-10-12", "2025-10-19", "2025-10-26"])
            let unknown = try await api.get("workouts/weeks?firstWeekday=7")
            #expect(unknown.status == 400 && unknown.text.contains("firstWeekday"), "\(unknown.text)")
        }
    }

    @Test("A workout has its own heart rates and says where they are unknown; strength training has no speed")
    func workouts() async throws {
        try await APIFixture.run { api in
            let rates = [0, 1, 2, 3, 20, 21].map { minute in
                let date = String(format: "2025-10-01T10:%02d:00Z", minute)
                return
                    #"{"type": "heartRate", "quantity": \#(100 + minute), "unit": "count/min", "startDate": "\#(date)", "endDate": "\#(date)"}"#
            }
            // Another device measures something else.
            try api.save("heartRate", "count/min", [("2025-10-01T10:10:00Z", 0, 200)], as: "phone")
            let saved = try await api.post(
                "samples",
                #"""
                [{"type": "workout", "startDate": "2025-10-01T10:00:00Z", "endDate": "2025-10-01T10:30:00Z", "workoutActivityType": 50,
                  "totalDistance": {"quantity": 0.3, "unit": "km"}, "objects": [\#(rates.joined(separator: ","))]}]
                """#)
            let uuid = try #require((saved.json["samples"] as? [String])?.first, "\(saved.text)")
            let workout = try await api.get("workouts/\(uuid)?points=10")
            let points = workout.list("heartRates")
            #expect(points.map { $0["value"] as? Double } == [100, 101, 102, 103, 120, 121])
            #expect(points.map { $0["precededByGap"] as? Bool } == [false, false, false, false, true, false])
            #expect(workout.json["maximumHeartRate"] as? Double == 121, "\(workout.text)")
            #expect(workout.json["hasAllHeartRates"] as? Bool == true)
            #expect(workout.json["speed"] == nil && workout.json["pace"] == nil && workout.json["splits"] == nil)
            #expect(workout.json["totalDistance"] != nil)
        }
    }

    @Test("A quantity type that only the store knows has statistics, and no trend")
    func unknownTypes() async throws {
        try await TestServer.with(people: ["anna"]) { server in
            let path = server.folder + "/export.xml"
            let record =
                #"<Record type="HKDataTypeSleepDurationGoal" sourceName="Health" unit="hr" creationDate="2025-01-02 08:00:00 +0000" startDate="2025-01-02 08:00:00 +0000" endDate="2025-01-02 08:00:00 +0000" value="VALUE"/>"#
            let records = ["7", "8"].map { record.replacing("VALUE", with: $0) }.joined()
            try
                #"<?xml version="1.0"?><HealthData locale="en_US"><ExportDate value="2025-01-03 08:00:00 +0000"/>\#(records)</HealthData>"#
                .write(toFile: path, atomically: true, encoding: .utf8)
            let store = try server.core.directory.store(of: "anna").path
            let run = try await HKProcess.run(["import", path, "--quiet", "--store", store])
            #expect(run.status == 0, "\(run.lines)")
            let root = "/v1/people/anna/"
            let trends = try await server.client.get(root + "trends?type=HKDataTypeSleepDurationGoal")
            #expect(trends.status == 200, "\(trends.text)")
            let trend = try #require(trends.list("trends").first)
            #expect(trend["type"] as? String == "HKDataTypeSleepDurationGoal" && trend["trend"] == nil)
            let answer = try await server.client.get(
                root + "statistics?type=HKDataTypeSleepDurationGoal&summary=true&interval=month")
            #expect(answer.status == 200 && answer.json["unit"] as? String == "hr", "\(answer.text)")
            #expect((answer.json["summary"] as? [String: Any])?["average"] as? Double == 7.5, "\(answer.text)")
        }
    }

    @Test("The course of a workout is in the person's units, beside earlier ones; weeks have loads on request")
    func course() async throws {
        try await APIFixture.run { api in
            #expect(try await api.send("PATCH", "characteristics", #"{"dateOfBirth":"1985-01-01"}"#).status == 200)
            var uuids: [String] = []
            for day in ["08", "09"] {
                let rates = (0..<30).map { minute in
                    let date = String(format: "2025-10-\(day)T10:%02d:00Z", minute)
                    return
                        #"{"type": "heartRate", "quantity": 126, "unit": "count/min", "startDate": "\#(date)", "endDate": "\#(date)"}"#
                }
                let saved = try await api.post(
                    "samples",
                    #"""
                    [{"type": "workout", "startDate": "2025-10-\#(day)T10:00:00Z", "endDate": "2025-10-\#(day)T10:30:00Z", "workoutActivityType": 37,
                      "totalDistance": {"quantity": 6, "unit": "km"},
                      "workoutEvents": [{"type": "lap", "startDate": "2025-10-\#(day)T10:10:00Z"}],
                      "objects": [\#(rates.joined(separator: ",")),
                        {"type": "distanceWalkingRunning", "quantity": 6, "unit": "km", "startDate": "2025-10-\#(day)T10:00:00Z", "endDate": "2025-10-\#(day)T10:30:00Z"}]}]
                    """#)
                uuids.append(try #require((saved.json["samples"] as? [String])?.first, "\(saved.text)"))
            }
            let plain = try await api.get("workouts/\(uuids[1])")
            #expect(plain.json["curves"] == nil && plain.json["earlier"] == nil)
            #expect(plain.list("laps").map { $0["duration"] as? Double } == [600, 1_200], "\(plain.text)")
            let course = try await api.get("workouts/\(uuids[1])?curves=100&compare=5")
            let curves = course.list("curves")
            #expect(curves.map { $0["figure"] as? String } == ["pace", "heartRate"], "\(course.text)")
            #expect(curves.map { $0["unit"] as? String } == ["s/km", "count/min"])
            #expect(abs((curves.first?["average"] as? Double ?? 0) - 300) < 1e-6)
            let points = try #require(curves.last?["points"] as? [[String: Any]])
            #expect(points.count == 30 && points[1]["time"] as? Double == 60 && points[1]["value"] as? Double == 126)
            let earlier = try #require(course.json["earlier"] as? [String: Any])
            #expect(earlier["count"] as? Int == 1 && earlier["durationChange"] as? Double == 0)
            // 70 % of 220 − 40 is the third zone, for 30 minutes.
            let weeks = try await api.get("workouts/weeks?start=2025-10-06&end=2025-10-13&load=true")
            let loads = weeks.list("weeks").compactMap { $0["trainingLoad"] as? Double }
            #expect(loads.count == 1 && abs((loads.first ?? 0) - 180) < 6, "\(weeks.text)")
            #expect(weeks.json["workoutsWithoutLoad"] as? Int == 0)
        }
    }

    @Test("The sets of a strength workout are its segments with an exercise, repetitions or a weight")
    func sets() async throws {
        try await APIFixture.run { api in
            let saved = try await api.post(
                "samples",
                #"""
                [{"type": "workout", "startDate": "2025-10-08T10:00:00Z", "endDate": "2025-10-08T10:30:00Z", "workoutActivityType": 50,
                  "workoutEvents": [
                   {"type": "segment", "startDate": "2025-10-08T10:05:00Z", "endDate": "2025-10-08T10:05:30Z", "metadata": {"Repetitions": 12}},
                   {"type": "segment", "startDate": "2025-10-08T10:01:00Z", "endDate": "2025-10-08T10:01:40Z",
                    "metadata": {"Exercise": "bench_press", "Repetitions": 10, "Weight": {"quantity": 60, "unit": "kg"}}},
                   {"type": "segment", "startDate": "2025-10-08T10:10:00Z", "endDate": "2025-10-08T10:11:00Z"}]}]
                """#)
            let uuid = try #require((saved.json["samples"] as? [String])?.first, "\(saved.text)")
            let sets = try await api.get("workouts/\(uuid)").list("sets")
            #expect(sets.map { $0["number"] as? Int } == [1, 2] && sets.map { $0["duration"] as? Double } == [40, 30])
            #expect(sets.map { $0["exercise"] as? String } == ["bench press", nil])
            #expect(sets.map { $0["repetitions"] as? Int } == [10, 12])
            #expect(sets.map { $0["weight"] as? Double } == [60, nil])
        }
    }

    @Test("Cycles are those that begin in the range, with their days on request")
    func cycles() async throws {
        try await APIFixture.run { api in
            let samples = ["2025-09-01", "2025-09-02", "2025-09-29", "2025-10-30"].map {
                #"{"type": "menstrualFlow", "startDate": "\#($0)T08:00:00Z", "value": "medium", "metadata": {"HKMenstrualCycleStart": false}}"#
            }
            #expect(try await api.post("samples", "[\(samples.joined(separator: ","))]").status == 200)
            let all = try await api.get("cycles")
            #expect(
                all.text
                    == #"{"cycles":[{"startDay":"2025-09-01","periodDays":2,"days":28},{"startDay":"2025-09-29","periodDays":1,"days":31},{"startDay":"2025-10-30","periodDays":1}],"averageDays":29.5,"averagePeriodDays":1.3333333333333333}"#,
                "\(all.text)")
            let some = try await api.get("cycles?start=2025-09-02&end=2025-10-01&days=true")
            #expect(some.list("cycles").map { $0["startDay"] as? String } == ["2025-09-29"])
            #expect(some.list("days").map { $0["date"] as? String } == ["2025-09-02", "2025-09-29"])
            #expect(some.list("days").allSatisfy { $0["valueName"] as? String == "medium" }, "\(some.text)")
        }
    }
}
