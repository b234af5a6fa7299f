import Foundation
import HealthModel

// The key paths over a workout's statistics, its activities and its effort.
//
// The key path of a statistic is followed by the identifier of a quantity type, as in
// `workoutSumQuantity.HKQuantityTypeIdentifierDistanceCycling`. Without one, the statistic of any type satisfies the
// comparison. A comparison with a part of `workoutActivity` is satisfied by any one activity.

extension KeyPathTranslation {
    /// The filter of one of these key paths; `nil` for another.
    func workoutPartFilter(
        _ path: String, _ parts: [String], _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        let rest = Array(parts.dropFirst())
        if let statistic = WorkoutStatistic.allCases.first(where: { $0.keyPath == path }) {
            guard type is HKWorkoutType else { throw unexpectedType(path) }
            return try statisticFilter(statistic, path, rest, operation, value)
        }
        switch path {
        case HKPredicateKeyPathWorkoutActivity:
            guard type is HKWorkoutType else { throw unexpectedType(path) }
            return try activityFilter(rest, operation, value)
        case HKPredicateKeyPathWorkoutEffortRelationship:
            guard case .object(let workout) = value else { throw wrongValue(path, wanted: "a workout") }
            return try equality(.effortRelated(workout: workout, activity: nil), path, operation)
        default: return nil
        }
    }

    /// The activity type of a value.
    func activityType(_ value: PredicateValue, _ path: String) throws(PredicateTranslationError) -> UInt {
        guard let number = value.asNumber.flatMap({ UInt(exactly: $0) }) else {
            throw wrongValue(path, wanted: "an activity type")
        }
        return number
    }

    private func activityFilter(
        _ parts: [String], _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter {
        guard let name = parts.first else {
            guard value == .null else { throw wrongValue(HKPredicateKeyPathWorkoutActivity, wanted: "nil") }
            return try equality(.not(.anyActivity(.all)), HKPredicateKeyPathWorkoutActivity, operation)
        }
        let path = HKPredicateKeyPathWorkoutActivity + "." + name
        switch path {
        case HKPredicateKeyPathWorkoutActivityType:
            return .anyActivity(.workoutActivityType(operation, try activityType(value, path)))
        case HKPredicateKeyPathWorkoutActivityDuration:
            guard let seconds = value.asNumber else { throw wrongValue(path, wanted: "seconds") }
            return .anyActivity(.duration(operation, seconds))
        case HKPredicateKeyPathWorkoutActivityStartDate, HKPredicateKeyPathWorkoutActivityEndDate:
            guard case .date(let date) = value else { throw wrongValue(path, wanted: "a date") }
            let instant = date.timeIntervalSinceReferenceDate
            return .anyActivity(
                path == HKPredicateKeyPathWorkoutActivityStartDate
                    ? .start(operation, instant) : .end(operation, instant))
        default:
            guard let statistic = WorkoutStatistic.allCases.first(where: { $0.activityKeyPath == path }) else {
                throw PredicateTranslationError(
                    reason: "Unsupported key path \(path) for a predicate of \(Swift.type(of: type))")
            }
            return .anyActivity(try statisticFilter(statistic, path, Array(parts.dropFirst()), operation, value))
        }
    }

    private func statisticFilter(
        _ statistic: WorkoutStatistic, _ path: String, _ parts: [String],
        _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter {
        guard case .quantity(let quantity) = value else { throw wrongValue(path, wanted: "a quantity") }
        let unit = HKQuantity(record: quantity).unit
        guard let identifier = parts.first else {
            let types = HKQuantityType.all(compatibleWith: unit, isCumulative: statistic == .sum)
            return .or(types.map { .workoutStatistic(type: $0.code, statistic, operation, quantity) })
        }
        guard
            let quantityType = HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: identifier)),
            (quantityType.aggregationStyle == .cumulative) == (statistic == .sum)
        else {
            throw PredicateTranslationError(reason: "Key path \(path) does not support quantity type \(identifier)")
        }
        guard quantityType.is(compatibleWith: unit) else {
            throw wrongValue(path, wanted: "a quantity in a unit of the type")
        }
        return .workoutStatistic(type: quantityType.code, statistic, operation, quantity)
    }

    private func equality(
        _ filter: SampleFilter, _ path: String, _ operation: ComparisonOperator
    ) throws(PredicateTranslationError) -> SampleFilter {
        switch operation {
        case .equal: filter
        case .notEqual: .not(filter)
        default: throw PredicateTranslationError(reason: "Unsupported predicate operator for key path \(path)")
        }
    }
}

