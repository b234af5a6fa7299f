import Foundation
import ProcessTestSupport
import Testing

/// Questions as people ask them, on data whose answers are plain to see. It is noon of Sunday 2025-11-16 in New York.
@Suite("Everyday questions")
struct QuestionTests {
    private let scratch = Scratch()

    private func hk(_ arguments: String..., status: Int32 = 0) throws -> CommandRun {
        let run = try CommandRun(arguments, store: scratch.store)
        #expect(run.status == status, "\(arguments): \(run.output)\(run.errors)")
        return run
    }

    private func record(
        _ type: String, _ value: String, _ unit: String, _ start: String, _ end: String? = nil, source: String = "W"
    ) -> String {
        let unit = unit.isEmpty ? "" : " unit=\"\(unit)\""
        let (first, last) = ("\(start):00 -0500", "\(end ?? start):00 -0500")
        return
            "<Record type=\"HK\(type)\" sourceName=\"\(source)\"\(unit) startDate=\"\(first)\" endDate=\"\(last)\" value=\"\(value)\"/>"
    }

    private func importing(_ elements: [String]) throws {
        let archive = try scratch.archive(elements.joined(separator: "\n"))
        let run = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        #expect(run.status == 0, "\(run.errors)")
    }

    /// A thousand steps on every day since October 1, and more in the last week.
    private static let lastWeek = [12_000, 9_000, 11_000, 10_500, 8_000, 10_000, 4_000]

    private func importSteps(_ more: [String] = []) throws {
        let days =
            (1...31).map { (10, $0, 1_000) } + (1...9).map { (11, $0, 1_000) }
            + Self.lastWeek.enumerated().map { (11, 10 + $0, $1) }
        try importing(
            days.map { month, day, steps in
                let text = "2025-\(month)-\(day < 10 ? "0" : "")\(day)"
                return record("QuantityTypeIdentifierStepCount", "\(steps)", "count", "\(text) 10:00", "\(text) 10:10")
            } + more)
    }

    @Test(
        "Ranges in words",
        arguments: [
            (["--last", "week"], "2025-11-03", "2025-11-09"), (["--last", "month"], "2025-10-01", "2025-10-31"),
            (["--last", "2 weeks"], "2025-11-03", "2025-11-16"), (["--last", "friday"], "2025-11-14", "2025-11-14"),
            (["--last", "sunday"], "2025-11-09", "2025-11-09"), (["--last", "october"], "2025-10-01", "2025-10-31"),
            (["--from", "last monday"], "2025-11-10", "2025-11-16"),
            (["--from", "monday", "--to", "Tuesday"], "2025-11-10", "2025-11-11"),
            (["--from", "this month"], "2025-11-01", "2025-11-16"),
            (["--from", "last week", "--to", "last week"], "2025-11-03", "2025-11-09"),
            (["--from", "october"], "2025-10-01", "2025-11-16"), (["--from", "Oct 2025"], "2025-10-01", "2025-11-16"),
            (["--from", "nov 5", "--to", "7 November 2025"], "2025-11-05", "2025-11-07"),
            (["--from", "2 weeks ago"], "2025-11-02", "2025-11-16"),
            (["--from", "3 days ago", "--to", "yesterday"], "2025-11-13", "2025-11-15"),
            (["--from", "2025/11/05", "--to", "2025/11/06"], "2025-11-05", "2025-11-06"),
        ])
    func ranges(range: [String], first: String, last: String) throws {
        try importSteps()
        let run = try CommandRun(["stats", "steps", "--every", "day"] + range, store: scratch.store)
        #expect(run.lines.dropFirst().first?.hasPrefix(first) ?? false, "\(run.lines.prefix(2)) \(run.errors)")
        #expect(run.lines.last?.hasPrefix(last) ?? false, "\(run.lines.suffix(1))")
    }

    @Test(
        "What isn’t a range is an error with forms that are",
        arguments: ["soon", "last", "ago", "w", "13 november 5", "0d"])
    func wrongRanges(text: String) throws {
        try importSteps()
        for option in ["--last", "--from"] {
            let run = try hk("stats", "steps", option, text, status: 64)
            #expect(run.errors.contains("Use a form like"), "\(run.errors)")
        }
    }

