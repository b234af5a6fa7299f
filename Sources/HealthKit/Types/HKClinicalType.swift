/// A kind of sample that holds a clinical record.
// Unchecked: adds no stored property to its superclass.
open class HKClinicalType: HKSampleType, @unchecked Sendable {
    /// The type of this name; one that is not known ends the process.
    public convenience init(_ identifier: HKClinicalTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKClinicalType as! Self)
    }
}
