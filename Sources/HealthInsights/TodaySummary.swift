public import Foundation
public import HealthKit

/// What a day looks like so far, each part beside the person's own last four weeks.
public struct TodaySummary: Sendable {
    /// The time the summary is of.
    public var date: Date
    /// The day, from midnight to midnight.
    public var day: DateInterval
    /// The activity rings; `nil` if the day has none.
    public var rings: TodayRings?
    /// Energy consumed and burned.
    public var energy: TodayEnergy
    /// The steps; the value is `nil` if none were recorded today.
    public var steps: TodayQuantity
    /// The heart rate; `nil` if none was recorded today.
    public var heartRate: TodayHeartRate?
    /// The night from which the person woke today, with naps; `nil` if none was recorded.
    public var sleep: SleepNight?
    /// The averages of the nights of the four weeks before today.
    public var sleepReference: SleepAverages
    /// The latest workout of any day; `nil` if there is none.
    public var workout: WorkoutSummary?
    /// The sums of the workouts of the four weeks before today.
    public var workoutReference: WorkoutFigures

    /// The number of days before today that references are calculated from.
    public static let referenceDays = 28
}

/// The activity rings of a day.
public struct TodayRings: Hashable, Sendable {
    /// Whether the Move ring measures energy or time.
    public var moveMode: HKActivityMoveMode
    /// Active energy, or move time if that is the mode.
    public var move: HKQuantity
    /// The goal of the Move ring; `nil` if there is none.
    public var moveGoal: HKQuantity?
    /// Exercise time.
    public var exercise: HKQuantity
    /// The goal of the Exercise ring; `nil` if there is none.
    public var exerciseGoal: HKQuantity?
    /// Hours in which the person stood, as a count.
    public var stand: HKQuantity
    /// The goal of the Stand ring; `nil` if there is none.
    public var standGoal: HKQuantity?
    /// The shares of the goals.
    public var progress: RingProgress
    /// The rings of the four weeks before; `nil` if there are none.
    public var reference: RingsReference?

    /// Returns the rings in an activity summary.
    public init(_ summary: HKActivitySummary, reference: RingsReference? = nil) {
        let isTime = summary.activityMoveMode == .appleMoveTime
        moveMode = summary.activityMoveMode
        move = isTime ? summary.appleMoveTime : summary.activeEnergyBurned
        moveGoal = Self.goal(
            isTime ? summary.appleMoveTimeGoal : summary.activeEnergyBurnedGoal, isTime ? .minute() : .kilocalorie())
        exercise = summary.appleExerciseTime
        exerciseGoal = Self.goal(summary.exerciseTimeGoal ?? summary.appleExerciseTimeGoal, .minute())
        stand = summary.appleStandHours
        standGoal = Self.goal(summary.standHoursGoal ?? summary.appleStandHoursGoal, .count())
        progress = RingProgress(summary)
        self.reference = reference
    }

    private static func goal(_ goal: HKQuantity, _ unit: HKUnit) -> HKQuantity? {
        goal.doubleValue(for: unit) > 0 ? goal : nil
    }
}

/// The activity rings of several days.
public struct RingsReference: Hashable, Sendable {
    /// The number of days with rings.
    public let days: Int
    /// The average of the Move ring in kilocalories, or minutes if it measures time.
    public let move: Double
    /// The average of the Exercise ring in minutes.
    public let exercise: Double
    /// The average of the Stand ring in hours.
    public let stand: Double
    /// The number of days on which all three goals were reached.
    public let daysClosed: Int

    /// Calculates the averages of the summaries with the move mode of the last one; `nil` without summaries.
    public init?(_ summaries: [HKActivitySummary]) {
        guard let mode = summaries.last?.activityMoveMode else { return nil }
        let summaries = summaries.filter { $0.activityMoveMode == mode }
        func mean(_ value: (HKActivitySummary) -> Double) -> Double {
            summaries.reduce(0) { $0 + value($1) } / Double(summaries.count)
        }
        days = summaries.count
        move = mean {
            mode == .appleMoveTime
                ? $0.appleMoveTime.doubleValue(for: .minute()) : $0.activeEnergyBurned.doubleValue(for: .kilocalorie())
        }
        exercise = mean { $0.appleExerciseTime.doubleValue(for: .minute()) }
        stand = mean { $0.appleStandHours.doubleValue(for: .count()) }
        daysClosed =
            summaries.filter { summary in
                let progress = RingProgress(summary)
                return [progress.move, progress.exercise, progress.stand].allSatisfy { $0 ?? 0 >= 1 }
            }.count
    }
}

/// The energy balance of a day so far.
public struct TodayEnergy: Sendable {
    /// Consumed, active, resting and net energy until now. Resting energy grows with the day.
    public var balance: EnergyBalance
    /// The consumed energy of the days before, in kilocalories.
    public var consumedReference: DailyReference
    /// The active energy of the days before, in kilocalories.
    public var activeReference: DailyReference

    /// Creates the energy of a day.
    public init(balance: EnergyBalance, consumedReference: DailyReference, activeReference: DailyReference) {
        self.balance = balance
        self.consumedReference = consumedReference
        self.activeReference = activeReference
    }
}

/// The sum of a cumulative type on a day so far.
public struct TodayQuantity: Hashable, Sendable {
    /// The sum in ``unit``; `nil` without samples.
    public var value: Double?
    /// The unit of the value and of the reference.
    public var unit: HKUnit
    /// The days before.
    public var reference: DailyReference

    /// Creates a sum.
    public init(value: Double?, unit: HKUnit, reference: DailyReference) {
        self.value = value
        self.unit = unit
        self.reference = reference
    }
}

/// The heart rate of a day so far, in beats per minute.
public struct TodayHeartRate: Hashable, Sendable {
    /// The latest heart rate.
    public var latest: Double
    /// The end of the latest sample.
    public var latestDate: Date
    /// The average.
    public var average: Double
    /// The minimum.
    public var minimum: Double
    /// The maximum.
    public var maximum: Double
    /// The average of the resting heart rate today; `nil` if none was recorded.
    public var resting: Double?
    /// The heart rate of the days before.
    public var reference: DailyReference
    /// The resting heart rate of the days before.
    public var restingReference: DailyReference

    /// Creates the heart rate of a day.
    public init(
        latest: Double, latestDate: Date, average: Double, minimum: Double, maximum: Double, resting: Double?,
        reference: DailyReference, restingReference: DailyReference
    ) {
        self.latest = latest
        self.latestDate = latestDate
        self.average = average
        self.minimum = minimum
        self.maximum = maximum
        self.resting = resting
        self.reference = reference
        self.restingReference = restingReference
    }
}
