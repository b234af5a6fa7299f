package import HealthKit

/// The sports of a multisport workout, such as a triathlon.
extension HKWorkout {
    /// The parts of one sport each, in ascending order; none for a workout of a single sport.
    var legs: [HKWorkoutActivity] { isMultisport && workoutActivities.count > 1 ? workoutActivities : [] }
}

extension HKWorkoutActivity {
    var sport: HKWorkoutActivityType { workoutConfiguration.activityType }
}

extension WorkoutHistory {
    /// Returns the sports of a multisport workout with the distance and heart rate of each; none for another workout.
    ///
    /// - Throws: `HKError` if reading fails.
    package func legs(of workout: HKWorkout) async throws -> [WorkoutLap] {
        guard !workout.legs.isEmpty else { return [] }
        let (pieces, rates) = (try await pieces(of: workout).pieces, try await heartRates(of: workout))
        return workout.legs.enumerated().map { index, leg in
            let end = leg.endDate ?? workout.endDate
            let (from, to) = (leg.startDate.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
            let measured = DistancePiece.meters(of: pieces[...], from: from, to: to)
            let own = leg.sport.distanceTypes.lazy.compactMap {
                leg.statistics(for: HKQuantityType($0))?.sumQuantity()?.doubleValue(for: .meter())
            }.first
            return WorkoutLap(
                number: index + 1, start: leg.startDate, end: end, duration: leg.duration,
                meters: own ?? (measured > 0 ? measured : nil),
                averageHeartRate: rates.average(from: from, to: to), activityType: leg.sport)
        }
    }
}
