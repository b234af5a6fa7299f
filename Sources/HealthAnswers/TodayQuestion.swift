package import Foundation
import HealthEngine
package import HealthInsights
import HealthKit
import HealthModel
import HealthImport

/// Today so far, each part beside the person's last four weeks.
package struct TodayQuestion: Question {
    private let sleep: SleepSources
    private let calendar: Calendar
    private let units: WorkoutUnits
    /// The last moment of an earlier day.
    private let end: Date?

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        sleep = try SleepSources(&parameters, setting)
        calendar = setting.calendar
        units = try WorkoutUnits(setting)
        let clock = LocalClock(timeZone: setting.timeZone)
        end = try parameters.instant("day", setting.timeZone).map {
            Date(reference: SummaryDay(number: clock.dayNumber(at: $0), in: clock).end.nextDown)
        }
    }

    package func answer(_ context: some QuestionContext) async throws -> TodayAnswer {
        let reader = TodayReader(
            store: context.healthStore(calendar: calendar), calendar: calendar, energyUnit: units.energy,
            sleepReader: sleep.reader(context))
        let now = min(context.now, end ?? context.now)
        var answer = TodayAnswer(now: now, units: units, calendar: calendar)
        answer.summary = try await context.silently(nil) { try await reader.summary(now: now) }
        if answer.summary?.isEmpty ?? true {
            answer.isEmpty = try await context.read { engine, caller in try engine.typeOverview(as: caller).isEmpty }
        }
        return answer
    }
}

/// Today so far.
package struct TodayAnswer: AnswerObject, Sendable {
    let now: Date
    /// The units of workouts.
    package let units: WorkoutUnits
    package let calendar: Calendar
    /// The figures; `nil` if the caller was never asked about the types.
    package fileprivate(set) var summary: TodaySummary?
    /// Whether the store has nothing that the caller may read.
    fileprivate(set) var isEmpty = false

    package static let fields: [AnswerField<Self>] = [
        .init("date") { AnswerDay(of: $0.now, $0.calendar) },
        .init("now", \.now), .init("startDate", \.summary?.day.start), .init("endDate", \.summary?.day.end),
        .init("isEmpty", \.isEmpty),
        .init("latestDate") { answer in answer.summary?.latestDate.map { AnswerDay(of: $0, answer.calendar) } },
        .init("rings") { answer in
            answer.summary.map { TodayRingsAnswer(rings: $0.rings, unit: answer.units.energy) }
        },
        .init("energy") { answer in
            answer.summary.map { TodayEnergyAnswer(energy: $0.energy, unit: answer.units.energy) }
        },
        .init("steps", \.summary?.steps), .init("heartRate", \.summary?.heartRate),
        .init("sleep") { $0.summary?.sleep.map { NightAnswer(night: $0) } },
        .init("sleepReference") { $0.summary.map { SleepReference(averages: $0.sleepReference, night: $0.sleep) } },
        .init("workout") { answer in
            answer.summary?.workout.map { WorkoutAnswer(summary: $0, units: answer.units) }
        },
        .init("workoutReference") { answer in
            answer.summary.map {
                WorkoutReference(
                    figures: WorkoutFiguresAnswer(figures: $0.workoutReference, units: answer.units),
                    workout: $0.workout)
            }
        },
    ]
}

/// Rings in the person's unit of energy.
struct TodayRingsAnswer: AnswerObject {
    let rings: TodayRings
    let unit: HKUnit

    static let fields: [AnswerField<Self>] = [
        .init("today") { answer in answer.rings.today.map { DayRingsAnswer(day: $0, unit: answer.unit) } },
        .init("week") { answer in answer.rings.week.map { DayRingsAnswer(day: $0, unit: answer.unit) } },
        .init("reference", \.rings.reference),
    ]
}

/// Energy in the person's unit.
struct TodayEnergyAnswer: AnswerObject {
    let energy: TodayEnergy
    let unit: HKUnit

    static let fields: [AnswerField<Self>] =
        AnswerField.members { EnergyBalanceAnswer(balance: $0.energy.balance, unit: $0.unit) } + [
            .init("consumedReference") {
                Reference($0.energy.consumedReference, $0.energy.balance.consumed.doubleValue(for: $0.unit))
            },
            .init("activeReference") {
                Reference($0.energy.activeReference, $0.energy.balance.active.doubleValue(for: $0.unit))
            },
        ]
}

extension TodayQuantity: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("quantity", \.value), .init("unit", \.unit.unitString), .init("hours", \.hours),
        .init("averageHours", \.averageHours), .init("reference") { Reference($0.reference, $0.value) },
    ]
}

extension TodayHeartRate: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("latest", \.latest), .init("latestDate", \.latestDate), .init("average", \.average),
        .init("minimum", \.minimum), .init("maximum", \.maximum), .init("resting", \.resting),
        .init("unit") { _ in "count/min" }, .init("intervals", \.intervals),
        .init("reference") { Reference($0.reference, $0.average) },
        .init("restingReference") { Reference($0.restingReference, $0.resting) },
    ]
}

/// The days before today, and how today differs from them.
struct Reference: AnswerObject {
    let reference: DailyReference
    /// Today's value less the average of the days until the same time, or of whole days where that is unknown.
    let change: Double?
    let relativeChange: Double?

    init(_ reference: DailyReference, _ value: Double?) {
        self.reference = reference
        (change, relativeChange) = Self.changes(value, reference.averageByNow ?? reference.average)
    }

    static func changes(_ value: Double?, _ usual: Double?) -> (Double?, Double?) {
        guard let value, let usual else { return (nil, nil) }
        return (value - usual, usual == 0 ? nil : (value - usual) / abs(usual))
    }

    static let fields: [AnswerField<Self>] =
        AnswerField.members(of: \.reference.figures) + [
            .init("averageByNow", \.reference.averageByNow), .init("unit", \.reference.figures.unit.unitString),
            .init("change", \.change), .init("relativeChange", unit: "fraction", \.relativeChange),
        ]
}

/// The nights before, and how the last one differs from them.
struct SleepReference: AnswerObject {
    let averages: SleepAverages
    let night: SleepNight?

    private var changes: (change: Double?, relativeChange: Double?) {
        Reference.changes(night?.timeAsleep, averages.timeAsleep)
    }

    static let fields: [AnswerField<Self>] =
        AnswerField.members(of: \.averages) + [
            .init("change", unit: "s") { $0.changes.change },
            .init("relativeChange", unit: "fraction") { $0.changes.relativeChange },
        ]
}

/// The workouts before, and how the latest one differs from them.
struct WorkoutReference: AnswerObject {
    let figures: WorkoutFiguresAnswer
    let workout: WorkoutSummary?

    private var changes: (change: Double?, relativeChange: Double?) {
        Reference.changes(workout?.duration, figures.figures.averageDuration)
    }

    static let fields: [AnswerField<Self>] =
        AnswerField.members(of: \.figures) + [
            .init("change", unit: "s") { $0.changes.change },
            .init("relativeChange", unit: "fraction") { $0.changes.relativeChange },
        ]
}