    @Test("Quarters, and each interval beside that of an earlier range")
    func intervals() throws {
        try importSteps()
        let total = 40_000 + Self.lastWeek.reduce(0, +)
        #expect(try hk("stats", "steps", "--every", "quarter").lines.last == "2025 Q4      104,500")
        #expect(total == 104_500)
        let weeks = try hk("stats", "steps", "--every", "week", "--last", "2w", "--compare", "1w").lines
        let words = weeks.map { line in line.split(separator: " ").map(String.init) }
        #expect(
            words == [
                ["week", "sum", "(count)", "earlier", "change"],
                ["week", "of", "2025-11-03", "7,000", "7,000", "0", "%"],
                ["week", "of", "2025-11-10", "64,500", "7,000", "+821.4", "%"],
            ])
        let year = try hk("stats", "steps", "--every", "month", "--compare", "1y").lines
        #expect(year.count == 4 && year[1].contains("–") && year[3] == "The earlier range has no data.")
    }

    @Test("Days above and below a number, and their streaks")
    func limits() throws {
        try importSteps()
        let above = try hk("stats", "steps", "--above", "10,000", "--last", "7d")
        let days = above.lines.dropFirst().prefix(4).map { line in String(line.prefix(10)) }
        #expect(days == ["2025-11-10", "2025-11-12", "2025-11-13", "2025-11-15"])
        #expect(
            above.lines.last
                == "4 of 7 days with data. Longest streak: 2 days, 2025-11-12 – 2025-11-13. Current streak: 1 day.")
        #expect(try hk("stats", "steps", "--above", "10k", "--last", "7d").output == above.output)
        #expect(
            try hk("stats", "steps", "--below", "9500", "--last", "7d").lines.last
                == "2 of 7 days with data. Longest streak: 1 day, 2025-11-11 – 2025-11-11. Current streak: 0 days.")
        #expect(try hk("stats", "steps", "--above", "1m", "--last", "7d", status: 64).errors.contains("unit"))
        #expect(try hk("stats", "steps", "--above", "50,000", "--last", "7d").output == "0 of 7 days with data.\n")
        #expect(try hk("stats", "steps", "--every", "week", "--above", "60k").lines[1].hasPrefix("week of 2025-11-10"))
        #expect(
            try hk("stats", "steps", "--above", "900", "--last", "week").lines.last
                == "7 of 7 days with data. Longest streak: 7 days, 2025-11-03 – 2025-11-09.")
        let answer = try hk("stats", "steps", "--above", "10000", "--last", "7d", "--json").output
        #expect(
            answer.contains(#""matches":{"count":4,"total":7,"longestStreak":{"startDate":"2025-11-12T00:00:00-05:00""#)
        )
    }

    @Test("A limit in another unit, of a percentage, and of a maximum")
    func limitUnits() throws {
        try importing([
            record("QuantityTypeIdentifierBodyMass", "72", "kg", "2025-11-14 07:00"),
            record("QuantityTypeIdentifierBodyMass", "70", "kg", "2025-11-15 07:00"),
            record("QuantityTypeIdentifierOxygenSaturation", "0.97", "%", "2025-11-14 07:00"),
            record("QuantityTypeIdentifierOxygenSaturation", "0.88", "%", "2025-11-15 07:00"),
            record("QuantityTypeIdentifierOxygenSaturation", "0.98", "%", "2025-11-15 08:00"),
            record("QuantityTypeIdentifierHeartRate", "60", "count/min", "2025-11-14 07:00"),
            record("QuantityTypeIdentifierHeartRate", "170", "count/min", "2025-11-14 08:00"),
            record("QuantityTypeIdentifierHeartRate", "80", "count/min", "2025-11-15 08:00"),
        ])
        let weight = try hk("stats", "weight", "--below", "71kg").lines
        #expect(weight[0].contains("(kg)") && weight[1].hasPrefix("2025-11-15") && weight.count == 3)
        #expect(try hk("stats", "blood oxygen", "--below", "90").lines[1].hasPrefix("2025-11-15"))
        #expect(try hk("stats", "blood oxygen", "--below", "90 %").lines.last?.hasPrefix("1 of 2 days") ?? false)
        #expect(try hk("stats", "hr", "--above", "150 bpm").lines[1].hasPrefix("2025-11-14"))
        #expect(try hk("stats", "hr", "--top", "1").lines[1].hasPrefix("2025-11-14"))
        #expect(try hk("samples", "hr", "--top", "2").lines.dropFirst().map { $0.contains("170") } == [true, false])
    }

    @Test("Two types side by side, with their correlation")
    func correlation() throws {
        try importSteps(
            Self.lastWeek.enumerated().map { index, steps in
                record(
                    "QuantityTypeIdentifierRestingHeartRate", "\(60 - Double(steps) / 1_000)", "count/min",
                    "2025-11-\(10 + index) 08:00")
            })
        let both = try hk("stats", "steps", "--with", "resting hr", "--last", "7d")
        let words = both.lines[0].split(separator: " ").map(String.init)
        #expect(words == ["day", "stepCount", "(count)", "restingHeartRate", "(count/min)"])
        #expect(both.lines[1].hasPrefix("2025-11-10 Mon") && both.lines[1].hasSuffix("48.0"))
        #expect(both.lines.last == "Correlation: -1 over 7 days, very strong.")
        #expect(try hk("stats", "steps", "--with", "weight").output.hasSuffix("No correlation over 0 days.\n"))
        #expect(try hk("stats", "steps", "--with", "resting hr", "--json").output.contains(#""pairs":7"#))
    }

    @Test("Samples and statistics of one source, by a part of its name")
    func sources() throws {
        try importing([
            record("QuantityTypeIdentifierBodyMass", "72.4", "kg", "2025-11-14 07:00", source: "Bathroom Scale"),
            record("QuantityTypeIdentifierBodyMass", "71.4", "kg", "2025-11-14 07:05", source: "Diet App"),
            record(
                "CategoryTypeIdentifierHeadache", "HKCategoryValueSeverityMild", "", "2025-11-14 07:05",
                source: "Diet App"),
        ])
        #expect(try hk("stats", "weight", "--unit", "kg", "--source", "scale").output.contains("72.4"))
        #expect(try hk("stats", "weight", "--unit", "kg", "--source", "diet app").output.contains("71.4"))
        #expect(try hk("samples", "weight", "--source", "Scale").lines.count == 2)
        #expect(try hk("samples", "weight", "--source", "scale", "--source", "app").lines.count == 3)
        #expect(try hk("stats", "headache", "--source", "scale").output.hasPrefix("No samples"))
        #expect(try hk("stats", "headache", "--source", "app").lines.count == 2)
        let unknown = try hk("stats", "weight", "--source", "watch", status: 64)
        #expect(unknown.errors.contains("Its sources are Bathroom Scale, Diet App"))
    }

    @Test("Blood pressure against last month, as a chart, and on weekdays")
    func bloodPressure() throws {
        _ = try hk("add", "bp", "130/85", "--start", "2025-10-10T08:00")
        _ = try hk("add", "bp", "120/80mmHg", "--start", "2025-11-10T08:00")
        let compared = try hk("stats", "blood pressure", "--from", "this month", "--compare", "1m").lines
        let words = compared.map { line in line.split(separator: " ").map(String.init) }
        #expect(
            words == [
                ["period", "average", "(mmHg)", "days"], ["2025-11-01", "–", "2025-11-16", "120/80", "1"],
                ["2025-10-01", "–", "2025-10-16", "130/85", "1"], ["change", "-7.7", "%/-5.9", "%"],
            ])
        let chart = try hk("stats", "blood pressure", "--every", "month", "--chart").lines
        #expect(chart.count == 3 && chart[1].hasPrefix("2025-10  130/85 mmHg  ") && chart[1].contains("━"))
        #expect(try hk("stats", "blood pressure", "--every", "weekday").output.contains("120/80"))
        #expect(try hk("stats", "blood pressure", "--above", "125").lines[1].contains("130/85"))
        #expect(try hk("gaps", "blood pressure").lines.last == "2 of 32 days have data.")
    }

    @Test("Sleep in all, against last year, of short nights, and in SQL")
    func nights() throws {
        func night(_ start: String, _ end: String) -> String {
            record("CategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepCore", "", start, end)
        }
        try importing([
            night("2024-11-16 00:00", "2024-11-16 07:00"), night("2025-11-14 23:00", "2025-11-15 07:00"),
            night("2025-11-16 01:00", "2025-11-16 06:00"),
        ])
        #expect(
            try hk("sleep").lines.last
                == "Asleep: 13:00 in 2 nights, longest 8:00 on 2025-11-15, shortest 5:00 on 2025-11-16.")
        let year = try hk("sleep", "--last", "2d", "--compare", "1y").lines
        #expect(year.last == "Asleep: -0:30, -7.1 %")
        #expect(year[1].hasPrefix("2025-11-15 – 2025-11-16") && year[2].hasPrefix("2024-11-16 – 2024-11-16"))
        #expect(try hk("stats", "sleep", "--last", "2d", "--compare", "1y").lines.last?.hasSuffix("-7.1 %") ?? false)
        #expect(try hk("stats", "sleep", "--below", "6h", "--last", "7d").lines.last?.hasPrefix("1 of 2 days") ?? false)
        #expect(
            try hk("sql", "SELECT day, asleep / 3600 AS hours FROM nights ORDER BY day").lines == [
                "day         hours", "2024-11-16      7", "2025-11-15      8", "2025-11-16      5",
            ])
        #expect(try hk("sql", "--schema").output.contains("nights"))
    }

    @Test("A type without data names those that have some")
    func types() throws {
        try importing([
            record("QuantityTypeIdentifierAppleSleepingWristTemperature", "36.1", "degC", "2025-11-15 03:00")
        ])
        #expect(
            try hk("stats", "temperature").output == """
                No samples of bodyTemperature.
                appleSleepingWristTemperature has 1 sample: hk stats appleSleepingWristTemperature

                """)
        let unclear = try hk("stats", "wrist temprature", status: 64)
        #expect(unclear.errors.contains("is not a data type"))
        #expect(
            try hk("stats", "running", status: 64).errors.contains("“hk workouts --activity running” shows workouts."))
        #expect(try hk("stats", "rings", status: 64).errors.contains("Ask for activity rings instead."))
    }

    @Test("A value with its unit in one word")
    func add() throws {
        for (type, value) in [
            ("weight", "71kg"), ("water", "500ml"), ("temperature", "37.2°C"), ("blood oxygen", "97%"),
        ] {
            _ = try hk("add", type, value)
        }
        #expect(try hk("samples", "weight", "--unit", "kg").lines[1].contains("71 kg"))
        #expect(try hk("samples", "blood oxygen").lines[1].contains("97 %"))
        #expect(try hk("add", "weight", "71", status: 64).errors.contains("needs a unit, such as"))
        #expect(try hk("add", "weight", "71kg", "lb", status: 64).errors.hasSuffix("Remove “lb”.\n"))
    }

    @Test("Without types, all are watched")
    func watch() throws {
        _ = try hk("add", "weight", "71kg")
        _ = try hk("add", "headache", "mild")
        let changes = try hk("watch", "--once", "--all").output
        #expect(changes.contains("bodyMass  71 kg") && changes.contains("headache  mild"))
    }

    @Test("RMSSD of heartbeat series, closed rings and their gaps, and the fastest kilometers")
    func demo() throws {
        func lines(_ arguments: String...) throws -> [String] {
            let run = try CommandRun(arguments, store: Demo.shared.store)
            #expect(run.status == 0, "\(run.errors)")
            return run.lines
        }
        let beats = try lines("stats", "rmssd", "--every", "week")
        #expect(beats.count >= 2 && beats[0].contains("average (ms)"))
        let rings = try lines("rings", "--last", "7d").suffix(2)
        #expect(rings.first?.hasPrefix("Rings closed in 7 days: move ") ?? false)
        #expect(rings.last?.contains("Current streak: ") ?? false)
        #expect(try lines("rings", "--last", "week").last?.contains("Current streak: ") == false)
        #expect(try lines("gaps", "rings").last?.hasSuffix(" days have data.") ?? false)
        // Only workouts of later archives are plausible.
        let archive = scratch.file("later.zip").path
        let options = ["--ios", "26", "--no-defects", "--records", "6000"] + Demo.options.suffix(4)
        #expect(try CommandRun(["generate", archive] + options, store: scratch.store).status == 0)
        _ = try hk("import", archive, "--quiet")
        let records = try hk("workouts", "--activity", "run", "--records").lines
        for distance in ["1 km", "5 km", "10 km"] {
            #expect(records.contains { $0.contains("fastest \(distance)") }, "\(distance)")
        }
    }
}
