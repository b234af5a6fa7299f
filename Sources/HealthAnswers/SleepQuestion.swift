import Foundation
import HealthEngine
package import HealthInsights
package import HealthJSON
package import HealthKit
import HealthModel

/// Nights of sleep.
package struct SleepQuestion: Question {
    private let interval: DateInterval
    /// The nights to compare with.
    private let other: DateInterval?
    private let reader: SleepSources
    private let hasSegments: Bool
    private let intervals: AnswerIntervals?
    private let covered: AnswerCoverage.Asked?

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        let calendar = setting.calendar
        let (start, end) = try parameters.range(setting.timeZone)
        let usual = calendar.startOfDay(-13, after: setting.now)
        // The day on which a range begins counts as a whole, as for rings: its night began the day before. No sleep was
        // recorded before 1810. In other time zones it may be tomorrow already.
        let first =
            start.map { calendar.startOfDay(for: Date(reference: $0)) } ?? (end == nil ? usual : Date(reference: -6e9))
        let last = end.map(Date.init(reference:)) ?? calendar.startOfDay(2, after: setting.now)
        interval = DateInterval(start: first, end: max(first, last))
        let endOfToday = setting.endOfToday.timeIntervalSinceReferenceDate
        other = try parameters.comparedRange(
            of: (start ?? (end == nil ? usual.timeIntervalSinceReferenceDate : nil), end ?? endOfToday), calendar
        ).map {
            DateInterval(start: Date(reference: $0.start), end: Date(reference: $0.end))
        }
        let sources = try SampleQuery.sources(parameters.list("source"), setting.engine.dictionaries())
        reader = try SleepSources(&parameters, setting, sources: sources.map { Set($0.map(\.bundleIdentifier)) })
        hasSegments = try parameters.flag("segments", default: true)
        intervals = try AnswerIntervals(&parameters, .intervalOfNights, setting)
        covered = try AnswerCoverage.Asked(
            &parameters, of: (end == nil ? first.timeIntervalSinceReferenceDate : start, end), setting)
    }

    package func answer(_ context: some QuestionContext) async throws -> SleepAnswer {
        let reader = reader.reader(context)
        func nights(_ interval: DateInterval) async throws -> [SleepNight] {
            try await context.silently([]) { try await reader.nights(in: interval) }
        }
        var answer = SleepAnswer(nights: try await nights(interval), hasSegments: hasSegments, intervals: intervals)
        func coverage(_ asked: AnswerCoverage.Asked?, of nights: [SleepNight]) -> AnswerCoverage? {
            // Noon is on the same day in most other time zones.
            asked?.coverage(of: nights.map { $0.date.timeIntervalSinceReferenceDate + 43_200 })
        }
        answer.coverage = coverage(covered, of: answer.nights)
        if let other {
            let nights = try await nights(other)
            let before = covered?.within(
                other.start.timeIntervalSinceReferenceDate, other.end.timeIntervalSinceReferenceDate)
            answer.comparison = SleepAnswer.Comparison(nights: nights, coverage: coverage(before, of: nights))
        }
        return answer
    }
}

/// The sources of sleep, in the person's own order.
struct SleepSources: Sendable {
    private let calendar: Calendar
    private let own: (order: [String], disabled: Set<String>)
    private let deviceRanks: [String: Int]
    private let usesRecordedTimeZones: Bool

    /// - Parameter sources: The bundle identifiers of the sources that count; `nil` for all.
    init(
        _ parameters: inout QueryParameters, _ setting: QuestionSetting, sources: Set<String>? = nil
    ) throws {
        calendar = setting.calendar
        own = try setting.engine.ownOrder(ofType: HKCategoryTypeIdentifier.sleepAnalysis.rawValue, from: sources)
        deviceRanks = try setting.engine.deviceRanks()
        usesRecordedTimeZones = try !parameters.flag("ignoreRecordedTimeZones")
    }

    func reader(_ context: some QuestionContext) -> SleepReader {
        var reader = SleepReader(
            store: context.healthStore(calendar: calendar), calendar: calendar, sourceOrder: own.order,
            excludedSources: own.disabled, usesRecordedTimeZones: usesRecordedTimeZones)
        reader.deviceRanks = deviceRanks
        return reader
    }
}

extension HealthEngine {
    /// The sources that are an Apple Watch (0) or an iPhone (1).
    func deviceRanks() throws -> [String: Int] {
        try sources.ranks().compactMapValues { $0 == .watch ? 0 : $0 == .phone ? 1 : nil }
    }
}

