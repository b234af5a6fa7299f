import Foundation
import HealthModel

/// What an application gives to make a workout.
struct WorkoutDraft {
    var activityType: HKWorkoutActivityType
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    var end: Double
    /// Seconds; 0 lets it follow from dates and events.
    var duration = 0.0
    var events: [HKWorkoutEvent]?
    var totalEnergyBurned: HKQuantity?
    var totalDistance: HKQuantity?
    var totalSwimmingStrokeCount: HKQuantity?
    var totalFlightsClimbed: HKQuantity?

    init(activityType: HKWorkoutActivityType, start: Date, end: Date) {
        self.activityType = activityType
        self.start = start.timeIntervalSinceReferenceDate
        self.end = end.timeIntervalSinceReferenceDate
    }

    /// The workout's own part of its record.
    var body: WorkoutBody {
        // A stable order: events of one instant stay as they were given.
        let events = (events ?? []).map(\.record).enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        let duration =
            duration != 0 ? duration : WorkoutPauses.duration(from: start, to: end, events: events)
        return WorkoutBody(
            activityType: activityType.rawValue, duration: duration,
            totalEnergyBurned: totalEnergyBurned.map(\.record),
            totalDistance: totalDistance.map(\.record),
            totalSwimmingStrokeCount: totalSwimmingStrokeCount.map(\.record),
            totalFlightsClimbed: totalFlightsClimbed.map(\.record), events: events)
    }
}
