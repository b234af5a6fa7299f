import Foundation
import Testing

@testable import HealthServer

/// The figures that the page shows, in the answers to its requests, against those of `hk`.
@Suite("Figures of the page and of hk", .serialized)
struct PageFigureTests {
    private static let now = "2025-11-16T12:00:00-05:00"
    private static let zone = "America/New_York"

    /// The periods of the screen of a type, with their usual interval: `[start, end)`, and the last day.
    private static let periods = [
        ("day", "2025-11-10", "2025-11-17", "2025-11-16"), ("week", "2025-10-18", "2025-11-17", "2025-11-16"),
        ("week", "2025-05-19", "2025-11-17", "2025-11-16"), ("month", "2024-12-01", "2025-12-01", "2025-11-30"),
    ]
    private static let types = [
        "stepCount", "activeEnergyBurned", "distanceWalkingRunning", "flightsClimbed", "heartRate", "restingHeartRate",
        "heartRateVariabilitySDNN", "bodyMass", "oxygenSaturation", "respiratoryRate", "bloodPressureSystolic",
        "bloodPressureDiastolic",
    ]

    /// Counts and compares figures.
    private final class Comparison {
        private(set) var count = 0

        func equal(_ page: Any?, _ hk: Double?, _ name: String) {
            guard page != nil || hk != nil else { return }
            count += 1
            let (shown, expected) = (page as? Double ?? .nan, hk ?? .nan)
            let text = page.map { "\($0)" } ?? "–"
            #expect(
                abs(shown - expected) <= 1e-9 * max(1, abs(hk ?? 0)), "\(name): \(text), hk \(expected)")
        }
    }

    fileprivate struct Setup {
        let server: TestServer
        let store: String

        func page(_ path: String) async throws -> [String: Any] {
            let answer = try await server.client.get(
                "/v1/people/anna/\(path)\(path.contains("?") ? "&" : "?")timeZone=\(PageFigureTests.zone)")
            #expect(answer.status == 200, "\(path): \(answer.text.prefix(200))")
            return answer.json
        }

        @discardableResult
        func hk(_ command: String) async throws -> [String: Any] {
            let run = try await HKProcess.run(
                command.split(separator: " ").map(String.init) + ["--store", store],
                environment: ["HEALTHKIT_NOW": PageFigureTests.now, "TZ": PageFigureTests.zone])
            #expect(run.status == 0, "\(command): \(run.lines)")
            let text = run.lines.joined(separator: "\n")
            return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
        }

        /// The statistics of whole days, without intervals or by day.
        func statistics(_ type: String, _ first: String, _ last: String, every: String = "") async throws
            -> [[String: Any]]
        {
            let answer = try await hk("stats \(type) --from \(first) --to \(last)\(every) --json")
            return answer["statistics"] as? [[String: Any]] ?? []
        }
    }

    @Test("At least 60 figures of the page’s requests are those of hk")
    func figures() async throws {
        try await TestServer.with(people: ["anna"], now: Date(Self.now, strategy: .iso8601)) { server in
            let setup = Setup(server: server, store: try server.core.directory.store(of: "anna").path)
            let archive = server.folder + "/demo.zip"
            try await setup.generate(archive, zone: Self.zone)
            let comparison = Comparison()
            for type in Self.types {
                for (interval, start, end, last) in Self.periods {
                    try await compare(type, interval, start, end, last, setup, comparison)
                }
                try await compareTrend(type, setup, comparison)
            }
            try await compareToday(setup, comparison)
            try await compareWorkout(setup, comparison)
            #expect(comparison.count >= 60, "\(comparison.count) figures were compared.")
        }
    }

    /// The figures above the chart of a type.
    private func compare(
        _ type: String, _ interval: String, _ start: String, _ end: String, _ last: String, _ setup: Setup,
        _ comparison: Comparison
    ) async throws {
        let answer = try await setup.page(
            "statistics?type=\(type)&interval=\(interval)&start=\(start)&end=\(end)&summary=true")
        let summary = answer["summary"] as? [String: Any]
        let whole = try await setup.statistics(type, start, last).first
        let name = "\(type) from \(start) by \(interval)"
        guard let sum = whole?["sumQuantity"] as? Double else {
            for figure in ["average", "minimum", "maximum"] {
                comparison.equal(summary?[figure], whole?["\(figure)Quantity"] as? Double, "\(name), \(figure)")
            }
            return
        }
        comparison.equal(summary?["total"], sum, "\(name), total")
        let days = try await setup.statistics(type, start, "2025-11-15", every: " --every day").compactMap {
            $0["sumQuantity"] as? Double
        }
        comparison.equal(
            summary?["average"], days.isEmpty ? sum : days.reduce(0, +) / Double(days.count), "\(name), average a day")
    }

    /// The last seven days and the four weeks before, of a type’s card.
    private func compareTrend(_ type: String, _ setup: Setup, _ comparison: Comparison) async throws {
        let trends = try await setup.page("trends?type=\(type)")["trends"] as? [[String: Any]]
        let trend = trends?.first?["trend"] as? [String: Any]
        for (part, first, last) in [("recent", "2025-11-09", "2025-11-15"), ("baseline", "2025-10-12", "2025-11-08")] {
            let figures = trend?[part] as? [String: Any]
            let whole = try await setup.statistics(type, first, last).first
            let sum = whole?["sumQuantity"] as? Double
            comparison.equal(
                figures?[sum == nil ? "average" : "total"], sum ?? whole?["averageQuantity"] as? Double,
                "\(type), \(part)")
        }
    }

    private func compareToday(_ setup: Setup, _ comparison: Comparison) async throws {
        let today = try await setup.page("today")
        func member(_ path: String, of object: [String: Any]) -> Any? {
            path.split(separator: ".").reduce(object as Any?) { ($0 as? [String: Any])?[String($1)] }
        }
        func hk(_ type: String, _ first: String, _ last: String, _ figure: String) async throws -> Double? {
            try await setup.statistics(type, first, last).first?[figure] as? Double
        }
        let (day, first, last) = ("2025-11-16", "2025-10-19", "2025-11-15")
        comparison.equal(
            member("steps.quantity", of: today), try await hk("stepCount", day, day, "sumQuantity"), "steps")
        for figure in ["average", "minimum", "maximum"] {
            comparison.equal(
                member("heartRate.\(figure)", of: today), try await hk("heartRate", day, day, "\(figure)Quantity"),
                "heart rate, \(figure)")
        }
        comparison.equal(
            member("heartRate.reference.average", of: today),
            try await hk("heartRate", first, last, "averageQuantity"), "average heart rate")
        comparison.equal(
            member("heartRate.restingReference.average", of: today),
            try await hk("restingHeartRate", first, last, "averageQuantity"), "average resting heart rate")
        comparison.equal(
            member("energy.active.quantity", of: today),
            try await hk("activeEnergyBurned", day, day, "sumQuantity"), "active energy")
        let balance = try await (setup.hk("energy --json")["days"] as? [[String: Any]])?.first ?? [:]
        for figure in ["consumed", "active", "resting", "burned", "net"] {
            comparison.equal(
                member("energy.\(figure).quantity", of: today), member("\(figure).quantity", of: balance) as? Double,
                "energy, \(figure)")
        }
    }

    private func compareWorkout(_ setup: Setup, _ comparison: Comparison) async throws {
        let workouts = try await setup.page("workouts?limit=15")["workouts"] as? [[String: Any]] ?? []
        let listed = try await setup.hk("workouts --limit 15 --json")["workouts"] as? [[String: Any]] ?? []
        #expect(workouts.count == listed.count && !workouts.isEmpty)
        for (page, hk) in zip(workouts, listed) {
            for figure in ["duration", "averageHeartRate"] {
                comparison.equal(page[figure], hk[figure] as? Double, "workout, \(figure)")
            }
        }
    }
}

extension PageFigureTests.Setup {
    /// Imports the archive of a fictional person.
    fileprivate func generate(_ archive: String, zone: String) async throws {
        let options = ["--records", "8000", "--seed", "7", "--until", "2025-11-16T12:00", "--time-zone", zone]
        for arguments in [["generate", archive] + options, ["import", archive, "--quiet", "--store", store]] {
            let run = try await HKProcess.run(
                arguments, environment: ["HEALTHKIT_NOW": "2025-11-16T12:00:00-05:00", "TZ": zone])
            #expect(run.status == 0, "\(arguments): \(run.lines)")
        }
    }
}
