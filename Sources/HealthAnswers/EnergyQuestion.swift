import Foundation
import HealthEngine
package import HealthInsights
package import HealthKit
import HealthModel

/// The energy consumed and burned on days.
package struct EnergyQuestion: Question {
    private static let maximumDays = 366

    private let range: DayRange
    private let unit: HKUnit
    private let calendar: Calendar
    private let intervals: AnswerIntervals?

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        range = try DayRange(&parameters, setting, maximum: Self.maximumDays)
        unit = try setting.energyUnit()
        calendar = setting.calendar
        intervals = try AnswerIntervals(&parameters, .intervalOfDays, setting)
    }

    package func answer(_ context: some QuestionContext) async throws -> EnergyAnswer {
        let reader = EnergyBalanceReader(store: context.healthStore(calendar: calendar), calendar: calendar)
        let zero = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
        let none = EnergyBalance(consumed: zero, active: zero, resting: nil, missing: EnergyBalance.Missing.allCases)
        var answer = EnergyAnswer(unit: unit, intervals: intervals)
        for day in range.days where day.start <= context.now.timeIntervalSinceReferenceDate {
            let (start, end) = (Date(reference: day.start), Date(reference: day.end))
            // The balance of a day that is over is that of its last instant.
            let moment = min(context.now, Date(reference: day.end.nextDown))
            answer.days.append(
                EnergyAnswer.Day(
                    day: DateComponents(year: day.day.year, month: day.day.month, day: day.day.day), start: start,
                    end: min(context.now, end), unit: unit,
                    balance: try await context.silently(none) { try await reader.balance(now: moment) }))
        }
        return answer
    }
}

/// The energy consumed and burned on days, in ascending order.
package struct EnergyAnswer: AnswerObject, Sendable {
    /// The person's unit.
    package let unit: HKUnit
    /// The intervals whose averages are wanted in place of days.
    let intervals: AnswerIntervals?
    package fileprivate(set) var days: [Day] = []

    package static let fields: [AnswerField<Self>] = [
        .init("days") { $0.intervals == nil ? $0.days : nil },
        .init("intervals") { answer in
            answer.intervals?.groups(of: answer.days, by: \.day).map {
                Interval(interval: $0, days: $1, unit: answer.unit)
            }
        },
    ]

    /// The averages of the days of a longer interval.
    struct Interval: AnswerObject {
        let interval: DateInterval
        let days: [Day]
        let unit: HKUnit

        private func average(_ figure: (EnergyBalance) -> HKQuantity?) -> QuantityRecord? {
            // Zero is a day without entries.
            let known = days.compactMap { figure($0.balance)?.doubleValue(for: unit) }.filter { $0 != 0 }
            return known.mean.map { QuantityRecord($0, unit: unit.unitString) }
        }

        static let fields: [AnswerField<Self>] = [
            .init("startDate", \.interval.start), .init("endDate", \.interval.end), .init("count", \.days.count),
            .init("consumed") { $0.average(\.consumed) }, .init("active") { $0.average(\.active) },
            .init("resting") { $0.average(\.resting) }, .init("burned") { $0.average(\.burned) },
            .init("net") { $0.average(\.net) },
        ]
    }

    package struct Day: AnswerObject, Sendable {
        let day: DateComponents
        let start: Date
        let end: Date
        let unit: HKUnit
        package let balance: EnergyBalance

        package static let fields: [AnswerField<Self>] =
            [
                .init("date") { AnswerDay($0.day) }, .init("startDate", \.start), .init("endDate", \.end),
            ] + AnswerField.members { EnergyBalanceAnswer(balance: $0.balance, unit: $0.unit) }
    }
}

/// A balance in the person's unit.
struct EnergyBalanceAnswer: AnswerObject {
    let balance: EnergyBalance
    let unit: HKUnit

    static let fields: [AnswerField<Self>] = [
        .init("consumed") { $0.balance.consumed.record(in: $0.unit) },
        .init("active") { $0.balance.active.record(in: $0.unit) },
        .init("resting") { $0.balance.resting?.record(in: $0.unit) },
        .init("burned") { $0.balance.burned?.record(in: $0.unit) },
        .init("net") { $0.balance.net?.record(in: $0.unit) },
        .init("missing") { $0.balance.missing.map(\.rawValue) },
    ]
}
