public import Foundation
import HealthModel

extension HKQuery {
    /// Effort samples that rate a workout, or one activity of it where one is given.
    public class func predicateForWorkoutEffortSamplesRelated(
        workout: HKWorkout, activity: HKWorkoutActivity?
    ) -> NSPredicate {
        predicate(
            .effortRelated(workout: workout.uuid, activity: activity?.uuid),
            printed: "\(HKPredicateKeyPathWorkoutEffortRelationship) == workout")
    }
}
