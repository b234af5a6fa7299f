import Foundation
package import HealthEngine
package import HealthInsights
import HealthKit
package import HealthModel

/// Statistics with HealthKit's property names: plain numbers in one unit, or the times of a category type.
package struct StatisticsAnswer: AnswerObject, Sendable {
    package var type: TypeDescription
    /// The unit of every figure; `nil` for a category type.
    package var unit: String?
    package let intervals: StatisticsIntervals?
    /// In ascending order. Without intervals, one or none.
    package var statistics: [Statistic] = []
    /// The figures of the whole range, if they were asked for.
    package var summary: Summary?
    package var comparison: Comparison?
    /// The intervals that were selected by their figures.
    package private(set) var matches: Matches?
    /// The second type, if one was asked for.
    package var second: Second?
    /// The days with data, if they were asked for.
    var coverage: AnswerCoverage?

    init(type: TypeDescription, unit: String?, intervals: StatisticsIntervals?) {
        (self.type, self.unit, self.intervals) = (type, unit, intervals)
    }

    /// Says of the first and the last interval that they aren't whole.
    mutating func cut(from start: Double?, until end: Double?, now: Double) {
        guard intervals != nil else { return }
        for index in statistics.indices {
            let period = statistics[index].start..<max(statistics[index].start, statistics[index].end)
            statistics[index].cut = PeriodCut(of: period, from: start, until: end, now: now)
        }
    }

    package static let fields: [AnswerField<Self>] = [
        .init("type", \.type.identifier), .init("unit", \.unit), .init("interval", \.intervals?.name),
        .init("statistics", \.statistics), .init("summary", \.summary), .init("comparison", \.comparison),
        .init("matches", \.matches), .init("with", \.second), .init("coverage", \.coverage),
    ]

    /// The statistics of one interval.
    package struct Statistic: AnswerObject, Sendable {
        /// Seconds since 2001.
        package let start: Double
        package let end: Double
        /// The part of an interval that the range has.
        package fileprivate(set) var cut = PeriodCut.none
        /// The figures of a quantity type, in the unit.
        package var values = StatisticsValues()
        let unit: String?
        private var sources: [Source]?
        /// The times of a category type.
        package var times: CategoryTimes?
        fileprivate var named: [Value]?

        package init(start: Double, end: Double, unit: String?, values: StatisticsValues = .init()) {
            (self.start, self.end, self.unit, self.values) = (start, end, unit, values)
        }

        init(_ bucket: StatisticsBucket, unit: String, _ conversion: UnitConversion) {
            self.init(start: bucket.start, end: bucket.end, unit: unit)
            values = bucket.values.converted(by: conversion)
            sources = bucket.bySource.map { sources in
                sources.sorted { $0.key.bundleIdentifier < $1.key.bundleIdentifier }.map {
                    Source(source: $0, values: $1.converted(by: conversion))
                }
            }
        }

        init(_ times: CategoryTimes, of type: TypeDescription) {
            self.init(
                start: times.interval.start.timeIntervalSinceReferenceDate,
                end: times.interval.end.timeIntervalSinceReferenceDate, unit: nil)
            self.times = times
            values.duration = times.duration
            named = times.values.map { Value(figures: $0, name: ValueNames.name(of: $0.value, of: type)) }
        }

        package static let fields: [AnswerField<Self>] =
            [
                .init("startDate") { Date(reference: $0.start) }, .init("endDate") { Date(reference: $0.end) },
            ] + AnswerField<Self>.members(of: \.cut) + AnswerField<Self>.members(of: \.values) + [
                .init("unit", \.unit), .init("sources", \.sources), .init("count", \.times?.count),
                .init("values", \.named),
            ]
    }

    /// The figures of one source.
    struct Source: AnswerObject, Sendable {
        let source: SourceRecord
        let values: StatisticsValues

        static let fields: [AnswerField<Self>] =
            [.init("source", \.source.name), .init("bundleIdentifier", \.source.bundleIdentifier)]
            + AnswerField.members(of: \.values)
    }

    /// How often and how long a category type had a value.
    struct Value: AnswerObject, Sendable {
        let figures: CategoryTimes.Value
        let name: String?

        static let fields: [AnswerField<Self>] = [
            .init("value", \.figures.value), .init("valueName", \.name), .init("count", \.figures.count),
            .init("duration", unit: "s", \.figures.duration),
        ]
    }

    /// The figures of a whole range.
    package struct Summary: AnswerObject, Sendable {
        package var figures: PeriodStatistics?
        var days: Int?
        /// The interval with the greatest sum.
        var highest: Statistic?
        /// The times of a category type.
        var times: Statistic?

        package static let fields: [AnswerField<Self>] = [
            .init("startDate") { $0.figures?.interval.start ?? $0.times.map { Date(reference: $0.start) } },
            .init("endDate") { $0.figures?.interval.end ?? $0.times.map { Date(reference: $0.end) } },
            .init("days", \.days), .init("daysWithData", unit: "d", \.figures?.daysWithData),
            .init("wholeDays", unit: "d", \.figures?.wholeDays), .init("total", \.figures?.total),
            .init("average", \.figures?.average), .init("standardDeviation", \.figures?.standardDeviation),
            .init("minimum", \.figures?.minimum), .init("maximum", \.figures?.maximum), .init("highest", \.highest),
            .init("duration", unit: "s", \.times?.times?.duration), .init("count", \.times?.times?.count),
            .init("values", \.times?.named),
        ]
    }

    /// The same type in another range.
    package struct Comparison: AnswerObject, Sendable {
        package let statistics: [Statistic]
        package let summary: Summary?
        private let figures: PeriodComparison?
        var coverage: AnswerCoverage?

        init(of answer: StatisticsAnswer, with other: StatisticsAnswer) {
            (statistics, summary) = (other.statistics, other.summary)
            figures = other.summary?.figures.flatMap { first in
                answer.summary?.figures.map { PeriodComparison(first: first, second: $0) }
            }
        }

        package static let fields: [AnswerField<Self>] = [
            .init("statistics", \.statistics), .init("summary", \.summary), .init("change", \.figures?.change),
            .init("relativeChange", unit: "fraction", \.figures?.relativeChange),
            .init("totalChange", \.figures?.totalChange),
            .init("relativeTotalChange", unit: "fraction", \.figures?.relativeTotalChange),
            .init("coverage", \.coverage),
        ]
    }
}

