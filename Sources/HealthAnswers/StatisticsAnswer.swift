import Foundation
package import HealthEngine
package import HealthInsights
package import HealthModel

/// Statistics with HealthKit's property names: plain numbers in one unit, or the times of a category type.
package struct StatisticsAnswer: AnswerObject, Sendable {
    package let type: TypeDescription
    /// The unit of every figure; `nil` for a category type.
    package let unit: String?
    package let intervals: StatisticsIntervals?
    /// In ascending order. Without intervals, one or none.
    package var statistics: [Statistic] = []
    /// The figures of the whole range, if they were asked for.
    package var summary: Summary?
    package var comparison: Comparison?

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
        package var figures: PeriodFigures?
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
        let statistics: [Statistic]
        package let summary: Summary?
        private let figures: PeriodComparison?

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
