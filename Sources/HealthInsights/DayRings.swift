public import Foundation
public import HealthKit

/// The activity rings of a day.
public struct DayRings: Hashable, Sendable {
    /// One ring.
    public struct Ring: Hashable, Sendable {
        /// The value: energy, time, or a count of hours.
        public let quantity: HKQuantity
        /// The goal; `nil` if there is none.
        public let goal: HKQuantity?

        init(_ quantity: HKQuantity, _ goal: HKQuantity, _ unit: HKUnit) {
            self.quantity = quantity
            self.goal = goal.doubleValue(for: unit) > 0 ? goal : nil
        }
    }

    /// The beginning of the day.
    public let date: Date
    /// The Gregorian year, month and day.
    public let day: DateComponents
    /// Whether the Move ring measures energy or time.
    public let moveMode: HKActivityMoveMode
    /// Active energy.
    public let energy: Ring
    /// Move time.
    public let moveTime: Ring
    /// Exercise time.
    public let exercise: Ring
    /// Hours in which the person stood.
    public let stand: Ring
    /// Whether the person had paused the rings.
    public let isPaused: Bool
    /// The shares of the goals.
    public let progress: RingProgress

    /// Returns the rings in an activity summary.
    public init(_ summary: HKActivitySummary, calendar: Calendar) {
        day = summary.dateComponents(for: calendar)
        date = calendar.startOfDay(for: calendar.date(from: day) ?? .distantPast)
        moveMode = summary.activityMoveMode
        energy = Ring(summary.activeEnergyBurned, summary.activeEnergyBurnedGoal, .kilocalorie())
        moveTime = Ring(summary.appleMoveTime, summary.appleMoveTimeGoal, .minute())
        exercise = Ring(summary.appleExerciseTime, summary.exerciseTimeGoal ?? summary.appleExerciseTimeGoal, .minute())
        stand = Ring(summary.appleStandHours, summary.standHoursGoal ?? summary.appleStandHoursGoal, .count())
        isPaused = summary.isPaused
        progress = RingProgress(summary)
    }

    /// The Move ring: energy, or time if that is the mode.
    public var move: Ring { moveMode == .appleMoveTime ? moveTime : energy }

    /// The unit of the Move ring: minutes, or a unit of energy.
    public func moveUnit(energy: HKUnit = .kilocalorie()) -> HKUnit { moveMode == .appleMoveTime ? .minute() : energy }

    /// Whether nothing was recorded.
    package var isEmpty: Bool {
        move.quantity.doubleValue(for: moveUnit()) + exercise.quantity.doubleValue(for: .minute())
            + stand.quantity.doubleValue(for: .count()) == 0
    }

    /// Returns the rings of the days from one date to another, in ascending order. Days without rings are left out.
    ///
    /// - Throws: `HKError` if reading fails.
    public static func days(
        from first: Date, to last: Date, in store: HKHealthStore, calendar: Calendar
    ) async throws -> [DayRings] {
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        func day(_ date: Date) -> DateComponents {
            var components = gregorian.dateComponents([.era, .year, .month, .day], from: date)
            components.calendar = gregorian
            return components
        }
        return try await HKActivitySummaryQueryDescriptor(
            predicate: HKQuery.predicate(forActivitySummariesBetweenStart: day(first), end: day(last))
        ).result(for: store).map { DayRings($0, calendar: gregorian) }
    }
}

/// The activity rings of several days.
public struct RingsFigures: Hashable, Sendable {
    /// A number for each ring.
    public struct Counts: Hashable, Sendable {
        /// The days on which the Move goal was reached.
        public var move = 0
        /// The days on which the Exercise goal was reached.
        public var exercise = 0
        /// The days on which the Stand goal was reached.
        public var stand = 0
        /// The days on which all three goals were reached.
        public var all = 0
    }

    /// The number of days with rings.
    public let days: Int
    /// The average of the Move ring in the unit of energy, or minutes if it measures time; of the days with the move mode
    /// of the last one.
    public let move: Double
    /// The average of the Exercise ring in minutes.
    public let exercise: Double
    /// The average of the Stand ring in hours.
    public let stand: Double
    /// The days on which goals were reached.
    public private(set) var closed = Counts()
    /// The largest number of consecutive days on which all three goals were reached.
    public private(set) var longestStreak = 0
    /// The number of consecutive days until the last one on which all three goals were reached. The last day doesn't end it:
    /// it may be today.
    package private(set) var currentStreak = 0

    /// Calculates the figures of days in ascending order; `nil` without days.
    public init?(_ all: [DayRings], energyUnit: HKUnit = .kilocalorie()) {
        guard let mode = all.last?.moveMode else { return nil }
        func mean(_ days: [DayRings], _ value: (DayRings) -> Double) -> Double {
            days.reduce(0) { $0 + value($1) } / Double(days.count)
        }
        days = all.count
        move = mean(all.filter { $0.moveMode == mode }) {
            $0.move.quantity.doubleValue(for: $0.moveUnit(energy: energyUnit))
        }
        exercise = mean(all) { $0.exercise.quantity.doubleValue(for: .minute()) }
        stand = mean(all) { $0.stand.quantity.doubleValue(for: .count()) }
        var (streak, previous) = (0, Date.distantPast)
        for day in all {
            let reached = [day.progress.move, day.progress.exercise, day.progress.stand].map { $0 ?? 0 >= 1 }
            let isClosed = reached.allSatisfy(\.self)
            closed.move += reached[0] ? 1 : 0
            closed.exercise += reached[1] ? 1 : 0
            closed.stand += reached[2] ? 1 : 0
            closed.all += isClosed ? 1 : 0
            // Days have 23 to 25 hours.
            let before = day.date < previous + 1.5 * 86_400 ? streak : 0
            streak = isClosed ? before + 1 : 0
            currentStreak = isClosed ? streak : before
            longestStreak = max(longestStreak, streak)
            previous = day.date
        }
    }
}
