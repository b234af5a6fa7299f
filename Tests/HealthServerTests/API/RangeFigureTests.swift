import Foundation
import HealthEngine
import HealthModel
import HealthTesting
import Testing

@testable import HealthServer

/// A figure of a range is one statistics answer, however the range is divided.
@Suite("Figures of a range")
struct RangeFigureTests {
    private static let intervals = ["", "&interval=hour", "&interval=day", "&interval=week", "&interval=month"]
    private static let types = [
        "stepCount", "activeEnergyBurned", "heartRate", "restingHeartRate", "bodyMass", "bloodPressureDiastolic",
        "environmentalAudioExposure",
    ]
    private static let units = [
        "stepCount": "count", "activeEnergyBurned": "kcal", "heartRate": "count/min", "restingHeartRate": "count/min",
        "bodyMass": "kg", "bloodPressureDiastolic": "mmHg", "environmentalAudioExposure": "dBASPL",
    ]

    /// Samples of two sources in September and October, many of them across midnight.
    private func plant(_ api: APIFixture, _ random: inout SplitMix64) throws {
        let start = try APIFixture.instant("2025-09-01T00:00:00Z")
        for name in Self.types {
            for app in ["watch", "phone"] {
                let items = try (0..<120).map { _ -> SaveItem in
                    let isLate = Bool.random(using: &random)
                    let day = Double.random(in: 0..<61, using: &random).rounded(.down)
                    let hour = isLate ? 23.75 : Double.random(in: 0..<23, using: &random)
                    let instant = start + day * 86_400 + hour * 3_600
                    let hasLength = name != "bodyMass" && name != "bloodPressureDiastolic"
                    let seconds = hasLength ? Double.random(in: 0..<2_400, using: &random).rounded() : 0
                    return .sample(
                        SampleRecord(
                            type: try APIFixture.type(name), start: instant, end: instant + seconds,
                            value: Double.random(in: 50..<150, using: &random).rounded(), unit: Self.units[name]!))
                }
                try api.engine.save(items, as: APIFixture.app(app))
            }
        }
    }

    private func number(_ object: [String: Any]?, _ name: String) -> Double? { object?[name] as? Double }

    private func isEqual(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one - other) <= 1e-9 * max(1, abs(one))
    }

    @Test("Every figure of a range is that of its statistics, in any grouping", arguments: [1, 2, 3] as [UInt64])
    func groupings(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        try await APIFixture.run { api in
            try plant(api, &random)
            for round in 0..<12 {
                let name = Self.types[round % Self.types.count]
                let first = Int.random(in: 1...20, using: &random)
                let last = Int.random(in: 1...30, using: &random)
                let time = round % 3 == 0 ? "T10:30:00Z" : ""
                let range = String(format: "&start=2025-09-%02d%@&end=2025-10-%02d%@", first, time, last, time)
                let whole = try await api.get("statistics?type=\(name)\(range)").list("statistics").first
                #expect(whole != nil, "seed \(seed): \(name)\(range)")
                for interval in Self.intervals {
                    let path = "statistics?type=\(name)\(range)\(interval)&summary=true"
                    let answer = try await api.get(path)
                    let summary = answer.json["summary"] as? [String: Any]
                    let parts = answer.list("statistics")
                    #expect(isEqual(number(summary, "total"), number(whole, "sumQuantity")), "seed \(seed): \(path)")
                    if let sum = number(whole, "sumQuantity") {
                        let sums = parts.compactMap { number($0, "sumQuantity") }.reduce(0, +)
                        // The first and the last interval may begin before the range or end after it, and then have
                        // more than is in the range.
                        let isAligned = time.isEmpty && !["&interval=week", "&interval=month"].contains(interval)
                        #expect(!isAligned || isEqual(sums, sum), "seed \(seed): \(path): \(sums), \(sum)")
                    } else {
                        let average = number(whole, "averageQuantity")
                        #expect(isEqual(number(summary, "average"), average), "seed \(seed): \(path)")
                        #expect(isEqual(number(summary, "minimum"), number(whole, "minimumQuantity")))
                        #expect(isEqual(number(summary, "maximum"), number(whole, "maximumQuantity")))
                    }
                }
            }
        }
    }

    @Test("Trends and references have the averages of the statistics of their days")
    func trends() async throws {
        var random = SplitMix64(seed: 7)
        try await APIFixture.run { api in
            try plant(api, &random)
            for name in Self.types {
                let answer = try await api.get("trends?type=\(name)")
                let trend = try #require(answer.list("trends").first?["trend"] as? [String: Any])
                for (part, range) in [
                    ("recent", "start=2025-10-25&end=2025-11-01"), ("baseline", "start=2025-09-27&end=2025-10-25"),
                ] {
                    let figures = trend[part] as? [String: Any]
                    let path = "statistics?type=\(name)&\(range)"
                    let whole = try await api.get(path).list("statistics").first
                    let isSum = number(whole, "sumQuantity") != nil
                    #expect(isEqual(number(figures, "total"), number(whole, "sumQuantity")), "\(path)")
                    #expect(isSum || isEqual(number(figures, "average"), number(whole, "averageQuantity")), "\(path)")
                }
            }
        }
    }

    @Test("The average of a cumulative type is of whole days: neither of today nor of partial days")
    func wholeDays() async throws {
        try await APIFixture.run { api in
            try api.save(
                "stepCount", "count",
                [
                    ("2025-10-30T08:00:00Z", 60, 1_000), ("2025-10-31T08:00:00Z", 60, 3_000),
                    ("2025-11-01T08:00:00Z", 60, 10),
                ])
            func summary(_ range: String) async throws -> [String: Any] {
                try await api.get("statistics?type=stepCount&interval=day&summary=true&\(range)").json["summary"]
                    as? [String: Any] ?? [:]
            }
            // It is noon of November 1.
            let week = try await summary("start=2025-10-26&end=2025-11-02")
            #expect(number(week, "total") == 4_010 && number(week, "average") == 2_000)
            #expect(week["wholeDays"] as? Int == 2 && week["daysWithData"] as? Int == 3)
            #expect(number(week, "minimum") == 1_000)
            let cut = try await summary("start=2025-10-30T07:00:00Z&end=2025-11-01")
            #expect(number(cut, "total") == 4_000 && number(cut, "average") == 3_000)
            #expect(number(try await summary("start=2025-11-01&end=2025-11-02"), "average") == 10)
            // The same request is answered again when the day is over.
            api.server.clock.advance(by: 86_400)
            let later = try await summary("start=2025-10-26&end=2025-11-02")
            #expect(later["wholeDays"] as? Int == 3 && number(later, "minimum") == 10)
        }
    }
}
