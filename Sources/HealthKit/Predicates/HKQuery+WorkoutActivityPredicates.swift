public import Foundation
import HealthModel

extension HKQuery {
    /// Activities of this type; wrap it with ``predicateForWorkouts(activityPredicate:)``.
    public class func predicateForWorkoutActivities(
        workoutActivityType: HKWorkoutActivityType
    ) -> NSPredicate {
        predicate(.workoutActivityType(.equal, workoutActivityType.rawValue), printed: "workoutActivityType == type")
    }

    /// Activities by duration in seconds, pauses left out.
    public class func predicateForWorkoutActivities(
        operatorType: NSComparisonPredicate.Operator, duration: TimeInterval
    ) -> NSPredicate {
        predicate(.duration(comparison(operatorType), duration), printed: "duration compared")
    }

    /// Activities by their dates, with the rules of sample dates.
    public class func predicateForWorkoutActivities(
        start startDate: Date?, end endDate: Date?, options: HKQueryOptions = []
    ) -> NSPredicate {
        predicateForSamples(withStart: startDate, end: endDate, options: options)
    }

    /// Activities by the sum of a cumulative type.
    public class func predicateForWorkoutActivities(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sum, operatorType, quantityType, sumQuantity)
    }

    /// Activities by the least value of a discrete type.
    public class func predicateForWorkoutActivities(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.minimum, operatorType, quantityType, minimumQuantity)
    }

    /// Activities by the greatest value of a discrete type.
    public class func predicateForWorkoutActivities(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.maximum, operatorType, quantityType, maximumQuantity)
    }

    /// Activities by the mean of a discrete type.
    public class func predicateForWorkoutActivities(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.average, operatorType, quantityType, averageQuantity)
    }
}