extension StatisticsAnswer {
    /// Whether the figures of a category type are seconds. Samples of the others are events, such as most symptoms.
    package var isTime: Bool { statistics.contains { ($0.times?.duration ?? 0) > 0 } }

    /// One figure of each statistic: the sum of a cumulative type, the average of a discrete one; of a category type the
    /// seconds asleep, stood or in all values, or the number of samples.
    package var figures: [Double?] {
        let isTime = isTime
        return statistics.map { statistic in
            guard let times = statistic.times else { return statistic.values.sum ?? statistic.values.average }
            let counted: Set<Int>? =
                switch type.identifier {
                case HKCategoryTypeIdentifier.sleepAnalysis.rawValue:
                    Set(SleepStage.allCases.filter(\.isAsleep).map(\.value.rawValue))
                case HKCategoryTypeIdentifier.appleStandHour.rawValue: [HKCategoryValueAppleStandHour.stood.rawValue]
                default: nil
                }
            let values = times.values.filter { counted?.contains($0.value) ?? true }
            return isTime ? values.reduce(0) { $0 + $1.duration } : Double(values.reduce(0) { $0 + $1.count })
        }
    }

    /// Keeps the intervals with a sum or maximum of at least `above` and a sum or minimum below `below`.
    mutating func select(above: Double?, below: Double?, now: Double) {
        let all = zip(statistics, figures)
        let total = statistics.count
        statistics = all.filter { statistic, figure in
            let (least, greatest) = (
                statistic.values.minimum ?? figure ?? .nan, statistic.values.maximum ?? figure ?? .nan
            )
            // The sum of today can still reach the number.
            let isOver = statistic.values.sum == nil || statistic.end <= now
            return (above.map { greatest >= $0 } ?? true) && (below.map { least < $0 && isOver } ?? true)
        }.map(\.0)
        let streaks = statistics.reduce(into: [Streak]()) { streaks, statistic in
            let follows = streaks.last.map { statistic.start <= $0.end } ?? false
            let before = follows ? streaks.removeLast() : Streak(start: statistic.start, end: statistic.end, count: 0)
            streaks.append(Streak(start: before.start, end: statistic.end, count: before.count + 1))
        }
        let present = intervals?.intervals.bounds(from: now, through: now, maximumCount: 2)?.first ?? now
        matches = Matches(
            count: statistics.count, total: total,
            longest: streaks.max { ($0.count, $1.start) < ($1.count, $0.start) },
            current: streaks.last.flatMap { $0.end >= present ? $0.count : nil } ?? 0)
    }

