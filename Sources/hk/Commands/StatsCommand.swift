import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthInsights
import HealthModel

/// `hk stats TYPE`: sums, averages, minima and maxima, in total or by interval.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show statistics of a quantity or category type.",
        discussion: """
            Sources that measured at the same time are merged. Cumulative types, such as steps, have sums; discrete \
            types, such as heart rate, have an average, a minimum and a maximum. Category types, such as sleep, have \
            the number of samples and the time in hours and minutes of each value; a night of sleep belongs to the day \
            on which it ends. For blood pressure, both figures are shown. A period that is only partly in the range is \
            marked. --above N selects the days (or other periods) with N or more: by the sum, the maximum of a discrete \
            type, or the time of a category type; --below N those with less, by the minimum. Both show the longest streak.

              hk stats stepCount --every day --last 7d --chart
              hk stats heartRate --every month --from 2024 --json
              hk stats sleepAnalysis --every week --last 6w
              hk stats steps --every weekday --last 1y
              hk stats steps --every day --top 5
              hk stats steps --last 30d --compare previous
              hk stats "resting heart rate" --every month --last 1y --compare 1y
              hk stats steps --above 10,000 --last year
              hk stats sleep --below 6h --last 90d
              hk stats sleep --with "resting heart rate" --last 60d
            """)

    @Argument(help: "The data type, such as stepCount or steps.", completion: TypeCompletion.name)
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var options: StoreOptions

    @Option(
        name: .long,
        help: "Print one line per hour, day, week, month, quarter or year, or the mean of each weekday or hour-of-day.")
    var every: StatisticsInterval?

    @Option(name: .long, help: "Print only the N highest lines, such as the days with the most steps.")
    var top: Int?

    @Option(name: .long, help: "Print only the days, or other periods, with N or more, and the longest streak.")
    var above: String?

    @Option(name: .long, help: "Print only the days, or other periods, with less than N, and the longest streak.")
    var below: String?

    @Option(
        name: .long,
        help: "Compare the range with the previous range of the same length, or with the one 7d, 1m or 1y earlier.")
    var compare: String?

    @Option(
        name: .long, help: "Print a second type beside this one, by day if not by --every, and their correlation.",
        completion: TypeCompletion.name)
    var with: String?

    @Option(name: .long, help: "The unit of the result (default: the person’s preferred unit).")
    var unit: String?

    @Flag(name: .long, help: "Draw a chart: bars of sums and times, ranges of discrete types.")
    var chart = false

    private var isPattern: Bool { every == .weekday || every == .hourOfDay }
    /// Days are the periods of options that select some or add a type.
    private var interval: StatisticsInterval? {
        every ?? (top != nil || above != nil || below != nil || with != nil ? .day : nil)
    }

    func validate() throws {
        let given = [
            ("--top", top != nil), ("--above or --below", above != nil || below != nil), ("--compare", compare != nil),
            ("--with", with != nil), ("a chart or pattern", chart || isPattern),
        ].filter(\.1).map(\.0)
        if given.count > 1 { throw ValidationError("\(given[0]) can’t be combined with \(given[1]).") }
        if let top, top < 1 { throw ValidationError("--top must be at least 1.") }
    }

    func run() async throws {
        let engine = try options.engine()
        let dictionaries = try engine.dictionaries()
        let type = try TypeName.resolveSampled(type, dictionaries: dictionaries, engine: engine)
        let isPair = type.identifier == BloodPressureListing.type
        if every == .hourOfDay, type.kind == .category {
            throw UsageError("--every hour-of-day is for quantities, such as steps.")
        }
        let calendar = try range.calendar(options)
        let dates = DateOutput(calendar: calendar)
        var parameters = try range.parameters(calendar).merging(RangeOptions.recordedTimeZones(range.timeZone)) { $1 }
        parameters.merge(["interval": interval?.asked, "unit": unit]) { $1 }
        parameters.merge(try sources.parameters(dictionaries)) { $1 }
        if let compare { parameters.merge(try range.parameters(compare: compare, calendar)) { $1 } }
        parameters["with"] = try with.map {
            try TypeName.resolveSampled($0, dictionaries: dictionaries, engine: engine).identifier
        }
        let setting = QuestionSetting(engine: engine, caller: .person, calendar: calendar, now: CurrentTime.now)
        var answers: [StatisticsAnswer] = []
        for part in isPair ? BloodPressureListing.parts : [type.identifier] {
            parameters["type"] = part
            if answers.isEmpty { try setLimits(&parameters, setting) }
            answers.append(try await options.ask(StatisticsQuestion.self, parameters, calendar: calendar))
            // The diastolic pressures beside the systolic ones that were selected.
            (parameters["above"], parameters["below"]) = (nil, nil)
        }
        if let top { answers[0].statistics = Self.highest(top, of: answers[0]) }
        let isEmpty = answers[0].statistics.isEmpty && answers[0].matches?.total ?? 0 == 0
        let text =
            try options.json
            ? json(answers, type, calendar)
            : isEmpty
                ? options.nothing(of: type, called: self.type, range, calendar, command: "stats")
                : text(answers, dates)
        try StandardOutput.send(Array(text.utf8))
    }

    /// Sets the limits of --above and --below, and the unit that they are given in.
    private func setLimits(_ parameters: inout [String: String?], _ setting: QuestionSetting) throws {
        let type = try setting.engine.dictionaries().type(identifier: (parameters["type"] ?? nil) ?? "")
        for (name, text) in [("above", above), ("below", below)] {
            guard let text, let type else { continue }
            var (value, unit) = try MeasureArgument.limit(text, of: type, option: "--\(name)")
            if type.kind == .quantity {
                unit = try setting.unit(unit ?? self.unit, of: type)
                // People write percentages, and answers have fractions.
                if unit == "%" { value /= 100 }
                parameters["unit"] = unit
            }
            parameters[name] = "\(value)"
        }
    }

    /// The intervals with the highest sums, maxima or times, the highest first.
    private static func highest(_ count: Int, of answer: StatisticsAnswer) -> [StatisticsAnswer.Statistic] {
        let ranked = zip(answer.statistics, answer.figures).map { ($0, $0.values.maximum ?? $1 ?? -.infinity) }
        // Of equal ones, the earlier first.
        return ranked.sorted { ($0.1, $1.0.start) > ($1.1, $0.0.start) }.prefix(count).map(\.0)
    }

    /// The answer for people; that of blood pressure in pairs.
    private func text(_ answers: [StatisticsAnswer], _ dates: DateOutput) throws -> String {
        let answer = answers[0]
        if let second = answer.second, let interval {
            return StatisticsComparison(answer: answer, dates: dates).text(with: second, every: interval)
        }
        if chart, answers.count > 1, !isPattern {
            let listing = StatisticsListing(answer: answer, interval: every, dates: dates)
            return BloodPressureListing.chart(answer, answers[1], label: listing.label)
        }
        if chart { return answers.map { chart(of: $0, dates) }.joined(separator: "\n") }
        let tables = try answers.map { try table(of: $0, dates) }
        let whole = tables.count > 1 ? BloodPressureListing.joined(tables[0], tables[1]) : tables[0]
        if let matches = answer.matches {
            return try (whole.rows.isEmpty ? "" : whole.text() + "\n") + streaks(matches, dates)
        }
        let isAlone = compare != nil && answer.comparison?.summary?.figures == nil
        return whole.text() + (isAlone ? "The earlier range has no data.\n" : "")
    }

    private func table(of answer: StatisticsAnswer, _ dates: DateOutput) throws -> Table {
        if let every, isPattern { return StatisticsPattern(answer, by: every, calendar: dates.calendar).table }
        if let compare {
            let comparison = StatisticsComparison(answer: answer, dates: dates)
            return try every.map {
                comparison.table(every: $0, earlier: try range.earlier(compare, dates.calendar))
            } ?? comparison.table
        }
        return answer.type.kind == .category
            ? CategoryListing(answer: answer, interval: interval, dates: dates).table
            : StatisticsListing(answer: answer, interval: interval, dates: dates).table
    }

    private func chart(of answer: StatisticsAnswer, _ dates: DateOutput) -> String {
        if let every, isPattern { return StatisticsPattern(answer, by: every, calendar: dates.calendar).chart }
        return answer.type.kind == .category
            ? CategoryListing(answer: answer, interval: every, dates: dates).chart
            : StatisticsListing(answer: answer, interval: every, dates: dates).chart
    }

    /// `37 of 63 days with data. Longest streak: 9 days, 2025-09-16 – 2025-09-24. Current streak: 2 days.`
    private func streaks(_ matches: StatisticsAnswer.Matches, _ dates: DateOutput) throws -> String {
        let name = interval?.rawValue ?? "day"
        let all = "\(NumberOutput.grouped(matches.count)) of \(NumberOutput.counted(matches.total, name)) with data."
        guard let longest = matches.longest else { return all + "\n" }
        let text =
            all
            + " Longest streak: \(NumberOutput.counted(longest.count, name)), \(dates.day(Date(reference: longest.start))) – "
            + "\(dates.day(Date(reference: longest.end - 1)))."
            + (try range.includesToday(dates.calendar)
                ? " Current streak: \(NumberOutput.counted(matches.current, name))." : "")
        return Terminal.output.wrapped(text, after: 2) + "\n"
    }

    private func json(_ answers: [StatisticsAnswer], _ type: TypeDescription, _ calendar: Calendar) throws -> String {
        let parts = try answers.map { answer in
            guard let every, isPattern else {
                return String(decoding: answer.json(timeZone: calendar.timeZone), as: UTF8.self)
            }
            let pattern = StatisticsPattern(answer, by: every, calendar: calendar)
            return try JSONOutput.text(pattern.answer(answer.type, every))
        }
        guard parts.count > 1 else { return parts[0] + "\n" }
        return "{\"type\":\"\(type.identifier)\",\"systolic\":\(parts[0]),\"diastolic\":\(parts[1])}\n"
    }
}
