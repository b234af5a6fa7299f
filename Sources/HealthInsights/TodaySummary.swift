public import Foundation
public import HealthKit

/// A summary of a day so far, each part beside the person's own last four weeks.
public struct TodaySummary: Sendable {
    /// The time the summary is of.
    public var date: Date
    /// The day, from midnight to midnight.
    public var day: DateInterval
    /// The activity rings.
    public var rings: TodayRings
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
    /// When the newest data before the date ends, if the day has none.
    package var latestDate: Date?

    /// Whether nothing at all is known: no rings, energy, steps, heart rate, sleep or workout of today and the four
    /// weeks before.
    public var isEmpty: Bool {
        rings.week.isEmpty && rings.reference == nil && energy.consumedReference.average == nil
            && energy.activeReference.average == nil && energy.balance.consumed.doubleValue(for: .joule()) == 0
            && energy.balance.active.doubleValue(for: .joule()) == 0 && steps.value == nil
            && steps.reference.average == nil && heartRate == nil && sleep == nil && sleepReference.nights == 0
            && workout == nil
    }

    /// Whether anything was recorded on the day. Rings of zero don't count.
    var hasDay: Bool {
        rings.today.map { !$0.isEmpty } ?? false || energy.balance.active.doubleValue(for: .joule()) > 0
            || energy.balance.isConsumptionKnown || steps.value != nil || heartRate != nil || sleep != nil
    }

    /// The number of days before today that references are calculated from.
    public static let referenceDays = 28
}

/// The activity rings of a day and of the days before.
public struct TodayRings: Hashable, Sendable {
    /// The day's own; `nil` if it has none.
    public var today: DayRings?
    /// Those of the seven days that end with the day, in ascending order. Days without rings are left out.
    public var week: [DayRings]
    /// Those of the four weeks before; `nil` if there are none.
    public var reference: RingsFigures?
}

/// The energy balance of a day so far.
public struct TodayEnergy: Sendable {
    /// Consumed, active, resting and net energy until now. Resting energy grows with the day.
    public var balance: EnergyBalance
    /// The consumed energy of the days before, in the reader's unit of energy.
    public var consumedReference: DailyReference
    /// The active energy of the days before, in the reader's unit of energy.
    public var activeReference: DailyReference
}

/// The sum of a cumulative type on a day so far.
public struct TodayQuantity: Hashable, Sendable {
    /// The sum in ``unit``; `nil` without samples.
    public var value: Double?
    /// The unit of the value and of the reference.
    public var unit: HKUnit
    /// The sums of the 24 hours of the day's clock. An hour that the clock repeats counts with the first one.
    public var hours: [Double]
    /// The averages of the hours of the days with samples among the seven before.
    public var averageHours: [Double]
    /// The days before.
    public var reference: DailyReference
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
    /// The half hours with heart rates, in ascending order.
    public var intervals: [DailyValue]
    /// The heart rate of the days before.
    public var reference: DailyReference
    /// The resting heart rate of the days before.
    public var restingReference: DailyReference
}
