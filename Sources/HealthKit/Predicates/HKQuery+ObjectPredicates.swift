public import Foundation
import HealthModel

extension HKQuery {
    /// Objects that have the metadata key.
    public class func predicateForObjects(withMetadataKey key: String) -> NSPredicate {
        predicate(.metadataPresent(key), printed: "metadata.\(key) != nil")
    }

    /// Objects whose value for the metadata key is one of the given ones. A value that is neither text,
    /// number nor date ends the process.
    public class func predicateForObjects(withMetadataKey key: String, allowedValues: [Any]) -> NSPredicate {
        predicate(.metadataIn(key, allowedValues.map(metadataValue)), printed: "metadata.\(key) IN values")
    }

    /// Objects whose value for the metadata key compares as said; `notEqualTo` holds without the key too.
    public class func predicateForObjects(
        withMetadataKey key: String, operatorType: NSComparisonPredicate.Operator, value: Any
    ) -> NSPredicate {
        predicate(
            .metadata(key, comparison(operatorType), metadataValue(value)),
            printed: "metadata.\(key) \(PredicateComparison.Operator(operatorType).rawValue) value")
    }

    private static func metadataValue(_ value: Any) -> MetadataValue {
        guard let wanted = PredicateValue(value)?.metadataValue else {
            ProgrammerError.raise(
                "Metadata predicates compare text, numbers and dates, not \(type(of: value))")
        }
        return wanted
    }

    /// Objects written by the source.
    public class func predicateForObjects(from source: HKSource) -> NSPredicate {
        predicateForObjects(from: [source])
    }

    /// Objects written by one of the sources.
    public class func predicateForObjects(from sources: Set<HKSource>) -> NSPredicate {
        predicate(.source(Set(sources.map(\.record))), printed: "source IN sources")
    }

    /// Objects written by one of the source revisions; the `HKSourceRevisionAny…` constants match anything.
    public class func predicateForObjects(from sourceRevisions: Set<HKSourceRevision>) -> NSPredicate {
        predicate(.revision(sourceRevisions.map(\.pattern)), printed: "sourceRevision IN revisions")
    }

    /// Objects measured with one of the devices: every property must be equal, missing ones included.
    public class func predicateForObjects(from devices: Set<HKDevice>) -> NSPredicate {
        predicate(.device(Set(devices.map(\.record))), printed: "device IN devices")
    }

    /// Objects whose device has one of the values for a property; an empty set asks for devices without it.
    public class func predicateForObjects(
        withDeviceProperty key: String, allowedValues: Set<String>
    ) -> NSPredicate {
        guard let property = DeviceProperty(rawValue: key) else {
            ProgrammerError.raise("Unknown device property key \(key)")
        }
        return predicate(.deviceProperty(property, allowedValues), printed: "device.\(key) IN values")
    }

    /// The object with this identity.
    public class func predicateForObject(with UUID: UUID) -> NSPredicate {
        predicateForObjects(with: [UUID])
    }

    /// Objects whose identity is one of these.
    public class func predicateForObjects(with UUIDs: Set<UUID>) -> NSPredicate {
        predicate(.uuid(UUIDs), printed: "UUID IN identities")
    }

    /// Samples that belong to no correlation.
    public class func predicateForObjectsWithNoCorrelation() -> NSPredicate {
        predicate(.noCorrelation, printed: "correlation == nil")
    }

    /// Samples that belong to the workout.
    public class func predicateForObjects(from workout: HKWorkout) -> NSPredicate {
        predicate(.memberOf(workout.uuid), printed: "workout == workout")
    }
}
