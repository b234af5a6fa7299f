/// A kind of sample that holds a member of an enumeration.
// Unchecked: adds no stored property to its superclass.
open class HKCategoryType: HKSampleType, @unchecked Sendable {
    /// The type of this name; one that is not known ends the process.
    public convenience init(_ identifier: HKCategoryTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKCategoryType as! Self)
    }
}
