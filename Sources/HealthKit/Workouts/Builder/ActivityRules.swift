import HealthEngine
import HealthModel

/// Which activities a workout may have.
enum ActivityRules {
    /// What a swim-bike-run workout is made of.
    private static let parts: Set<UInt> = [
        HKWorkoutActivityType.swimming.rawValue, HKWorkoutActivityType.cycling.rawValue,
        HKWorkoutActivityType.running.rawValue, HKWorkoutActivityType.transition.rawValue,
    ]

    /// Whether an activity of this type may be part of a workout of that type: an interval has the
    /// workout's own type, a swim-bike-run has its three sports and the changes between them.
    static func allows(_ activity: UInt, in workout: UInt) -> Bool {
        workout == HKWorkoutActivityType.swimBikeRun.rawValue
            ? parts.contains(activity) : activity == workout
    }

    static func check(
        _ activity: WorkoutBody.Activity, in workout: HKWorkoutConfiguration.Settings
    ) throws(EngineError) {
        guard allows(activity.activityType, in: workout.activityType) else {
            throw .invalidArgument("The workout's activity type does not allow such an activity.")
        }
    }
}
