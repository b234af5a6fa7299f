public import Foundation
import HealthModel

extension HKQuery {
    /// Workouts of this activity type.
    public class func predicateForWorkouts(with workoutActivityType: HKWorkoutActivityType) -> NSPredicate {
        predicate(.workoutActivityType(.equal, workoutActivityType.rawValue), printed: "workoutActivityType == type")
    }

    /// Workouts by duration in seconds, pauses left out.
    public class func predicateForWorkouts(
        with operatorType: NSComparisonPredicate.Operator, duration: TimeInterval
    ) -> NSPredicate {
        predicate(.duration(comparison(operatorType), duration), printed: "duration compared")
    }

    /// Workouts by total energy burned.
    public class func predicateForWorkouts(
        with operatorType: NSComparisonPredicate.Operator, totalEnergyBurned: HKQuantity
    ) -> NSPredicate {
        total(.energyBurned, operatorType, totalEnergyBurned)
    }

    /// Workouts by total distance.
    public class func predicateForWorkouts(
        with operatorType: NSComparisonPredicate.Operator, totalDistance: HKQuantity
    ) -> NSPredicate {
        total(.distance, operatorType, totalDistance)
    }

    /// Workouts by total number of strokes.
    public class func predicateForWorkouts(
        with operatorType: NSComparisonPredicate.Operator, totalSwimmingStrokeCount: HKQuantity
    ) -> NSPredicate {
        total(.swimmingStrokeCount, operatorType, totalSwimmingStrokeCount)
    }

    /// Workouts by total number of flights.
    public class func predicateForWorkouts(
        with operatorType: NSComparisonPredicate.Operator, totalFlightsClimbed: HKQuantity
    ) -> NSPredicate {
        total(.flightsClimbed, operatorType, totalFlightsClimbed)
    }

    /// Workouts by the sum of a cumulative type.
    public class func predicateForWorkouts(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, sumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.sum, operatorType, quantityType, sumQuantity)
    }

    /// Workouts by the least value of a discrete type.
    public class func predicateForWorkouts(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, minimumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.minimum, operatorType, quantityType, minimumQuantity)
    }

    /// Workouts by the greatest value of a discrete type.
    public class func predicateForWorkouts(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, maximumQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.maximum, operatorType, quantityType, maximumQuantity)
    }

    /// Workouts by the mean of a discrete type.
    public class func predicateForWorkouts(
        operatorType: NSComparisonPredicate.Operator, quantityType: HKQuantityType, averageQuantity: HKQuantity
    ) -> NSPredicate {
        statistic(.average, operatorType, quantityType, averageQuantity)
    }

    /// Workouts that have an activity which the predicate holds for.
    public class func predicateForWorkouts(activityPredicate: NSPredicate) -> NSPredicate {
        guard case .filter(let filter, let printed)? = (activityPredicate as? StructuredPredicate)?.node else {
            guard let joined = activityFilter(activityPredicate) else {
                ProgrammerError.raise("not a predicate for workout activities")
            }
            return predicate(.anyActivity(joined), printed: "ANY activity")
        }
        return predicate(.anyActivity(filter), printed: "ANY activity (\(printed))")
    }

    private static func activityFilter(_ predicate: NSPredicate) -> SampleFilter? {
        if case .filter(let filter, _)? = (predicate as? StructuredPredicate)?.node { return filter }
        guard let compound = predicate as? NSCompoundPredicate else { return nil }
        let parts = compound.subpredicates.compactMap { ($0 as? NSPredicate).flatMap(activityFilter) }
        guard parts.count == compound.subpredicates.count else { return nil }
        return switch compound.compoundPredicateType {
        case .and: .and(parts)
        case .or: .or(parts)
        case .not: parts.first.map { .not($0) }
        @unknown default: nil
        }
    }

    private static func total(
        _ total: WorkoutTotal, _ operatorType: NSComparisonPredicate.Operator, _ quantity: HKQuantity
    ) -> NSPredicate {
        predicate(.workoutTotal(total, comparison(operatorType), quantity.record), printed: "total compared")
    }

    /// A statistic that the type's aggregation style does not have ends the process.
    static func statistic(
        _ statistic: WorkoutStatistic, _ operatorType: NSComparisonPredicate.Operator,
        _ type: HKQuantityType, _ quantity: HKQuantity
    ) -> NSPredicate {
        let isCumulative = type.aggregationStyle == .cumulative
        guard (statistic == .sum) == isCumulative else {
            ProgrammerError.raise(
                "\(type.identifier) is \(isCumulative ? "cumulative" : "discrete") and has no such statistic")
        }
        return predicate(
            .workoutStatistic(type: type.code, statistic, comparison(operatorType), quantity.record),
            printed: "statistic compared")
    }
}
