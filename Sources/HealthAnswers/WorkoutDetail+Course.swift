import Foundation
import HealthFormats
import HealthInsights
import HealthKit
import HealthModel

// How a workout went over its time, and beside earlier ones.

extension WorkoutDetail {
    /// A lap or a leg, in the person's units.
    struct Lap: AnswerObject {
        let lap: WorkoutLap
        let units: WorkoutUnits
        let activity: HKWorkoutActivityType

        static let fields: [AnswerField<Self>] = [
            .init("number", \.lap.number),
            .init("workoutActivityTypeName") { $0.lap.activityType.flatMap { ValueNames.activity($0.rawValue) } },
            .init("startDate", \.lap.start), .init("endDate", \.lap.end),
            .init("duration", unit: "s", \.lap.duration), .init("distance") { $0.units.distance($0.lap.meters) },
            .init("pace") { $0.units.pace($0.lap.pace, of: $0.lap.activityType ?? $0.activity) },
            .init("speed") { $0.units.speed($0.lap.speed) },
            .init("averageHeartRate", unit: "count/min", \.lap.averageHeartRate),
        ]
    }

    /// A set of a strength workout.
    struct SetAnswer: AnswerObject {
        let set: WorkoutSet

        static let fields: [AnswerField<Self>] = [
            .init("number", \.set.number), .init("startDate", \.set.start), .init("endDate", \.set.end),
            .init("duration", unit: "s") { $0.set.end.timeIntervalSince($0.set.start) },
            .init("exercise", \.set.exercise), .init("repetitions", \.set.repetitions),
            .init("weight", unit: "kg", \.set.kilograms),
        ]
    }

    /// A figure over the time of the workout, in the person's units.
    struct Curve: AnswerObject {
        let curve: WorkoutCurve
        let start: Date
        let units: WorkoutUnits
        let activity: HKWorkoutActivityType

        static let fields: [AnswerField<Self>] = [
            .init("figure") { $0.isPace ? "pace" : "\($0.curve.figure)" }, .init("unit") { $0.converted(1).unit },
            .init("average") { $0.converted($0.curve.average).value },
            .init("minimum") { curve in curve.values.min() ?? 0 },
            .init("maximum") { curve in curve.values.max() ?? 0 },
            .init("points") { curve in
                curve.curve.points.map {
                    Point(
                        time: $0.start.timeIntervalSince(curve.start), value: curve.converted($0.value).value,
                        isPrecededByGap: $0.isPrecededByGap)
                }
            },
        ]

        /// Whether a speed is written as a pace.
        private var isPace: Bool { activity.hasPace && curve.figure == .speed }
        private var values: [Double] { curve.points.map { converted($0.value).value } }

        private func converted(_ value: Double) -> QuantityRecord {
            switch curve.figure {
            case .speed:
                units.pace(1_000 / value, of: activity) ?? units.speed(value) ?? QuantityRecord(value, unit: "")
            case .heartRate, .cadence: QuantityRecord(value, unit: "count/min")
            case .elevation: HKQuantity(unit: .meter(), doubleValue: value).record(in: units.elevation)
            case .power: QuantityRecord(value, unit: "W")
            }
        }
    }

    /// A point of a curve.
    struct Point: AnswerObject {
        /// Seconds since the start of the workout.
        let time: Double
        let value: Double
        let isPrecededByGap: Bool

        static let fields: [AnswerField<Self>] = [
            .init("time", unit: "s") { ($0.time * 10).rounded() / 10 },
            .init("value") { ($0.value * 1_000).rounded() / 1_000 },
            .init("precededByGap") { $0.isPrecededByGap ? true : nil },
        ]
    }

    /// The workouts of the same type before this one, and how this one differs from their average.
    struct Earlier: AnswerObject, Sendable {
        let workout: WorkoutSummary
        let workouts: [WorkoutSummary]
        let units: WorkoutUnits

        static let fields: [AnswerField<Self>] = [
            .init("count", \.workouts.count),
            .init("averageDuration", unit: "s", \.figures.averageDuration),
            .init("durationChange", unit: "s") { earlier in
                earlier.figures.averageDuration.map { earlier.workout.duration - $0 }
            },
            .init("averageDistance") { $0.units.distance($0.average(\.meters)) },
            .init("distanceChange") { $0.units.distance($0.change(\.meters)) },
            .init("averagePace") { $0.units.pace($0.average(\.pace), of: $0.workout.activityType) },
            .init("paceChange") { $0.units.pace($0.change(\.pace), of: $0.workout.activityType) },
            .init("averageSpeed") { $0.units.speed($0.average(\.speed)) },
            .init("speedChange") { $0.units.speed($0.change(\.speed)) },
            .init("averageHeartRate", unit: "count/min") { $0.average(\.averageHeartRate) },
            .init("heartRateChange", unit: "count/min") { $0.change(\.averageHeartRate) },
            .init("workouts") { earlier in
                earlier.workouts.map { WorkoutAnswer(summary: $0, units: earlier.units) }
            },
        ]

        private var figures: WorkoutFigures { WorkoutFigures(workouts) }

        /// The average of the workouts whose figure is known.
        private func average(_ figure: (WorkoutSummary) -> Double?) -> Double? {
            workouts.compactMap(figure).mean
        }

        private func change(_ figure: (WorkoutSummary) -> Double?) -> Double? {
            average(figure).flatMap { average in figure(workout).map { $0 - average } }
        }
    }
}
