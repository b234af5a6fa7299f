import Foundation
import ProcessTestSupport
import Testing

@Suite("Answers that needed SQL")
struct InsightTests {
    private let scratch = Scratch()

    private func run(_ arguments: String...) throws -> CommandRun {
        let run = try CommandRun(arguments, store: Demo.shared.store)
        #expect(run.status == 0, "\(run.errors)")
        return run
    }

    private struct Pattern: Decodable {
        struct Part: Decodable {
            var number: Int
            var averageQuantity: Double
            var days: Int
        }
        var statistics: [Part]
    }

    private func pattern(_ arguments: String...) throws -> [Pattern.Part] {
        let run = try CommandRun(["stats"] + arguments + ["--json"], store: Demo.shared.store)
        return try JSONDecoder().decode(Pattern.self, from: Data(run.output.utf8)).statistics
    }

    @Test("Weekdays and hours of the day have the mean of their days")
    func patterns() throws {
        let weekdays = try pattern("steps", "--every", "weekday", "--from", "2025-11-03", "--to", "2025-11-16")
        #expect(weekdays.map(\.number) == Array(1...7) && weekdays.allSatisfy { $0.days == 2 })
        let days = try run("stats", "steps", "--every", "day", "--from", "2025-11-03", "--to", "2025-11-16", "--json")
        let sums = try days.objects().compactMap { $0["sumQuantity"] as? Double }
        #expect(abs(weekdays[0].averageQuantity - (sums[0] + sums[7]) / 2) < 1e-6)
        let hours = try pattern("steps", "--every", "hour-of-day", "--from", "2025-11-03", "--to", "2025-11-16")
        #expect(hours.allSatisfy { (0...23).contains($0.number) && $0.days == 14 })
        let total = hours.reduce(0) { $0 + $1.averageQuantity * 14 }
        #expect(abs(total - sums.reduce(0, +)) < 1e-6 * total)
        #expect(try run("stats", "heartRate", "--every", "weekday").lines.count == 8)
        #expect(try run("stats", "heartRate", "--every", "hour-of-day", "--chart").output.contains("█"))
        #expect(try CommandRun(["stats", "sleep", "--every", "hour-of-day"], store: Demo.shared.store).status == 64)
    }

    private struct Days: Decodable {
        struct Day: Decodable {
            var startDate: String
            var sumQuantity: Double?
            var maximumQuantity: Double?
        }
        var statistics: [Day]
    }

    private func answer(_ arguments: String...) throws -> [Days.Day] {
        let run = try CommandRun(["stats"] + arguments + ["--json"], store: Demo.shared.store)
        return try JSONDecoder().decode(Days.self, from: Data(run.output.utf8)).statistics
    }

