public import Foundation

extension HKSamplePredicate {
    /// Clinical records of a type.
    public static func clinicalRecord(
        type clinicalType: HKClinicalType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKClinicalRecord> {
        HKSamplePredicate<HKClinicalRecord>(type: clinicalType, predicate: predicate)
    }
}
