import Foundation

@testable import HealthKit

extension Misuse {
    /// Predicates that cannot be made.
    static let predicates: [Misuse] = [
        Misuse("FoundationPredicates", 1, "NSInvalidArgumentException: ") {
            _ = NSPredicate(format: "startDate >")
        },
        Misuse("FoundationPredicates", 2, "cannot be compared") {
            _ = NSExpression(forConstantValue: NSObject())
        },
        Misuse("FoundationPredicates", 3, "an aggregate holds constant values only") {
            _ = NSExpression(forAggregate: [NSExpression(forKeyPath: "startDate")])
        },
        Misuse("FoundationPredicates", 4, "-keyPath is only defined for expressions of key paths") {
            _ = NSExpression(forConstantValue: 1).keyPath
        },
        Misuse("PredicateKeyPaths", 1, "A predicate cannot contain this key path of HKWorkout") {
            _ = NSExpression(forKeyPath: \HKWorkout.workoutEvents)
        },
        Misuse(
            "HKQuery+Predicates", 3, "Invalid date components for an activity summary predicate: hour must not be set"
        ) {
            let day = DateComponents(calendar: FreshStore.calendar(), year: 2023, month: 3, day: 8, hour: 1)
            _ = HKQuery.predicateForActivitySummary(with: day)
        },
        Misuse("HKQuery+Predicates", 1, "Metadata predicates compare text, numbers and dates, not ") {
            _ = HKQuery.predicateForObjects(withMetadataKey: "key", allowedValues: [NSObject()])
        },
        Misuse("HKQuery+Predicates", 2, "Unknown device property key colour") {
            _ = HKQuery.predicateForObjects(withDeviceProperty: "colour", allowedValues: ["red"])
        },
        Misuse("HKQuery+Predicates", 4, "Unsupported predicate operator ") {
            _ = HKQuery.predicateForWorkouts(with: .contains, duration: 1)
        },
        Misuse("HKQuery+WorkoutPredicates", 1, "not a predicate for workout activities") {
            _ = HKQuery.predicateForWorkouts(activityPredicate: NSPredicate { _, _ in true })
        },
        Misuse(
            "HKQuery+WorkoutPredicates", 2, "HKQuantityTypeIdentifierHeartRate is discrete and has no such statistic"
        ) {
            _ = HKQuery.predicateForWorkouts(
                operatorType: .greaterThan, quantityType: FreshStore.heartRate,
                sumQuantity: HKQuantity(unit: .count(), doubleValue: 1))
        },
    ]
}
