package import HealthKit

/// How hard workouts were for the heart: the minutes in five zones of the maximum heart rate, each counted as often as
/// its number (Edwards 1993).
package enum TrainingLoad {
    /// The lower bounds of the zones, as shares of the maximum heart rate. Below the first, minutes don't count.
    static let shares = [0.5, 0.6, 0.7, 0.8, 0.9]

    /// The load of the time in zones, of which the first is below all bounds.
    static func load(of zones: [HeartRateZones.Zone]) -> Double {
        zones.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element.duration / 60 }
    }
}

extension WorkoutHistory {
    /// Returns the training load of a workout; `nil` without heart rates or a date of birth.
    ///
    /// - Throws: `HKError` if reading fails.
    package func trainingLoad(of workout: HKWorkout) async throws -> Double? {
        guard let maximum = try estimatedMaximum(at: workout.startDate) else { return nil }
        let rates = try await heartRates(of: workout)
        guard !rates.isEmpty else { return nil }
        let zones = HeartRateZones(
            origin: .estimated(maximumHeartRate: maximum), boundaries: TrainingLoad.shares.map { $0 * maximum },
            points: rates, from: workout.startDate, to: workout.endDate, pauses: PausedTime.pauses(of: workout))
        return TrainingLoad.load(of: zones.zones)
    }
}