    @Test("The highest lines, the highest first")
    func top() throws {
        let days = try answer("steps", "--every", "day")
        let best = days.sorted { ($0.sumQuantity ?? 0) > ($1.sumQuantity ?? 0) }.prefix(3).map(\.startDate)
        #expect(days.count > 3)
        #expect(try answer("steps", "--every", "day", "--top", "3").map(\.startDate) == best)
        let peaks = try answer("heartRate", "--every", "day")
        #expect(
            try answer("heartRate", "--every", "day", "--top", "1").map(\.maximumQuantity)
                == [peaks.compactMap(\.maximumQuantity).max()])
        #expect(try run("stats", "sleep", "--every", "day", "--top", "2").lines.count == 3)
        for wrong in [
            ["--every", "weekday", "--top", "3"], ["--every", "day", "--top", "0"], ["--top", "3", "--above", "5"],
        ] {
            #expect(try CommandRun(["stats", "steps"] + wrong, store: Demo.shared.store).status == 64)
        }
    }

    @Test("Weekdays of a category type have the mean time of their days, such as that asleep, or number of samples")
    func weekdaysOfSleep() throws {
        func record(_ type: String, _ value: String, _ start: String, _ end: String) -> String {
            "<Record type=\"HKCategoryTypeIdentifier\(type)\" sourceName=\"W\" startDate=\"2025-11-\(start):00 -0500\" endDate=\"2025-11-\(end):00 -0500\" value=\"HKCategoryValue\(value)\"/>"
        }
        // The nights to two Mondays, of seven and six hours, and to a Tuesday; what is awake doesn't count.
        let archive = try scratch.archive(
            [
                record("SleepAnalysis", "SleepAnalysisAsleepCore", "03 00:00", "03 07:00"),
                record("SleepAnalysis", "SleepAnalysisAwake", "03 07:00", "03 08:00"),
                record("SleepAnalysis", "SleepAnalysisAsleepDeep", "10 01:00", "10 07:00"),
                record("SleepAnalysis", "SleepAnalysisAsleepREM", "11 01:00", "11 06:00"),
                record("Headache", "SeverityMild", "10 12:00", "10 12:00"),
            ].joined())
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let sleep = try CommandRun(["stats", "sleep", "--every", "weekday"], store: scratch.store)
        let words = sleep.lines.map { line in line.split(separator: " ").map(String.init) }
        #expect(
            words == [
                ["weekday", "a", "day", "minimum", "maximum", "days"], ["Monday", "6:30", "6:00", "7:00", "2"],
                ["Tuesday", "5:00", "5:00", "5:00", "1"],
            ])
        let chart = try CommandRun(["stats", "sleep", "--every", "weekday", "--chart"], store: scratch.store)
        #expect(chart.lines.count == 2 && chart.lines[0].contains("6:30 h"))
        let headaches = try CommandRun(["stats", "headache", "--every", "weekday", "--json"], store: scratch.store)
        let answer = try JSONDecoder().decode(Pattern.self, from: Data(headaches.output.utf8))
        #expect(answer.statistics.map(\.number) == [1] && answer.statistics[0].averageQuantity == 1)
    }

    @Test("A range is compared with the one before, or an earlier one")
    func comparison() throws {
        let lines = try run("stats", "steps", "--last", "7d", "--compare", "previous").lines
        #expect(lines.count == 4)
        #expect(lines[1].hasPrefix("2025-11-10 – 2025-11-16") && lines[2].hasPrefix("2025-11-03 – 2025-11-09"))
        #expect(lines[3].hasPrefix("change") && lines[3].hasSuffix("%"))
        #expect(try run("stats", "heartRate", "--last", "3d", "--compare", "1w").lines[2].hasPrefix("2025-11-07"))
        let alone = try run("stats", "steps", "--last", "7d", "--compare", "9y").lines
        #expect(alone.count == 3 && alone[2] == "The earlier range has no data.")
        for wrong in [["--compare", "previous"], ["--last", "7d", "--compare", "soon"]] {
            #expect(try CommandRun(["stats", "steps"] + wrong, store: Demo.shared.store).status == 64)
        }
    }

    @Test("Gaps are the days without data")
    func gaps() throws {
        let archive = try scratch.archive(
            ["01", "02", "06"].map {
                "<Record type=\"HKQuantityTypeIdentifierStepCount\" sourceName=\"P\" unit=\"count\" startDate=\"2025-11-\($0) 08:00:00 -0500\" endDate=\"2025-11-\($0) 08:10:00 -0500\" value=\"3\"/>"
            }.joined())
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        func output(_ arguments: String...) throws -> String {
            try CommandRun(["gaps", "steps"] + arguments, store: scratch.store).output
        }
        #expect(
            try output() == """
                from        to          days
                2025-11-03  2025-11-05     3

                3 of 6 days have data.

                """)
        #expect(try output("--min", "4") == "3 of 6 days have data.\n")
        #expect(try output("--from", "2025-11-01", "--to", "2025-11-08").contains("2025-11-07  2025-11-08     2"))
        #expect(try output("--json").contains(#"{"days":3,"endDay":"2025-11-05","startDay":"2025-11-03"}"#))
    }

    @Test("Cycles begin with the first day of a period")
    func cycles() throws {
        func flow(_ day: String, _ isStart: Bool) -> String {
            """
            <Record type="HKCategoryTypeIdentifierMenstrualFlow" sourceName="P" startDate="\(day) 08:00:00 -0500" endDate="\(day) 08:00:00 -0500" value="HKCategoryValueMenstrualFlowMedium"><MetadataEntry key="HKMenstrualCycleStart" value="\(isStart ? 1 : 0)"/></Record>
            """
        }
        let archive = try scratch.archive(
            flow("2025-09-01", true) + flow("2025-09-02", false) + flow("2025-09-04", false) + flow("2025-09-29", true)
                + flow("2025-09-30", false) + flow("2025-10-30", false))
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        #expect(
            try CommandRun(["cycles"], store: scratch.store).output == """
                start       period (days)  cycle (days)
                2025-09-01              4            28
                2025-09-29              2            31
                2025-10-30              1             –
                average                            29.5

                """)
        #expect(try CommandRun(["cycles"], store: Demo.shared.store).output == "No cycles.\n")
    }

    @Test("Blood pressure is shown in pairs")
    func bloodPressure() throws {
        let archive = try scratch.archive(
            [("Systolic", 120), ("Diastolic", 80)].map {
                "<Record type=\"HKQuantityTypeIdentifierBloodPressure\($0)\" sourceName=\"P\" unit=\"mmHg\" startDate=\"2025-11-01 08:00:00 -0500\" endDate=\"2025-11-01 08:00:00 -0500\" value=\"\($1)\"/>"
            }.joined())
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let lines = try CommandRun(["stats", "blood pressure", "--every", "day"], store: scratch.store).lines
        #expect(lines[1].contains("120/80"))
        let kilopascals = try CommandRun(["stats", "bp", "--unit", "kPa"], store: scratch.store).lines
        #expect(kilopascals[0].contains("average (kPa)") && kilopascals[1].contains("16.0/10.7"))
        let json = try CommandRun(["stats", "bp", "--every", "day", "--json"], store: scratch.store).json()
        let pair = try #require(json as? [String: Any])
        #expect(pair["type"] as? String == "HKCorrelationTypeIdentifierBloodPressure")
        for (name, value) in [("systolic", 120), ("diastolic", 80)] {
            let statistics = (pair[name] as? [String: Any])?["statistics"] as? [[String: Any]]
            #expect(statistics?.map { $0["averageQuantity"] as? Int } == [value])
        }
        let weekdays = try CommandRun(["stats", "bp", "--every", "weekday"], store: scratch.store).lines
        #expect(weekdays.count == 2 && weekdays[1].contains(/^Saturday +120\/80 +120\/80 +120\/80 +1$/))
        let chart = try CommandRun(["stats", "bp", "--every", "day", "--chart"], store: scratch.store).lines
        #expect(chart.last?.hasPrefix("2025-11-01 Sat  120/80 mmHg  ━") == true)
    }

    @Test("An electrocardiogram as lines, as a picture and as JSON")
    func electrocardiogram() throws {
        let archive = scratch.file("archive")
        let made = [
            "generate", archive.path, "--records", "3000", "--seed", "7", "--until", "2025-11-16T12:00", "--ios", "18",
            "--no-defects",
        ]
        #expect(try CommandRun(made, store: scratch.store).status == 0)
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        func run(_ arguments: String...) throws -> CommandRun {
            try CommandRun(
                ["samples", "ecg", "--waveform", "1"] + arguments, store: scratch.store, folder: scratch.folder)
        }
        let lines = try run().lines
        #expect(lines[0] == "time_s,voltage_uV" && lines.count > 1_000)
        #expect(lines[1].firstMatch(of: /^0,-?[0-9.]+$/) != nil)
        let picture = try run("--png", "ecg.png")
        #expect(picture.status == 0 && picture.output == "" && picture.errors == "")
        #expect(try run("--png", "ecg.png").status == 0)
        let bytes = [UInt8](try Data(contentsOf: scratch.file("ecg.png")))
        #expect(Array(bytes.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // 270 mm with 8 pixels each.
        let width = bytes[16..<20].reduce(0) { (value: Int, byte: UInt8) in value * 256 + Int(byte) }
        #expect(width == 2_160)
        let file = scratch.file("piped.png").path
        let piped = try CommandRun(
            shell: "'\(BuiltProgram.hk.path)' samples ecg --waveform 1 --format png > '\(file)'", store: scratch.store)
        #expect(piped.status == 0 && FileManager.default.contents(atPath: file) == Data(bytes))
        #expect(try run("--format", "csv").output == run().output)
        let recording = try #require(try run("--json").json() as? [String: Any])
        #expect(recording["type"] as? String == "HKDataTypeIdentifierElectrocardiogram")
        for arguments in [["ecg", "--png", "a.png"], ["ecg", "--waveform", "1", "--png", "a.png", "--json"]] {
            let wrong = try CommandRun(["samples"] + arguments, store: scratch.store, folder: scratch.folder)
            #expect(wrong.status == 64)
        }
    }

    @Test("Sources of the samples, and missing recordings")
    func recordings() throws {
        #expect(try CommandRun(["samples", "ecg", "--waveform", "99"], store: Demo.shared.store).status == 64)
        #expect(try CommandRun(["samples", "steps", "--waveform", "1"], store: Demo.shared.store).status == 64)
        let apps = try run("sources", "--by-app", "--json").objects()
        #expect(apps.count > 1 && apps.allSatisfy { ($0["count"] as? Int ?? 0) > 0 })
        #expect(Set(apps.compactMap { $0["bundleIdentifier"] as? String }).count == apps.count)
    }

    @Test("Cycling has a speed, and an impossible one isn’t a record")
    func paces() throws {
        func workout(_ activity: String, _ day: Int, _ minutes: Int, _ km: Double) -> String {
            """
            <Workout workoutActivityType="HKWorkoutActivityType\(activity)" duration="\(minutes)" durationUnit="min" totalDistance="\(km)" totalDistanceUnit="km" sourceName="S" startDate="2025-11-\(10 + day) 08:00:00 -0500" endDate="2025-11-\(10 + day) 11:00:00 -0500"/>
            """
        }
        let archive = try scratch.archive(
            workout("Cycling", 0, 60, 25) + workout("Walking", 1, 60, 5) + workout("Walking", 2, 60, 90))
        let text = try String(contentsOf: archive, encoding: .utf8).replacing("en_US", with: "de_DE")
        try Data(text.utf8).write(to: archive)
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let list = try CommandRun(["workouts"], store: scratch.store).output
        #expect(list.contains("25 km/h") && list.contains("12:00 /km"))
        let records = try CommandRun(["workouts", "--records", "--activity", "walk"], store: scratch.store).output
        #expect(records.contains("5 km") && !records.contains("90 km"))
        let json = try CommandRun(["workouts", "--activity", "bike", "--json"], store: scratch.store).output
        #expect(json.contains(#""speed":{"quantity":25"#) && !json.contains("pace"))
    }
}