/// Nights of sleep in ascending order. Days without sleep are left out.
package struct SleepAnswer: AnswerObject, Sendable {
    package let nights: [SleepNight]
    let hasSegments: Bool
    /// The intervals whose averages are wanted in place of nights.
    let intervals: AnswerIntervals?
    package var comparison: Comparison?
    /// The days with sleep, if they were asked for.
    var coverage: AnswerCoverage?

    /// The time asleep of all nights, with naps.
    package var totalTimeAsleep: TimeInterval { nights.reduce(0) { $0 + ($1.totalTimeAsleep ?? 0) } }
    /// The earliest of the longest nights.
    package var longest: SleepNight? {
        nights.filter { $0.timeAsleep != nil }.max { $0.timeAsleep ?? 0 < $1.timeAsleep ?? 0 }
    }
    /// The earliest of the shortest nights.
    package var shortest: SleepNight? {
        nights.filter { $0.timeAsleep != nil }.min { $0.timeAsleep ?? 0 < $1.timeAsleep ?? 0 }
    }

    package static let fields: [AnswerField<Self>] = [
        .init("nights") { answer in
            answer.intervals == nil
                ? answer.nights.map { NightAnswer(night: $0, hasSegments: answer.hasSegments) } : nil
        },
        .init("intervals") { answer in
            answer.intervals?.groups(of: answer.nights, by: \.day).map { Interval(interval: $0, nights: $1) }
        },
        .init("averages") { SleepAverages($0.nights) }, .init("totalTimeAsleep", unit: "s", \.totalTimeAsleep),
        .init("longestNight") { $0.longest.map { AnswerDay($0.day) } },
        .init("shortestNight") { $0.shortest.map { AnswerDay($0.day) } }, .init("comparison", \.comparison),
        .init("coverage", \.coverage),
    ]

    /// The nights of a longer interval.
    struct Interval: AnswerObject {
        let interval: DateInterval
        let nights: [SleepNight]

        static let fields: [AnswerField<Self>] = [
            .init("startDate", \.interval.start), .init("endDate", \.interval.end),
            .init("averages") { SleepAverages($0.nights) },
        ]
    }

    /// Other nights.
    package struct Comparison: AnswerObject, Sendable {
        package let nights: [SleepNight]
        let coverage: AnswerCoverage?

        package static let fields: [AnswerField<Self>] = [
            .init("averages") { SleepAverages($0.nights) }, .init("coverage", \.coverage),
        ]
    }
}

/// The sleep of a day.
struct NightAnswer: AnswerObject {
    let night: SleepNight
    var hasSegments = true

    static let fields: [AnswerField<Self>] = [
        .init("date") { AnswerDay($0.night.day) }, .init("timeZone", \.night.timeZone.identifier),
        .init("totalTimeAsleep", unit: "s", \.night.totalTimeAsleep), .init("napTime", unit: "s", \.night.napTime),
        .init("main") { answer in answer.night.main.map { Period(period: $0, hasSegments: answer.hasSegments) } },
        .init("naps") { answer in answer.night.naps.map { Period(period: $0, hasSegments: answer.hasSegments) } },
    ]

    /// One stretch of sleep.
    struct Period: AnswerObject {
        let period: SleepPeriod
        let hasSegments: Bool

        static let fields: [AnswerField<Self>] = [
            .init("startDate", \.period.start), .init("endDate", \.period.end),
            .init("asleepStartDate", \.period.asleepStart), .init("asleepEndDate", \.period.asleepEnd),
            .init("timeAsleep", unit: "s", \.period.timeAsleep), .init("timeInBed", unit: "s", \.period.timeInBed),
            .init("isTimeInBedRecorded", \.period.isTimeInBedRecorded),
            .init("efficiency", unit: "fraction", \.period.efficiency),
            .init("latency", unit: "s", \.period.latency),
            .init("wakeAfterSleepOnset", unit: "s", \.period.wakeAfterSleepOnset),
            .init("awakenings", unit: "count", \.period.awakenings),
            .init("longAwakenings", unit: "count", \.period.longAwakenings),
            .init("hasStages", \.period.hasStages),
            .init("stages", unit: "s") { answer in
                AnswerNumbers(SleepStage.self) { stage in
                    let seconds = answer.period.duration(of: stage)
                    return seconds > 0 ? seconds : nil
                }
            }, .init("sources", \.period.sources),
            .init("segments") { $0.hasSegments ? $0.period.segments : nil },
        ]
    }
}

extension SleepSegment: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("stage") { "\($0.stage)" }, .init("startDate", \.start), .init("endDate", \.end),
        .init("source", \.source.name),
    ]
}

extension HKSource: AnswerValue {
    package static var schema: AnswerSchema { AnswerSchema(reference: "Source") }
    package func write(to json: inout JSONText, _ instants: InstantWriter) {
        json.object(["source": name, "bundleIdentifier": bundleIdentifier])
    }
}

extension SleepAverages: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("nights", unit: "count", \.nights), .init("timeAsleep", unit: "s", \.timeAsleep),
        .init("timeAsleepDeviation", unit: "s", \.timeAsleepDeviation), .init("timeInBed", unit: "s", \.timeInBed),
        .init("efficiency", unit: "fraction", \.efficiency), .init("latency", unit: "s", \.latency),
        .init("wakeAfterSleepOnset", unit: "s", \.wakeAfterSleepOnset),
        .init("startTime", unit: "s after midnight", \.startTime),
        .init("endTime", unit: "s after midnight", \.endTime),
        .init("asleepTime", unit: "s after midnight", \.asleepTime),
        .init("wakeTime", unit: "s after midnight", \.wakeTime),
        .init("stages", unit: "s") { averages in AnswerNumbers(SleepStage.self) { averages.stages[$0] } },
    ]
}
