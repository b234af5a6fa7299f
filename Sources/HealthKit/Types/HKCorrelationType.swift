/// A kind of sample that holds other samples together, such as a blood pressure.
// Unchecked: adds no stored property to its superclass.
open class HKCorrelationType: HKSampleType, @unchecked Sendable {
    /// The type of this name; one that is not known ends the process.
    public convenience init(_ identifier: HKCorrelationTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKCorrelationType as! Self)
    }
}
