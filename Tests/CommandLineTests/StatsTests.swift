import Foundation
import HealthEngine
import HealthStorageSQLite
import ProcessTestSupport
import Testing

@Suite("hk stats")
struct StatsTests {
    private let scratch = Scratch()

    @Test(
        "The demo’s statistics, printed as tables and charts",
        arguments: [
            ("all", ["stepCount"]), ("days", ["stepCount", "--every", "day"]),
            ("weeks", ["stepCount", "--every", "week"]), ("months", ["heartRate", "--every", "month"]),
            ("hours", ["heartRate", "--every", "hour", "--from", "2025-11-10T08:00", "--to", "2025-11-10T12:00"]),
            ("years", ["activeEnergyBurned", "--every", "year"]),
            ("chart", ["stepCount", "--every", "day", "--last", "7d", "--chart"]),
            ("chart-heart", ["heartRate", "--every", "day", "--last", "3d", "--chart"]),
            ("share", ["oxygenSaturation"]),
            ("kilojoules", ["activeEnergyBurned", "--unit", "kJ", "--last", "1d"]), ("fitness", ["vo2Max"]),
            ("sleep", ["sleepAnalysis"]), ("sleep-weeks", ["sleepAnalysis", "--every", "week"]),
            ("sleep-chart", ["sleepAnalysis", "--every", "day", "--last", "5d", "--chart"]),
            ("stand-hours", ["appleStandHour", "--every", "day", "--last", "5d"]),
            ("mindful", ["mindfulSession", "--every", "day"]),
            ("stand-chart", ["appleStandHour", "--every", "day", "--last", "5d", "--chart"]),
        ])
    func table(name: String, arguments: [String]) throws {
        let run = try CommandRun(["stats"] + arguments, store: Demo.shared.store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        try Expected.expect(run.output, "stats-\(name)")
    }

    @Test("Days are those of the system’s time zone", arguments: ["UTC", "Etc/UTC", "Europe/Berlin", "Asia/Kathmandu"])
    func systemTimeZone(zone: String) throws {
        let store = scratch.file("copy.sqlite")
        try FileManager.default.copyItem(at: Demo.shared.store, to: store)
        // The time zone that was given at import goes before the system's.
        let engine = try HealthEngine(storage: SQLiteStorage(path: store.path))
        try engine.imports.setMetadata(["timeZone": ""])
        try engine.close()
        let system = try CommandRun(["stats", "steps", "--every", "day"], store: store, timeZone: zone)
        #expect(system.status == 0)
        #expect(
            system.output
                == (try CommandRun(["stats", "steps", "--every", "day", "--time-zone", zone], store: store)).output)
        #expect(
            system.output
                != (try CommandRun(
                    ["stats", "steps", "--every", "day", "--time-zone", "Pacific/Honolulu"], store: store)).output)
    }

    @Test("A key that can’t be read, a pipe, and an output without room are errors")
    func unreadable() throws {
        let (store, pipe) = (scratch.file("copy.sqlite"), scratch.file("pipe"))
        try FileManager.default.copyItem(at: Demo.shared.store, to: store)
        let hk = BuiltProgram.hk.path
        let key = try CommandRun(
            shell: "'\(hk)' stats steps", store: store, environment: ["HEALTHKIT_KEY_FILE": "/missing"])
        #expect(key.status == 1)
        #expect(key.output == "")
        #expect(key.errors.contains("/missing"))
        let waiting = try CommandRun(shell: "mkfifo '\(pipe.path)'; timeout 60 '\(hk)' stats steps", store: pipe)
        #expect(waiting.status == 1)
        #expect(waiting.errors.contains("is not a regular file"))
        try FileManager.default.removeItem(at: pipe)
        let full = try CommandRun(shell: "'\(hk)' stats steps > /dev/full", store: store)
        #expect(full.status == 1)
        #expect(full.errors.contains("Can’t write to standard output"))
    }

    @Test("--json has the requested statistics and nothing else")
    func json() throws {
        let steps = try CommandRun(["stats", "stepCount", "--every", "day", "--json"], store: Demo.shared.store)
            .objects()
        #expect(steps.count == 14)
        for day in steps { #expect(Set(day.keys) == ["startDate", "endDate", "sumQuantity", "unit"]) }
        #expect(steps[0]["startDate"] as? String == "2025-11-03T00:00:00-05:00")
        #expect(steps[0]["endDate"] as? String == "2025-11-04T00:00:00-05:00")
        #expect(steps[0]["unit"] as? String == "count")
        let heart = try CommandRun(["stats", "heartRate", "--json"], store: Demo.shared.store).objects()
        #expect(heart.count == 1)
        #expect(
            Set(heart[0].keys) == [
                "startDate", "endDate", "averageQuantity", "minimumQuantity", "maximumQuantity", "unit",
            ])
        #expect(heart[0]["unit"] as? String == "count/min")
    }

    @Test("Every type of the demo has statistics or a clear error")
    func everyType() throws {
        let types = try CommandRun(["types", "--json"], store: Demo.shared.store).objects().compactMap {
            $0["type"] as? String
        }
        #expect(types.count > 20)
        for type in types {
            // A blood pressure has two, in one table, and no chart.
            let isPair = type == "HKCorrelationTypeIdentifierBloodPressure"
            let run = try CommandRun(
                ["stats", type, "--every", "week"] + (isPair ? [] : ["--chart"]), store: Demo.shared.store)
            if type.hasPrefix("HKQuantityTypeIdentifier") || type.hasPrefix("HKCategoryTypeIdentifier")
                || isPair || type == "HKDataTypeSleepDurationGoal"
            {
                #expect(run.status == 0, "\(type): \(run.errors)")
                #expect(run.lines.count >= 1)
            } else {
                #expect(run.status == 64)
                #expect(run.errors.contains("”: it is neither a quantity nor a category type."))
            }
        }
    }

    @Test("A chart shows its gaps")
    func gaps() throws {
        for day in ["2025-11-10", "2025-11-13"] {
            _ = try CommandRun(["add", "stepCount", "10", "count", "--start", "\(day)T10:00"], store: scratch.store)
        }
        let run = try CommandRun(["stats", "stepCount", "--every", "day", "--chart"], store: scratch.store)
        #expect(
            run.lines.map { String($0.prefix(26)) } == [
                "2025-11-10 Mon  10 count  ", "2025-11-11 Tue         –", "2025-11-12 Wed         –",
                "2025-11-13 Thu  10 count  ",
            ])
        let table = try CommandRun(["stats", "stepCount", "--every", "day", "--json"], store: scratch.store)
        #expect(try table.objects().count == 2)
    }

    @Test("Category types have the time and the number of samples of each value")
    func categories() throws {
        for (start, severity) in [
            ("2025-11-10T10:00", "moderate"), ("2025-11-10T12:00", "severe"), ("2025-11-12T12:00", "moderate"),
        ] {
            let run = try CommandRun(["add", "headache", severity, "--start", start], store: scratch.store)
            #expect(run.status == 0, "\(run.errors)")
        }
        let days = try CommandRun(["stats", "headache", "--every", "day"], store: scratch.store)
        #expect(
            days.lines == [
                "day             samples  moderate  severe", "2025-11-10 Mon        2         1       1",
                "2025-11-12 Wed        1         1",
            ])
        let total = try CommandRun(["stats", "headache", "--json"], store: scratch.store).objects()
        #expect(Set(total.first?.keys.map { $0 } ?? []) == ["startDate", "endDate", "count", "duration", "values"])
        #expect(total.first?["count"] as? Int == 3 && total.first?["duration"] as? Int == 0)
        let chart = try CommandRun(["stats", "headache", "--every", "day", "--chart"], store: scratch.store)
        #expect(chart.lines.count == 2 && chart.lines[0].hasPrefix("2025-11-10 Mon  2  ██"))
    }

    @Test("A range chart shows gaps, and a range without an extent")
    func ranges() throws {
        for (day, value) in [("2025-11-10", "60"), ("2025-11-12", "80"), ("2025-11-12", "100")] {
            _ = try CommandRun(
                ["add", "heartRate", value, "count/min", "--start", "\(day)T10:00"], store: scratch.store)
        }
        let run = try CommandRun(["stats", "heartRate", "--every", "day", "--chart"], store: scratch.store)
        #expect(run.lines.count == 4)
        #expect(run.lines[1].hasPrefix("2025-11-10 Mon   60–60  60 count/min  ●"))
        #expect(run.lines[2].hasPrefix("2025-11-11 Tue") && run.lines[2].hasSuffix("–"))
        #expect(run.lines[3].hasSuffix("━") && run.lines[3].contains("●━"))
    }

    @Test("A range without samples is not an error")
    func nothing() throws {
        for every in [[], ["--every", "day"], ["--chart"]] {
            let run = try CommandRun(["stats", "stepCount", "--to", "2020"] + every, store: Demo.shared.store)
            #expect(run.status == 0)
            #expect(run.output.hasPrefix("No samples in this range. The newest data is of 2025-11-16: "))
        }
        #expect(
            try CommandRun(["stats", "stepCount", "--to", "2020", "--json"], store: Demo.shared.store).output
                == #"{"type":"HKQuantityTypeIdentifierStepCount","unit":"count","statistics":[]}"# + "\n")
    }

    /// Imports one step in each of the 72 hours from midnight of a day, around a daylight saving change.
    private func hourly(_ zone: String, from first: String) throws -> URL {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = calendar.timeZone
        formatter.dateFormat = "yyyy-MM-dd"
        let start = try #require(formatter.date(from: first))
        formatter.timeZone = .gmt
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss +0000"
        let elements = (0..<72).map { hour in
            let begin = start.addingTimeInterval(Double(hour) * 3_600 + 600)
            return """
                 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="\(formatter.string(from: begin))" endDate="\(formatter.string(from: begin.addingTimeInterval(60)))" value="1"/>
                """
        }
        let archive = try scratch.archive(elements.joined(separator: "\n"))
        _ = try CommandRun(["import", archive.path, "--quiet"], store: scratch.store)
        return scratch.store
    }

    @Test(
        "Days have 23 and 25 hours when daylight saving begins and ends",
        arguments: [
            (
                "America/New_York", "2025-03-08", [24, 23, 24, 1], "2025-03-09T00:00:00-05:00",
                "2025-03-10T00:00:00-04:00"
            ),
            ("America/New_York", "2025-11-01", [24, 25, 23], "2025-11-02T00:00:00-04:00", "2025-11-03T00:00:00-05:00"),
            ("Europe/Berlin", "2025-03-29", [24, 23, 24, 1], "2025-03-30T00:00:00+01:00", "2025-03-31T00:00:00+02:00"),
            ("Europe/Berlin", "2025-10-25", [24, 25, 23], "2025-10-26T00:00:00+02:00", "2025-10-27T00:00:00+01:00"),
        ])
    func clocks(zone: String, first: String, counts: [Int], start: String, end: String) throws {
        let store = try hourly(zone, from: first)
        // The zone is the machine’s, or is requested on a machine in another zone.
        for (machine, option) in [(zone, []), ("UTC", ["--time-zone", zone])] {
            let days = try CommandRun(
                ["stats", "stepCount", "--every", "day", "--json"] + option, store: store, timeZone: machine
            ).objects()
            #expect(days.map { $0["sumQuantity"] as? Int } == counts)
            #expect(days[1]["startDate"] as? String == start)
            #expect(days[1]["endDate"] as? String == end)
            let day = try CommandRun(
                ["stats", "stepCount", "--from", String(start.prefix(10)), "--to", String(start.prefix(10)), "--json"]
                    + option,
                store: store, timeZone: machine
            ).objects()
            #expect(day.first?["sumQuantity"] as? Int == counts[1])
        }
    }

    @Test("No value stops a table, a chart or JSON", arguments: ["table", "chart", "json"])
    func extremes(output: String) throws {
        func day(_ day: String, _ value: String) -> String {
            """
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="\(day) 10:00:00 -0500" endDate="\(day) 10:30:00 -0500" value="\(value)"/>
             <Record type="HKQuantityTypeIdentifierStepCount" sourceName="P" unit="count" startDate="\(day) 11:00:00 -0500" endDate="\(day) 11:30:00 -0500" value="\(value)"/>
            """
        }
        // The sum of two values of the last day is more than the greatest finite number.
        let archive = try scratch.archive(
            [
                day("2025-11-10", "-5"), day("2025-11-11", "1e-300"), day("2025-11-12", "0"),
                day("2025-11-13", "1.7e308"),
            ]
            .joined(separator: "\n"))
        #expect(try CommandRun(["import", archive.path, "--quiet"], store: scratch.store).status == 0)
        let option = output == "table" ? [] : ["--\(output)"]
        let run = try CommandRun(["stats", "stepCount", "--every", "day"] + option, store: scratch.store)
        #expect(run.status == 0 && run.errors == "")
        switch output {
        case "json": #expect(try run.objects().last?["sumQuantity"] as? String == "Infinity")
        case "chart":
            #expect(run.lines.count == 4)
            #expect(run.lines[3].hasSuffix("█") && run.lines[3].contains("∞ count"))
            // What is below zero or zero has no bar, and what is above zero has one.
            #expect(!run.lines[0].hasSuffix("▏") && run.lines[1].hasSuffix("█") && !run.lines[2].hasSuffix("▏"))
        default: #expect(run.lines.last?.hasSuffix("∞") == true)
        }
        #expect(try CommandRun(["stats", "stepCount"] + option, store: scratch.store).status == 0)
    }

    @Test(
        "The first year and month have their names, although a calendar’s begin two days earlier",
        arguments: ["year", "month"])
    func first(every: String) throws {
        _ = try CommandRun(["add", "stepCount", "1", "count", "--start", "0001-01-01"], store: scratch.store)
        let run = try CommandRun(["stats", "stepCount", "--every", every], store: scratch.store)
        #expect(run.lines.last?.hasPrefix(every == "year" ? "0001 " : "0001-01 ") == true)
    }

    @Test("Weeks begin on Monday, months on the first")
    func longer() throws {
        let store = try hourly("America/New_York", from: "2025-11-01")
        func days(_ every: String) throws -> [(String, Int)] {
            try CommandRun(["stats", "stepCount", "--every", every, "--json"], store: store).objects().map {
                (String(($0["startDate"] as? String ?? "").prefix(10)), $0["sumQuantity"] as? Int ?? 0)
            }
        }
        #expect(try days("week").map(\.0) == ["2025-10-27", "2025-11-03"])
        #expect(try days("week").map(\.1) == [49, 23])
        #expect(try days("month").map(\.0) == ["2025-11-01"])
        #expect(try days("year").map(\.0) == ["2025-01-01"])
        #expect(try days("hour").count == 72)
    }

    @Test("Uses the requested unit, or else the preferred one")
    func units() throws {
        let store = try scratch.demoStore()
        func average(_ options: [String]) throws -> (Double, String) {
            let answer = try #require(
                try CommandRun(["stats", "bodyMass", "--json"] + options, store: store).objects().first)
            return (answer["averageQuantity"] as? Double ?? 0, answer["unit"] as? String ?? "")
        }
        let kilograms = try average(["--unit", "kg"])
        #expect(kilograms.1 == "kg")
        let pounds = try average(["--unit", "lb"])
        #expect(abs(pounds.0 * 0.45359237 - kilograms.0) < 1e-9)
        _ = try CommandRun(["profile", "--prefer", "bodyMass=st"], store: store)
        #expect(try average([]).1 == "st")
    }

    @Test("Invalid arguments are reported")
    func mistakes() throws {
        for (arguments, message) in [
            (
                ["workout"],
                "Error: Statistics aren’t available for “workout”: it is neither a quantity nor a category type. Ask for workouts instead.\n"
            ),
            (
                ["sleepAnalysis", "--unit", "hr"],
                "Error: “hr” is not a unit of sleepAnalysis, whose values are times and numbers of samples.\n"
            ),
            (["stepCount", "--unit", "kg"], "Error: “kg” is not a unit of stepCount, which is measured in count.\n"),
            (["stepCount", "--unit", "("], "Error: “(” is not a unit of stepCount, which is measured in count.\n"),
            (["stepcont"], "Error: “stepcont” is not a data type. Did you mean stepCount (260 samples)?\n"),
            (["zzz"], "Error: “zzz” is not a data type. “hk types” lists the types in the store.\n"),
        ] {
            let run = try CommandRun(["stats"] + arguments, store: Demo.shared.store)
            #expect(run.status == 64)
            #expect(run.output == "")
            #expect(run.errors == message)
        }
        let every = try CommandRun(["stats", "stepCount", "--every", "fortnight"], store: Demo.shared.store)
        #expect(every.status == 64)
        #expect(every.errors.hasPrefix("Error: The value 'fortnight' is invalid for '--every <every>'."))
    }
}
