package import Foundation
import HealthEngine
package import HealthInsights
import HealthKit
import HealthModel

/// What today looks like so far, each part beside the person's last four weeks.
package struct TodayQuestion: Question {
    package static let about = QuestionDescription(
        path: "today", tool: "get_today", group: "Insights", title: "Today",
        summary:
            "Today's rings, energy, steps, heart rate, last night and latest workout, each against the last four weeks.",
        parameters: [.timeZone])

    private let sleep: SleepSources
    private let calendar: Calendar
    private let units: WorkoutUnits

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        sleep = try SleepSources(&parameters, setting)
        calendar = setting.calendar
        units = try WorkoutUnits(setting)
    }

    package func answer(_ context: some QuestionContext) async throws -> TodayAnswer {
        let reader = TodayReader(
            store: context.healthStore(calendar: calendar), calendar: calendar, sleepReader: sleep.reader(context))
        var answer = TodayAnswer(now: context.now, units: units, calendar: calendar)
        answer.summary = try await context.silently(nil) { try await reader.summary(now: context.now) }
        if answer.summary?.isEmpty ?? true {
            answer.isEmpty = try await context.read { engine, caller in try engine.typeOverview(as: caller).isEmpty }
        }
        return answer
    }
}

/// What today looks like so far.
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
        .init("date") { AnswerDay($0.calendar.dateComponents([.year, .month, .day], from: $0.now)) },
        .init("now", \.now), .init("startDate", \.summary?.day.start), .init("endDate", \.summary?.day.end),
        .init("isEmpty", \.isEmpty), .init("rings", \.summary?.rings), .init("energy", \.summary?.energy),
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

extension TodayRings: AnswerObject {
    package static let fields: [AnswerField<Self>] = [
        .init("today", \.today), .init("week", \.week), .init("reference", \.reference),
    ]
}

extension TodayEnergy: AnswerObject {
    package static let fields: [AnswerField<Self>] =
        AnswerField.members(of: \.balance) + [
            .init("consumedReference") {
                Reference($0.consumedReference, $0.balance.consumed.doubleValue(for: .kilocalorie()))
            },
            .init("activeReference") {
                Reference($0.activeReference, $0.balance.active.doubleValue(for: .kilocalorie()))
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
            .init("change", \.change), .init("relativeChange", \.relativeChange),
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
            .init("change") { $0.changes.change }, .init("relativeChange") { $0.changes.relativeChange },
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
            .init("change") { $0.changes.change }, .init("relativeChange") { $0.changes.relativeChange },
        ]
}
