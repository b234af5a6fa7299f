import Foundation
import ProcessTestSupport
import Testing

/// Commands over stores with millions of days: between a sample of the year 1 and one of 9999, and within a sample that
/// lasts all that time. What is computed is counted by the lines of the answer, and bounded by a limit of memory.
@Suite("Millions of days")
struct MillenniaTests {
    private let scratch = Scratch()

    private static let quantities = [
        ("StepCount", "count"), ("ActiveEnergyBurned", "kcal"), ("AppleExerciseTime", "min"),
        ("HeartRate", "count/min"),
        ("DietaryEnergyConsumed", "kcal"), ("RestingHeartRate", "count/min"), ("BodyMass", "kg"),
    ]
    private static let categories = [
        ("SleepAnalysis", "SleepAnalysisAsleepCore"), ("AppleStandHour", "AppleStandHourStood"),
    ]

    /// A sample of each type that days are computed from.
    private static func elements(from start: String, to end: String) -> String {
        let times = #"startDate="\#(start)" endDate="\#(end)""#
        return quantities.map { type, unit in
            #"<Record type="HKQuantityTypeIdentifier\#(type)" sourceName="Phone" unit="\#(unit)" \#(times) value="7"/>"#
        }.joined(separator: "\n")
            + categories.map { type, value in
                #"<Record type="HKCategoryTypeIdentifier\#(type)" sourceName="Watch" \#(times) value="HKCategoryValue\#(value)"/>"#
            }.joined(separator: "\n")
    }

    /// A store with a few samples in the years 1, 2025 and 9999.
    private func remote() throws -> URL {
        let elements = ["0001-06-01", "2025-11-16", "9999-06-01"].map { day in
            let (start, end) = ("\(day) 08:00:00 -0500", "\(day) 08:10:00 -0500")
            return Self.elements(from: start, to: end) + """
                <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="10" durationUnit="min" sourceName="Watch" startDate="\(start)" endDate="\(end)"/>
                <ActivitySummary dateComponents="\(day)" activeEnergyBurned="7" activeEnergyBurnedGoal="500" activeEnergyBurnedUnit="kcal"/>
                """
        }
        return try store(elements.joined(separator: "\n"))
    }

    private func store(_ elements: String) throws -> URL {
        let archive = try scratch.archive(elements)
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        return scratch.store
    }

    /// Runs a command that may use 700 MB.
    private func run(_ arguments: String, _ store: URL) throws -> CommandRun {
        try CommandRun(shell: "ulimit -d 700000; exec '\(BuiltProgram.hk.path)' \(arguments)", store: store)
    }

    /// Runs commands that succeed.
    ///
    /// - Parameter counts: The number of lines that each prints, if it is known.
    private func expect(_ counts: [(String, Int?)], _ store: URL) throws {
        for (arguments, lines) in counts {
            let found = try run(arguments, store)
            #expect(found.status == 0, "\(arguments): \(found.errors)")
            if let lines { #expect(found.lines.count == lines, "\(arguments): \(found.output.prefix(500))") }
        }
    }

    @Test("Days between samples that are millennia apart aren't computed")
    func between() throws {
        let store = try remote()
        try expect(
            [
                ("today", nil), ("energy", nil), ("rings", 2), ("rings --last 7d", 2),
                ("rings --from 0001 --to 9999", nil),
                ("sleep --from 0001 --to 9999", nil), ("stats sleepAnalysis --every day", 2),
                ("stats sleepAnalysis --every hour", 4),
                ("stats appleStandHour --every day", 4), ("workouts", 4), ("types", nil),
                ("sql \"SELECT day FROM daily WHERE type = 'stepCount'\"", 4),
                ("sql \"SELECT day FROM activity_summaries\"", 4),
            ], store)
        for type in ["stepCount", "heartRate"] {
            for interval in ["hour", "day", "week", "month", "year"] {
                let table = try run("stats \(type) --every \(interval)", store)
                #expect(table.status == 0 && table.lines.count == 4, "\(type) \(interval): \(table.errors)")
                let chart = try run("stats \(type) --every \(interval) --chart", store)
                let gaps = chart.lines.filter { $0.hasPrefix("… ") }
                #expect(
                    chart.status == 0 && gaps.count == 2 && chart.lines.count <= 6,
                    "\(type) \(interval): \(chart.output.prefix(500))")
                #expect(gaps.last?.contains(" \(interval)s") == true)
            }
        }
        #expect(try run("stats stepCount --every day --chart --json", store).objects().count == 3)
    }

    @Test("A sample that lasts for millennia is an error, unless the period is short")
    func within() throws {
        let store = try store(Self.elements(from: "0001-06-01 08:00:00 -0500", to: "9999-06-01 08:00:00 -0500"))
        try expect(
            [
                ("today", nil), ("energy", nil), ("rings", 2), ("rings --last 7d", 10), ("sleep", nil), ("types", nil),
                ("stats stepCount --every day --last 7d", 8), ("stats heartRate --every hour --last 24h --chart", nil),
                ("stats stepCount --every year", 10_000), ("stats appleStandHour --every hour --last 7d", nil),
                ("sql \"SELECT day FROM daily LIMIT 10\"", 11),
                ("sql \"SELECT day FROM activity_summaries LIMIT 10\"", 11),
                ("sql \"SELECT day FROM daily WHERE type = 'stepCount' AND day = '2025-11-16'\"", 2),
            ], store)
        for arguments in [
            "stats stepCount --every day", "stats heartRate --every hour --chart", "stats appleStandHour --every day",
            "rings --from 0001 --to 9999",
        ] {
            let found = try run(arguments, store)
            #expect(found.status == 1 && found.output.isEmpty, "\(arguments): \(found.errors)")
            #expect(
                found.errors.contains(/about \d+ (?:days|intervals), and.* at most \d+ .*Use\b/),
                "\(arguments): \(found.errors)")
        }
    }
}
