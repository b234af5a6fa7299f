package import Foundation
import HealthEngine
import HealthInsights
import HealthKit
package import HealthModel

/// Statistics of a quantity or category type, over all samples or by interval.
package struct StatisticsQuestion: Question {
    package let type: TypeDescription
    /// The intervals; `nil` for the whole range.
    package private(set) var intervals: StatisticsIntervals?
    private var samples: SampleQuery
    private let figures: StatisticsOptions
    /// The unit of the answer; `nil` for a category type.
    private let unit: String?
    private let calendar: Calendar
    private var isFilled: Bool
    private var hasSummary: Bool
    private var covered: AnswerCoverage.Asked?
    /// The range to compare with.
    private let other: (start: Double, end: Double)?
    private var bounds: (above: Double?, below: Double?)
    /// The question about the second type, or the diastolic blood pressure, if there is one.
    private let second: [StatisticsQuestion]
    private let own: (order: [String], disabled: Set<String>)
    private let deviceRanks: [String: Int]
    private let usesRecordedTimeZones: Bool

    private static let options: [(name: String, option: StatisticsOptions)] = [
        ("sum", .cumulativeSum), ("average", .discreteAverage), ("min", .discreteMin), ("max", .discreteMax),
        ("mostRecent", .mostRecent), ("duration", .duration), ("separateBySource", .separateBySource),
    ]

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        let setting = try setting.withFirstWeekday(&parameters)
        let (engine, zone) = (setting.engine, setting.timeZone)
        let asked = try engine.lookingUp { try parameters.type("type", $0) }
        let pair = asked.identifier == Self.pressure ? Self.pressures.compactMap(TypeCatalog.description(for:)) : []
        let type = pair.first ?? asked
        guard type.kind == .category || type.kind == .quantity else {
            let instead = [TypeKind.workout: "workouts", .activitySummary: "activity rings"][type.kind] ?? "samples"
            throw ParameterError(
                "type",
                "Statistics aren’t available for “\(type.shortName)”: it is neither a quantity nor a category type. Ask for \(instead) instead."
            )
        }
        self.type = type
        calendar = setting.calendar
        samples = try SampleQuery(
            &parameters, types: engine.readable([type], as: setting.caller), zone, engine.dictionaries())
        figures = try Self.figures(parameters.list("options"), type)
        unit = try Self.unit(parameters.text("unit"), type, setting)
        let anchor = try parameters.instant("anchor", zone)
        bounds = (try parameters.number("above"), try parameters.number("below"))
        second = try Self.second(&parameters, besides: pair, setting)
        let isOfDays = bounds.above != nil || bounds.below != nil || !second.isEmpty && pair.isEmpty
        intervals = try (parameters.text("interval") ?? (isOfDays ? "day" : nil)).map {
            try StatisticsIntervals($0, anchor: anchor, calendar: setting.calendar)
        }
        isFilled = try parameters.flag("fill")
        if isFilled, samples.start == nil || samples.end == nil || intervals == nil {
            throw ParameterError("fill", "Give start, end and interval, too.")
        }
        other = try parameters.comparedRange(
            of: (samples.start, samples.end ?? setting.endOfToday.timeIntervalSinceReferenceDate), calendar)
        covered = try AnswerCoverage.Asked(&parameters, of: (samples.start, samples.end), setting)
        hasSummary = try parameters.flag("summary") || other != nil
        usesRecordedTimeZones = try !parameters.flag("ignoreRecordedTimeZones")
        own = type.kind == .category ? try engine.ownOrder(ofType: type.identifier, from: samples.sources) : ([], [])
        deviceRanks = type.kind == .category ? try engine.deviceRanks() : [:]
        if type.kind == .category { try checkCategory() }
    }

    private static let pressure = "HKCorrelationTypeIdentifierBloodPressure"
    private static let pressures = ["Systolic", "Diastolic"].map { "HKQuantityTypeIdentifierBloodPressure" + $0 }

    /// The question about the type in `with`; or the same about the second type of a pair.
    private static func second(
        _ parameters: inout QueryParameters, besides pair: [TypeDescription], _ setting: QuestionSetting
    ) throws -> [StatisticsQuestion] {
        let name = try parameters.text("with")
        if let partner = pair.last {
            guard name == nil else { throw ParameterError("with", "Blood pressure has two figures already.") }
            var same = parameters
            same.set("type", to: partner.identifier)
            var second = try StatisticsQuestion(&same, setting)
            second.bounds = (nil, nil)
            return [second]
        }
        guard let name else { return [] }
        var asked: [String: String?] = ["type": name, "interval": try parameters.text("interval") ?? "day"]
        for name in ["start", "end", "anchor", "ignoreRecordedTimeZones"] { asked[name] = try parameters.text(name) }
        var second = QueryParameters(asked)
        return [try StatisticsQuestion(&second, setting)]
    }

    private static func figures(_ given: [String]?, _ type: TypeDescription) throws -> StatisticsOptions {
        guard type.kind == .quantity else {
            guard given == nil else {
                throw ParameterError(
                    "options", "Statistics of a category type have the time in each value and no options.")
            }
            return []
        }
        // Of a type that only the store knows, an average is right, and a sum only if it is asked for.
        let isCumulative = type.aggregationStyle?.isCumulative ?? false
        let figures: StatisticsOptions = isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        guard let given else { return figures }
        var options: StatisticsOptions = []
        for name in given {
            guard let option = self.options.first(where: { $0.name == name })?.option else {
                throw QueryParameters.problem(
                    "options", name, "is not an option. Use \(self.options.map(\.name).joined(separator: ", ")).")
            }
            options.insert(option)
        }
        if options == .separateBySource { options.formUnion(figures) }
        if isCumulative, !options.isDisjoint(with: [.discreteAverage, .discreteMin, .discreteMax]) {
            throw ParameterError(
                "options", "\(type.shortName) is cumulative, so it has a sum, but no average, min and max.")
        }
        if !isCumulative, type.aggregationStyle != nil, options.contains(.cumulativeSum) {
            throw ParameterError(
                "options", "\(type.shortName) is discrete, so it has an average, min and max, but no sum.")
        }
        return options
    }

    private static func unit(_ given: String?, _ type: TypeDescription, _ setting: QuestionSetting) throws -> String? {
        guard type.kind == .quantity else {
            guard let given else { return nil }
            throw QueryParameters.problem(
                "unit", given, "is not a unit of \(type.shortName), whose values are times and numbers of samples.")
        }
        return try setting.unit(given, of: type)
    }

    private func checkCategory() throws {
        guard samples.isOfSources else {
            throw ParameterError(nil, "Statistics of a category type are selected by start, end and source only.")
        }
        guard !isFilled else {
            throw ParameterError("fill", "Statistics of a category type have only intervals with data.")
        }
        _ = try intervals?.calendarComponent()
    }

    /// The same in another range.
    private func within(_ range: (start: Double, end: Double)) -> StatisticsQuestion {
        var question = self
        question.samples = samples.within(range.start, range.end)
        question.covered = covered?.within(range.start, range.end)
        return question
    }

    package func answer(_ context: some QuestionContext) async throws -> StatisticsAnswer {
        var answer = try await part(context)
        if let second = second.first {
            answer.second = StatisticsAnswer.Second(of: answer, with: try await second.answer(context))
        }
        answer.coverage = try await coverage(of: answer, context)
        if bounds.above != nil || bounds.below != nil {
            answer.select(above: bounds.above, below: bounds.below, now: context.now.timeIntervalSinceReferenceDate)
        }
        guard let other else { return answer }
        let earlier = try await within(other).part(context)
        answer.comparison = StatisticsAnswer.Comparison(of: answer, with: earlier)
        answer.comparison?.coverage = try await within(other).coverage(of: earlier, context)
        return answer
    }

    /// The coverage of the range, if it is asked for. Its answer may have the days already.
    private func coverage(of answer: StatisticsAnswer, _ context: some QuestionContext) async throws -> AnswerCoverage?
    {
        guard let covered else { return nil }
        var (days, question) = (answer.statistics, self)
        if intervals?.name != "day" || isFilled {
            question.intervals = try StatisticsIntervals("day", anchor: nil, calendar: calendar)
            (question.isFilled, question.hasSummary) = (false, false)
            days = try await question.part(context).statistics
        }
        // Their middle, because nights are of the days of where they were recorded.
        return covered.coverage(of: days.map { ($0.start + $0.end) / 2 })
    }

    private func part(_ context: some QuestionContext) async throws -> StatisticsAnswer {
        guard !samples.types.isEmpty else { return StatisticsAnswer(type: type, unit: unit, intervals: intervals) }
        var answer =
            type.kind == .category
            ? try await categories(context)
            : try await context.read { [now = context.now] engine, caller in try quantities(engine, caller, now) }
        answer.cut(from: samples.start, until: samples.end, now: context.now.timeIntervalSinceReferenceDate)
        return answer
    }

    // MARK: Quantities

    private func quantities(_ engine: HealthEngine, _ caller: Caller, _ now: Date) throws -> StatisticsAnswer {
        let buckets = try buckets(engine, caller, figures, intervals)
        let canonical = buckets.first?.unit ?? type.canonicalUnit ?? unit ?? "count"
        let conversion = unit.flatMap { UnitConversion(between: canonical, and: $0) }
        let shown = conversion == nil ? canonical : unit ?? canonical
        func convert(_ buckets: [StatisticsBucket]) -> [StatisticsAnswer.Statistic] {
            buckets.map { StatisticsAnswer.Statistic($0, unit: shown, conversion ?? .identity) }
        }
        var answer = StatisticsAnswer(type: type, unit: shown, intervals: intervals)
        answer.statistics = convert(buckets)
        if hasSummary, let summary = try summary(engine, caller, now, convert) {
            answer.summary = summary
            answer.summary?.highest = answer.statistics.max { $0.values.sum ?? 0 < $1.values.sum ?? 0 }.flatMap {
                $0.values.sum == nil ? nil : $0
            }
        }
        if isFilled { answer.statistics = try filled(answer.statistics, shown) }
        return answer
    }

    /// The statistics of the intervals that overlap the range, or those of the range.
    private func buckets(
        _ engine: HealthEngine, _ caller: Caller, _ options: StatisticsOptions, _ intervals: StatisticsIntervals?
    ) throws -> [StatisticsBucket] {
        if let figure = HeartbeatStatistics.figures[type.identifier],
            try engine.samples(SampleRequest(parts: samples.parts, sort: [], limit: 1), as: caller).order.isEmpty
        {
            return try HeartbeatStatistics.buckets(figure, engine, caller, samples.filter, intervals)
        }
        func found(_ buckets: StatisticsRequest.Buckets) throws -> [StatisticsBucket] {
            do {
                return try engine.statistics(
                    StatisticsRequest(type: type.code, filter: samples.filter, options: options, buckets: buckets),
                    as: caller)
            } catch EngineError.noData {
                // An empty list says it.
                return []
            }
        }
        // Samples match as a whole, so the first and last interval can be outside the range.
        if let intervals {
            return try found(intervals.buckets(from: samples.start, to: samples.end)).filter {
                overlaps($0.start, $0.end)
            }
        }
        let whole = try found(.single)
        guard let span = whole.first else { return [] }
        let (start, end) = (max(span.start, samples.start ?? span.start), min(span.end, samples.end ?? span.end))
        guard start > span.start || end < span.end else { return whole }
        // A sample that crosses a bound counts with its share, as in an interval.
        guard start < samples.end ?? .infinity else { return [] }
        var part = try found(.instants([start, samples.end ?? span.end.nextUp]))
        if !part.isEmpty { part[0].end = max(start, end) }
        return part
    }

    private func overlaps(_ start: Double, _ end: Double) -> Bool {
        (samples.start.map { end > $0 } ?? true) && (samples.end.map { start < $0 } ?? true)
    }

    /// The figures of the range and of its days.
    private func summary(
        _ engine: HealthEngine, _ caller: Caller, _ now: Date,
        _ convert: ([StatisticsBucket]) -> [StatisticsAnswer.Statistic]
    ) throws -> StatisticsAnswer.Summary? {
        let days = try StatisticsIntervals("day", anchor: nil, calendar: calendar)
        let figures = try Self.figures(nil, type)
        let found = convert(try buckets(engine, caller, figures, days))
        guard let first = found.first, let last = found.last else { return nil }
        let (start, end) = (samples.start ?? first.start, samples.end ?? last.end)
        let clock = LocalClock(timeZone: calendar.timeZone)
        var series = series(
            found, found.map { $0.values.sum ?? $0.values.average }, HKUnit(from: first.unit ?? "count"), now)
        // The sums of whole days add up to that of the range. Averages don't, and neither do days that are only partly in it.
        if !series.isCumulative || first.start < start || last.end > end {
            series.whole = convert(try buckets(engine, caller, figures, nil)).first.flatMap {
                $0.values.sum ?? $0.values.average
            }
        }
        return StatisticsAnswer.Summary(
            figures: series.figures,
            days: clock.dayNumber(at: max(start, end.nextDown)) - clock.dayNumber(at: start) + 1)
    }

    /// The days, at least one, with their figures. Parts of days are marked, but a night is over on the day to which it belongs.
    private func series(
        _ days: [StatisticsAnswer.Statistic], _ figures: [Double?], _ unit: HKUnit, _ now: Date
    ) -> DailySeries {
        let (start, end) = (samples.start ?? days[0].start, samples.end ?? days[days.count - 1].end)
        let over = min(end, now.timeIntervalSinceReferenceDate)
        return DailySeries(
            unit: unit, isCumulative: type.kind == .category || type.aggregationStyle?.isCumulative ?? false,
            interval: DateInterval(start: Date(reference: start), end: Date(reference: max(start, end))),
            days: zip(days, figures).map { statistic, figure in
                var day = DailyValue(
                    date: Date(reference: statistic.start), value: figure, minimum: statistic.values.minimum,
                    maximum: statistic.values.maximum)
                day.isPartial = !isSleep && (statistic.start < start || statistic.end > over)
                return day
            })
    }

    private func filled(_ statistics: [StatisticsAnswer.Statistic], _ unit: String) throws
        -> [StatisticsAnswer.Statistic]
    {
        guard let intervals, let start = samples.start, let end = samples.end, start < end else { return [] }
        let bounds = try intervals.bounds(covering: [start...end.nextDown])
        let known = Dictionary(statistics.map { ($0.start, $0) }) { first, _ in first }
        return zip(bounds, bounds.dropFirst()).map {
            known[$0] ?? StatisticsAnswer.Statistic(start: $0, end: $1, unit: unit)
        }
    }

    // MARK: Categories

    private func categories(_ context: some QuestionContext) async throws -> StatisticsAnswer {
        var answer = StatisticsAnswer(type: type, unit: nil, intervals: intervals)
        answer.statistics = try await times(intervals?.calendarComponent(), context)
        if hasSummary {
            let whole = intervals == nil ? answer.statistics : try await times(nil, context)
            answer.summary = whole.first.map { StatisticsAnswer.Summary(times: $0) }
            answer.summary?.figures = try await dailyFigures(context)
        }
        return answer
    }

    /// The figures of the days: seconds, or numbers of samples.
    private func dailyFigures(_ context: some QuestionContext) async throws -> PeriodStatistics? {
        var answer = StatisticsAnswer(type: type, unit: nil, intervals: intervals)
        answer.statistics = try await times(.day, context)
        guard !answer.statistics.isEmpty else { return nil }
        return series(answer.statistics, answer.figures, answer.isTime ? .second() : .count(), context.now).figures
    }

    private var isSleep: Bool { type.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue }

    private func times(_ component: Calendar.Component?, _ context: some QuestionContext) async throws
        -> [StatisticsAnswer.Statistic]
    {
        let store = context.healthStore(calendar: calendar)
        let (start, end) = (samples.start.map(Date.init(reference:)), samples.end.map(Date.init(reference:)))
        let category = HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier))
        let isSleep = isSleep && component != .hour
        var sleep = SleepReader(
            store: store, calendar: calendar, sourceOrder: own.order, excludedSources: own.disabled,
            usesRecordedTimeZones: usesRecordedTimeZones)
        var times = CategoryTimeReader(
            store: store, calendar: calendar, sourceOrder: own.order, excludedSources: own.disabled)
        (sleep.deviceRanks, times.deviceRanks) = (deviceRanks, deviceRanks)
        return try await context.silently([]) { [sleep, times] in
            isSleep
                ? try await sleep.times(from: start, to: end, every: component)
                : try await times.times(of: category, from: start, to: end, every: component)
        }.map { StatisticsAnswer.Statistic($0, of: type) }
    }
}

extension Date {
    /// Creates a date from seconds since 2001-01-01 00:00 UTC, the engine's reference date.
    package init(reference seconds: Double) {
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}
