import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthServer

@Suite("Statistics over HTTP")
struct StatisticsAPITests {
    @Test("Days have 23 and 25 hours when the clock changes")
    func clockChanges() async throws {
        try await APIFixture.run { api in
            // One step each hour, in spring and in autumn.
            for (first, hours) in [("2025-03-29T23:00:00Z", 48), ("2025-10-25T22:00:00Z", 50)] {
                let start = try APIFixture.instant(first)
                try api.engine.save(
                    (0..<hours).map { hour in
                        .sample(
                            SampleRecord(
                                type: try! APIFixture.type("stepCount"), start: start + Double(hour) * 3_600,
                                end: start + Double(hour) * 3_600 + 60,
                                value: 1, unit: "count"))
                    }, as: APIFixture.app("watch"))
            }
            func days(_ start: String, _ end: String, _ zone: String) async throws -> [(String, Double)] {
                let answer = try await api.get(
                    "statistics?type=stepCount&interval=day&start=\(start)&end=\(end)&timeZone=\(zone)")
                #expect(answer.status == 200, "\(answer.text)")
                return answer.list("statistics").map {
                    ($0["startDate"] as? String ?? "", $0["sumQuantity"] as? Double ?? -1)
                }
            }
            let spring = try await days("2025-03-30", "2025-04-01", "Europe/Berlin")
            #expect(spring.map(\.0) == ["2025-03-30T00:00:00+01:00", "2025-03-31T00:00:00+02:00"])
            #expect(spring.map(\.1) == [23, 24])
            let autumn = try await days("2025-10-26", "2025-10-28", "Europe/Berlin")
            #expect(autumn.map(\.0) == ["2025-10-26T00:00:00+02:00", "2025-10-27T00:00:00+01:00"])
            #expect(autumn.map(\.1) == [25, 24])
            let hours = try await api.get(
                "statistics?type=stepCount&interval=hour&start=2025-10-26&end=2025-10-27&timeZone=Europe/Berlin&fill=true"
            )
            #expect(hours.list("statistics").count == 25)
            let weeks = try await api.get("statistics?type=stepCount&interval=week&timeZone=Europe/Berlin")
            #expect(
                weeks.list("statistics").map { $0["startDate"] as? String } == [
                    "2025-03-24T00:00:00+01:00", "2025-03-31T00:00:00+02:00", "2025-10-20T00:00:00+02:00",
                    "2025-10-27T00:00:00+01:00",
                ])
            let sundays = try await api.get(
                "statistics?type=stepCount&interval=week&firstWeekday=sunday&timeZone=Europe/Berlin")
            #expect(
                sundays.list("statistics").map { $0["startDate"] as? String } == [
                    "2025-03-30T00:00:00+01:00", "2025-10-26T00:00:00+02:00",
                ])
            let months = try await api.get("statistics?type=stepCount&interval=month&timeZone=Europe/Berlin")
            #expect(months.list("statistics").map { $0["sumQuantity"] as? Double } == [47, 1, 50])
        }
    }

    @Test("A period that is only partly in the range says where its part begins or ends")
    func cutPeriods() async throws {
        try await APIFixture.run { api in
            try api.save(
                "stepCount", "count",
                [
                    ("2024-03-10T08:00:00Z", 60, 10), ("2024-12-10T08:00:00Z", 60, 20),
                    ("2025-02-10T08:00:00Z", 60, 30), ("2025-10-20T08:00:00Z", 60, 40),
                ])
            func years(_ range: String) async throws -> [[String: Any]] {
                try await api.get("statistics?type=stepCount&interval=year&timeZone=UTC&\(range)").list("statistics")
            }
            func days(_ name: String, _ years: [[String: Any]]) -> [String?] {
                years.map { ($0[name] as? String).map { String($0.prefix(19)) } }
            }
            let cut = try await years("start=2024-06-01&end=2025-06-01")
            #expect(days("from", cut) == ["2024-06-01T00:00:00", nil])
            #expect(days("until", cut) == [nil, "2025-06-01T00:00:00"])
            // The present year is not over.
            let whole = try await years("start=2024-01-01&end=2025-12-01")
            #expect(days("from", whole) == [nil, nil] && days("until", whole) == [nil, nil])
            let document = try await api.client.get("/openapi.json")
            #expect(document.text.contains(#""until""#) && document.text.contains(#""from""#))
        }
    }

    @Test("Figures, units, options and sources")
    func figures() async throws {
        try await APIFixture.run { api in
            try api.save("heartRate", "count/s", [("2025-05-01T08:00:00Z", 0, 1), ("2025-05-01T09:00:00Z", 0, 2)])
            let one = try await api.get("statistics?type=heartRate&options=average,min,max,mostRecent,duration")
            #expect(one.json["unit"] as? String == "count/min")
            let figures = try #require(one.list("statistics").first)
            #expect(figures["minimumQuantity"] as? Double == 60 && figures["maximumQuantity"] as? Double == 120)
            #expect(figures["mostRecentQuantity"] as? Double == 120)
            #expect(
                (figures["mostRecentQuantityDateInterval"] as? [String: String])?["startDate"]
                    == "2025-05-01T09:00:00+00:00")
            let hertz = try await api.get("statistics?type=heartRate&unit=Hz")
            #expect(hertz.list("statistics").first?["maximumQuantity"] as? Double == 2)
            // The same hour by two sources: the watch comes first, then as the person says.
            try api.save("stepCount", "count", [("2025-05-01T08:00:00Z", 3_600, 100)], as: "phone")
            try api.save("stepCount", "count", [("2025-05-01T08:00:00Z", 3_600, 90)], as: "watch")
            func sum() async throws -> Double? {
                try await api.get("statistics?type=stepCount").list("statistics").first?["sumQuantity"] as? Double
            }
            let before = try await sum()
            let order = try await api.get("sources/order?type=stepCount").list("sources").compactMap {
                $0["bundleIdentifier"] as? String
            }
            #expect(before == (order.first == "com.example.watch" ? 90 : 100))
            let reversed = try await api.send(
                "PUT", "sources/order?type=stepCount", #"{"sources": ["\#(order[1])", "\#(order[0])"]}"#)
            #expect(reversed.status == 200, "\(reversed.text)")
            #expect(reversed.list("sources").compactMap { $0["bundleIdentifier"] as? String } == order.reversed())
            #expect(try await sum() == (before == 90 ? 100 : 90))
            let disabled = try await api.send(
                "PUT", "sources/order?type=stepCount",
                #"{"sources": [{"bundleIdentifier": "com.example.watch", "isEnabled": false}, {"bundleIdentifier": "com.example.phone"}]}"#
            )
            #expect(disabled.list("sources").first?["isEnabled"] as? Bool == false)
            #expect(try await sum() == 100)
            let separate = try await api.get("statistics?type=stepCount&options=sum,separateBySource")
            #expect(
                (separate.list("statistics").first?["sources"] as? [[String: Any]])?.first?["sumQuantity"] as? Double
                    == 100)
            for bad in [
                "type=stepCount&options=average", "type=heartRate&options=sum", "type=stepCount&options=x",
                "type=workout", "type=stepCount&unit=kg", "type=stepCount&fill=true",
            ] {
                #expect(try await api.get("statistics?\(bad)").status == 400, "\(bad)")
            }
            for bad in [
                "&interval=fortnight", "&interval=0m", "&interval=day&fill=true",
                "&interval=1m&fill=true&start=1990&end=2025",
            ] {
                #expect(try await api.get("statistics?type=stepCount\(bad)").status == 400, "\(bad)")
            }
            let empty = try await api.get("statistics?type=dietaryWater")
            #expect(empty.status == 200 && empty.list("statistics").isEmpty)
        }
    }

    @Test("Category types: the time in each value")
    func categories() async throws {
        try await APIFixture.run { api in
            try api.engine.save(
                [
                    try APIFixture.night("2025-05-01T22:00:00Z", 3, 3),
                    try APIFixture.night("2025-05-02T01:00:00Z", 1, 4),
                    try APIFixture.night("2025-05-02T02:00:00Z", 2, 3),
                ],
                as: APIFixture.app("watch"))
            let whole = try #require(try await api.get("statistics?type=sleepAnalysis").list("statistics").first)
            #expect(whole["duration"] as? Double == 21_600.0)
            let values = try #require(whole["values"] as? [[String: Any]])
            #expect(values.map { $0["valueName"] as? String } == ["asleepCore", "asleepDeep"])
            #expect(values.map { $0["duration"] as? Double } == [18_000, 3_600])
            let days = try await api.get("statistics?type=sleepAnalysis&interval=day").list("statistics")
            // A night belongs to the day on which it ends.
            #expect(days.map { $0["duration"] as? Double } == [21_600])
            let hours = try await api.get("statistics?type=sleepAnalysis&interval=hour").list("statistics")
            #expect(hours.map { $0["duration"] as? Double } == Array(repeating: 3_600, count: 6))
            #expect(try await api.get("statistics?type=sleepAnalysis&options=sum").status == 400)
            let chosen = try await api.get("statistics?type=sleepAnalysis&source=watch").list("statistics")
            #expect(chosen.map { $0["duration"] as? Double } == [21_600])
            #expect(try await api.get("statistics?type=sleepAnalysis&source=phone").list("statistics").isEmpty)
            #expect(try await api.get("statistics?type=sleepAnalysis&device=watch").status == 400)
        }
    }

    @Test("A cached answer is never older than the store, whichever process wrote")
    func freshness() async throws {
        try await APIFixture.run { api in
            let other = try api.otherEngine()
            defer { try? other.close() }
            let query = "statistics?type=stepCount&options=sum"
            var total = 0.0
            for index in 0..<20 {
                let start = try APIFixture.instant("2025-05-01T00:00:00Z") + Double(index) * 60
                let sample = SampleRecord(
                    type: try APIFixture.type("stepCount"), start: start, end: start + 30, value: 1, unit: "count")
                try (index.isMultiple(of: 2) ? api.engine : other).save([.sample(sample)], as: APIFixture.app("watch"))
                total += 1
                for _ in 0..<2 {
                    #expect(try await api.get(query).list("statistics").first?["sumQuantity"] as? Double == total)
                }
            }
        }
    }
}
