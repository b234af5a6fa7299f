public import HealthKit

/// How much of each goal of a day is reached; 1 is all of it, and there may be more.
public struct RingProgress: Hashable, Sendable {
    /// Share of the move ring's goal, in energy or time as the person chose.
    public var move: Double
    /// Share of the exercise ring's goal.
    public var exercise: Double
    /// Share of the stand ring's goal.
    public var stand: Double

    /// The shares of a summary. A goal of zero gives a share of zero, not a division by it.
    public init(_ summary: HKActivitySummary) {
        move =
            summary.activityMoveMode == .appleMoveTime
            ? Self.share(summary.appleMoveTime, summary.appleMoveTimeGoal, .minute())
            : Self.share(summary.activeEnergyBurned, summary.activeEnergyBurnedGoal, .kilocalorie())
        exercise = Self.share(summary.appleExerciseTime, summary.exerciseTimeGoal, .minute())
        stand = Self.share(summary.appleStandHours, summary.standHoursGoal, .count())
    }

    private static func share(_ value: HKQuantity, _ goal: HKQuantity?, _ unit: HKUnit) -> Double {
        guard let goal = goal?.doubleValue(for: unit), goal > 0 else { return 0 }
        return value.doubleValue(for: unit) / goal
    }
}
