public import Foundation
import HealthModel

extension HKQuery {
    /// Electrocardiograms of one class.
    public class func predicateForElectrocardiograms(
        classification: HKElectrocardiogram.Classification
    ) -> NSPredicate {
        predicate(
            .field(HKElectrocardiogram.Field.classification, .equal, .integer(Int64(classification.rawValue))),
            printed: "\(HKPredicateKeyPathECGClassification) == \(classification.rawValue)")
    }

    /// Electrocardiograms with, without, or with unknown symptoms.
    public class func predicateForElectrocardiograms(
        symptomsStatus: HKElectrocardiogram.SymptomsStatus
    ) -> NSPredicate {
        predicate(
            .field(HKElectrocardiogram.Field.symptomsStatus, .equal, .integer(Int64(symptomsStatus.rawValue))),
            printed: "\(HKPredicateKeyPathECGSymptomsStatus) == \(symptomsStatus.rawValue)")
    }

    /// Symptoms that belong to the electrocardiogram.
    public class func predicateForObjectsAssociated(electrocardiogram: HKElectrocardiogram) -> NSPredicate {
        predicate(.memberOf(electrocardiogram.uuid), printed: "electrocardiogram == electrocardiogram")
    }
}
