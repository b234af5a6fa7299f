import Foundation
import HealthEngine
package import HealthInsights
import HealthKit
import HealthModel

/// The last days of quantity types against a baseline, and this week against the last one; or two ranges compared.
package struct TrendsQuestion: Question {
    private static let maximumSeconds = 40_000.0 * 86_400

    /// The types, with those of HealthKit that may be read.
    private let types: [(identifier: String, readable: HKQuantityType?)]
    private let unit: HKUnit?
    private let recentDays: Int
    private let baselineDays: Int
    private let ranges: (first: DateInterval, second: DateInterval)?
    private let calendar: Calendar

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        let unit = try parameters.unit("unit")
        guard let named = try parameters.types("type", try setting.engine.dictionaries()) else {
            throw ParameterError("type", "This parameter is required.")
        }
        types = try named.map { type in
            guard type.kind == .quantity else {
                throw QueryParameters.problem("type", type.shortName, "has no trend: it is not a quantity type.")
            }
            if let unit, let canonical = type.canonicalUnit, UnitConversion(between: canonical, and: unit) == nil {
                throw QueryParameters.problem("unit", unit, "is not a unit of \(type.shortName).")
            }
            let isReadable = try !setting.engine.readable([type], as: setting.caller).isEmpty
            // A type that only the store knows, such as HKDataTypeSleepDurationGoal, has no trend.
            return (
                type.identifier,
                isReadable ? HKObjectType.quantityType(forIdentifier: .init(rawValue: type.identifier)) : nil
            )
        }
        self.unit = unit.map { HKUnit(from: $0) }
        recentDays = try parameters.integer(.recentDays) ?? 7
        baselineDays = try parameters.integer(.baselineDays) ?? 28
        calendar = try setting.withFirstWeekday(&parameters).calendar
        let bounds = try ["start", "end", "compareStart", "compareEnd"].map {
            try parameters.instant($0, setting.timeZone)
        }
        let given = bounds.compactMap { $0 }
        guard given.count == bounds.count else {
            guard given.isEmpty else {
                throw ParameterError("compareStart", "Give start, end, compareStart and compareEnd, or none of them.")
            }
            ranges = nil
            return
        }
        func interval(_ index: Int) throws -> DateInterval {
            guard given[index] < given[index + 1], given[index + 1] - given[index] <= Self.maximumSeconds else {
                throw ParameterError("end", "A range ends before it starts, or is longer than a century.")
            }
            return DateInterval(start: Date(reference: given[index]), end: Date(reference: given[index + 1]))
        }
        ranges = (try interval(2), try interval(0))
    }

    package func answer(_ context: some QuestionContext) async throws -> TrendsAnswer {
        let reader = TrendReader(store: context.healthStore(calendar: calendar), calendar: calendar)
        var answer = TrendsAnswer()
        for (identifier, readable) in types {
            var part = TrendsAnswer.Part(type: identifier)
            if let type = readable, let ranges {
                part.comparison = try await reader.comparison(of: type, ranges.first, with: ranges.second, unit: unit)
            } else if let type = readable {
                part.trend = try await reader.trend(
                    of: type, asOf: context.now, recentDays: recentDays, baselineDays: baselineDays, unit: unit)
                part.week = try await reader.weekComparison(of: type, asOf: context.now, unit: unit)
            }
            answer.trends.append(part)
        }
        return answer
    }
}

/// The trends of types, in the order in which they were asked for.
package struct TrendsAnswer: AnswerObject, Sendable {
    fileprivate(set) var trends: [Part] = []

    package static let fields: [AnswerField<Self>] = [.init("trends", \.trends)]

    /// The trend of a type.
    struct Part: AnswerObject, Sendable {
        let type: String
        var trend: Trend?
        var week: WeekComparison?
        var comparison: PeriodComparison?

        static let fields: [AnswerField<Self>] = [
            .init("type", \.type), .init("unit") { ($0.trend?.unit ?? $0.comparison?.second.unit)?.unitString },
            .init("trend", \.trend), .init("week", \.week), .init("comparison", \.comparison),
        ]
    }
}

extension Trend: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("direction") { "\($0.direction)" }, .init("change", \.change),
        .init("relativeChange", unit: "fraction", \.relativeChange),
        .init("standardizedChange", unit: "standard deviations", \.standardizedChange), .init("recent", \.recent),
        .init("baseline", \.baseline),
        .init("values", \.days),
    ]
}

extension WeekComparison: AnswerObject {
    package static let fields: [AnswerField<Self>] =
        AnswerField.members(of: \.comparison) + [.init("previousWeek", \.previousWeek)]
}

extension PeriodComparison: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("change", \.change), .init("relativeChange", unit: "fraction", \.relativeChange),
        .init("totalChange", \.totalChange),
        .init("relativeTotalChange", unit: "fraction", \.relativeTotalChange), .init("first", \.first),
        .init("second", \.second),
    ]
}

extension PeriodStatistics: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("startDate", \.interval.start), .init("endDate", \.interval.end), .init("days", unit: "d", \.dayCount),
        .init("daysWithData", unit: "d", \.daysWithData), .init("wholeDays", unit: "d", \.wholeDays),
        .init("total", \.total), .init("average", \.average),
        .init("standardDeviation", \.standardDeviation), .init("minimum", \.minimum), .init("maximum", \.maximum),
    ]
}

extension DailyValue: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("startDate", \.date), .init("value", \.value), .init("minimum", \.minimum), .init("maximum", \.maximum),
    ]
}