    /// Intervals that were selected by their figures.
    package struct Matches: AnswerObject, Sendable {
        package let count: Int
        /// The number of intervals with data.
        package let total: Int
        package let longest: Streak?
        /// The number of intervals until the present one; or until the one before it, if the present one isn't selected.
        package let current: Int

        package static let fields: [AnswerField<Self>] = [
            .init("count", \.count), .init("total", \.total), .init("longestStreak", \.longest),
            .init("currentStreak", \.current),
        ]
    }

    /// Intervals that follow each other, in seconds since 2001.
    package struct Streak: AnswerObject, Sendable {
        package let start, end: Double
        package let count: Int

        package static let fields: [AnswerField<Self>] = [
            .init("startDate") { Date(reference: $0.start) }, .init("endDate") { Date(reference: $0.end) },
            .init("count", \.count),
        ]
    }

    /// The statistics of a second type in the same intervals.
    package struct Second: AnswerObject, Sendable {
        package let type: TypeDescription
        package let unit: String?
        package let statistics: [Statistic]
        let summary: Summary?
        let comparison: Comparison?
        /// The figures of both types, in the intervals that both have.
        package let pairs: [(statistic: Statistic, first: Double, second: Double)]

        init(of first: StatisticsAnswer, with answer: StatisticsAnswer) {
            (type, unit, statistics) = (answer.type, answer.unit, answer.statistics)
            (summary, comparison) = (answer.summary, answer.comparison)
            let known = Dictionary(zip(statistics.map(\.start), answer.figures)) { first, _ in first }
            pairs = zip(first.statistics, first.figures).compactMap { statistic, figure in
                guard let figure, let other = known[statistic.start] ?? nil else { return nil }
                return (statistic, figure, other)
            }
        }

        /// The correlation of both; `nil` if there are too few pairs.
        package var correlation: Double? { Correlation.coefficient(pairs.map { ($0.first, $0.second) }) }

        package static let fields: [AnswerField<Self>] = [
            .init("type", \.type.identifier), .init("unit", \.unit), .init("statistics", \.statistics),
            .init("correlation", \.correlation), .init("pairs", \.pairs.count), .init("summary", \.summary),
            .init("comparison", \.comparison),
        ]
    }
}

extension StatisticsValues: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("sumQuantity", \.sum), .init("averageQuantity", \.average), .init("minimumQuantity", \.minimum),
        .init("maximumQuantity", \.maximum), .init("mostRecentQuantity", \.mostRecent?.value),
        .init("mostRecentQuantityDateInterval", \.mostRecent), .init("duration", unit: "s", \.duration),
    ]

    fileprivate func converted(by conversion: UnitConversion) -> StatisticsValues {
        var values = self
        values.sum = sum.map { conversion($0) }
        values.average = average.map { conversion($0) }
        values.minimum = minimum.map { conversion($0) }
        values.maximum = maximum.map { conversion($0) }
        values.mostRecent?.value = conversion(mostRecent?.value ?? 0)
        return values
    }
}

extension StatisticsValues.Recent: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("startDate") { Date(reference: $0.start) }, .init("endDate") { Date(reference: $0.end) },
    ]
}
