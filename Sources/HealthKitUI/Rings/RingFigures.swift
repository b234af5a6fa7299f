import Foundation

/// What the rings show: the share of each goal that is reached, `nil` for an empty ring.
struct RingFigures: Hashable, Sendable {
    var move: Double?
    var exercise: Double?
    var stand: Double?

    /// Empty rings.
    static let empty = RingFigures()

    /// The share one ring shows.
    func progress(of ring: Ring) -> Double? {
        switch ring {
        case .move: move
        case .exercise: exercise
        case .stand: stand
        }
    }
}

extension RingFigures {
    /// The shares of a summary. A ring without a goal above zero stays empty.
    init(_ summary: HKActivitySummary) {
        switch summary.activityMoveMode {
        case .appleMoveTime:
            move = Self.share(summary.appleMoveTime, of: summary.appleMoveTimeGoal, in: .minute())
        default:
            move = Self.share(summary.activeEnergyBurned, of: summary.activeEnergyBurnedGoal, in: .kilocalorie())
        }
        exercise = Self.share(
            summary.appleExerciseTime, of: summary.exerciseTimeGoal ?? summary.appleExerciseTimeGoal, in: .minute())
        stand = Self.share(
            summary.appleStandHours, of: summary.standHoursGoal ?? summary.appleStandHoursGoal, in: .count())
    }

    /// Value over goal; a value that is no number counts as missing.
    private static func share(_ value: HKQuantity, of goal: HKQuantity, in unit: HKUnit) -> Double? {
        let goal = goal.doubleValue(for: unit)
        let value = value.doubleValue(for: unit)
        guard goal > 0, value.isFinite else { return nil }
        return max(0, value / goal)
    }
}
