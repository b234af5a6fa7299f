/// A kind of fact about the person, such as the date of birth.
// Unchecked: adds no stored property to its superclass.
open class HKCharacteristicType: HKObjectType, @unchecked Sendable {
    /// The type of this name; one that is not known ends the process.
    public convenience init(_ identifier: HKCharacteristicTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKCharacteristicType as! Self)
    }
}
