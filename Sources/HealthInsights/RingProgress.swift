public import HealthKit

/// The progress of the three activity rings of a day, as shares of their goals: 1 is a closed ring, and a share may be
/// greater. `nil` is an empty ring; see ``share(of:goal:)``.
public struct RingProgress: Hashable, Sendable {
    /// The share of the Move goal, in energy or time depending on the move mode.
    public var move: Double?
    /// The share of the Exercise goal.
    public var exercise: Double?
    /// The share of the Stand goal.
    public var stand: Double?

    /// Creates progress from shares; without any, all rings are empty.
    public init(move: Double? = nil, exercise: Double? = nil, stand: Double? = nil) {
        self.move = move
        self.exercise = exercise
        self.stand = stand
    }

    /// Returns the progress in an activity summary.
    public init(_ summary: HKActivitySummary) {
        move =
            summary.activityMoveMode == .appleMoveTime
            ? Self.share(of: summary.appleMoveTime, goal: summary.appleMoveTimeGoal, in: .minute())
            : Self.share(of: summary.activeEnergyBurned, goal: summary.activeEnergyBurnedGoal, in: .kilocalorie())
        exercise = Self.share(
            of: summary.appleExerciseTime, goal: summary.exerciseTimeGoal ?? summary.appleExerciseTimeGoal,
            in: .minute())
        stand = Self.share(
            of: summary.appleStandHours, goal: summary.standHoursGoal ?? summary.appleStandHoursGoal, in: .count())
    }

    /// Returns the share of a goal that a value reaches.
    ///
    /// | value | goal | share |
    /// |---|---|---|
    /// | finite | positive | value ÷ goal, at least 0 |
    /// | any | none, 0, negative, NaN or infinite | `nil`: there is no goal |
    /// | NaN or infinite | any | `nil`: there is no value |
    public static func share(of value: Double, goal: Double?) -> Double? {
        guard let goal, goal > 0, goal.isFinite, value.isFinite else { return nil }
        let share = value / goal
        return share.isFinite ? max(0, share) : nil
    }

    private static func share(of value: HKQuantity, goal: HKQuantity, in unit: HKUnit) -> Double? {
        share(of: value.doubleValue(for: unit), goal: goal.doubleValue(for: unit))
    }
}
