public import Foundation
import HealthModel

extension HKQuery {
    /// Clinical records whose FHIR resource is of a kind.
    public class func predicateForClinicalRecords(
        withFHIRResourceType resourceType: HKFHIRResourceType
    ) -> NSPredicate {
        predicate(
            .field(HKClinicalRecord.Field.resourceType, .equal, .string(resourceType.rawValue)),
            printed: "\(HKPredicateKeyPathClinicalRecordFHIRResourceType) == type")
    }

    /// The clinical record with a FHIR resource's identifier, of a kind, from a source.
    public class func predicateForClinicalRecords(
        from source: HKSource, fhirResourceType resourceType: HKFHIRResourceType, identifier: String
    ) -> NSPredicate {
        predicate(
            .and([
                .source([source.record]),
                .field(HKClinicalRecord.Field.resourceType, .equal, .string(resourceType.rawValue)),
                .field(HKClinicalRecord.Field.identifier, .equal, .string(identifier)),
            ]),
            printed: "source == source AND FHIRResource == resource")
    }
}