extension WorkoutTotal {
    /// The key path of a workout's total.
    var keyPath: String {
        switch self {
        case .distance: HKPredicateKeyPathWorkoutTotalDistance
        case .energyBurned: HKPredicateKeyPathWorkoutTotalEnergyBurned
        case .swimmingStrokeCount: HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount
        case .flightsClimbed: HKPredicateKeyPathWorkoutTotalFlightsClimbed
        }
    }
}

extension WorkoutStatistic {
    /// The key path of a workout's statistic.
    var keyPath: String {
        switch self {
        case .sum: HKPredicateKeyPathWorkoutSumQuantity
        case .minimum: HKPredicateKeyPathWorkoutMinimumQuantity
        case .maximum: HKPredicateKeyPathWorkoutMaximumQuantity
        case .average: HKPredicateKeyPathWorkoutAverageQuantity
        }
    }

    /// The key path of an activity's statistic.
    var activityKeyPath: String {
        switch self {
        case .sum: HKPredicateKeyPathWorkoutActivitySumQuantity
        case .minimum: HKPredicateKeyPathWorkoutActivityMinimumQuantity
        case .maximum: HKPredicateKeyPathWorkoutActivityMaximumQuantity
        case .average: HKPredicateKeyPathWorkoutActivityAverageQuantity
        }
    }
}

extension HKStatistics {
    fileprivate func quantity(of statistic: WorkoutStatistic) -> HKQuantity? {
        switch statistic {
        case .sum: sumQuantity()
        case .minimum: minimumQuantity()
        case .maximum: maximumQuantity()
        case .average: averageQuantity()
        }
    }
}

/// The same key paths on objects in memory.
enum WorkoutKeyPaths {
    /// The comparisons of which one must hold; `nil` for a comparison with a single value.
    static func parts(
        of comparison: PredicateComparison, for object: Any?
    ) -> [(comparison: PredicateComparison, object: Any)]? {
        guard case .keyPath(let parts) = comparison.left, let first = parts.first else { return nil }
        func replacing(_ path: [String]) -> PredicateComparison {
            var comparison = comparison
            comparison.left = .keyPath(path)
            return comparison
        }
        if first == HKPredicateKeyPathWorkoutActivity, parts.count > 1, let workout = object as? HKWorkout {
            return workout.workoutActivities.map { (replacing([String](parts.dropFirst())), $0) }
        }
        guard parts.count == 1, let object, statistic(first, of: object) != nil else { return nil }
        let types = (object as? HKWorkout)?.allStatistics.keys ?? (object as? HKWorkoutActivity)?.allStatistics.keys
        return types?.map { (replacing([first, $0.identifier]), object) }
    }

    /// The value of one of these key paths; `nil` for another and for an object of another class.
    static func property(_ parts: [String], of object: Any) -> PredicateValue? {
        guard let name = parts.first else { return nil }
        if let statistic = statistic(name, of: object), parts.count == 2,
            let type = HKObjectType.quantityType(forIdentifier: HKQuantityTypeIdentifier(rawValue: parts[1]))
        {
            let statistics =
                (object as? HKWorkout)?.statistics(for: type) ?? (object as? HKWorkoutActivity)?.statistics(for: type)
            return PredicateValue(statistics?.quantity(of: statistic)) ?? .null
        }
        if name == HKPredicateKeyPathWorkoutActivity, let workout = object as? HKWorkout {
            return workout.workoutActivities.isEmpty ? .null : .bool(true)
        }
        guard let activity = object as? HKWorkoutActivity else { return nil }
        switch HKPredicateKeyPathWorkoutActivity + "." + name {
        case HKPredicateKeyPathWorkoutActivityType:
            return .number(Double(activity.workoutConfiguration.activityType.rawValue))
        case HKPredicateKeyPathWorkoutActivityDuration: return .number(activity.duration)
        case HKPredicateKeyPathWorkoutActivityStartDate: return .date(activity.startDate)
        case HKPredicateKeyPathWorkoutActivityEndDate: return activity.endDate.map { .date($0) } ?? .null
        default: return nil
        }
    }

    private static func statistic(_ name: String, of object: Any) -> WorkoutStatistic? {
        switch object {
        case is HKWorkout: WorkoutStatistic.allCases.first { $0.keyPath == name }
        case is HKWorkoutActivity:
            WorkoutStatistic.allCases.first {
                $0.activityKeyPath == HKPredicateKeyPathWorkoutActivity + "." + name
            }
        default: nil
        }
    }
}
