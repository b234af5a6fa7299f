/// A kind of sample that holds a document.
// Unchecked: adds no stored property to its superclass.
open class HKDocumentType: HKSampleType, @unchecked Sendable {
    /// The type of this name; one that is not known ends the process.
    public convenience init(_ identifier: HKDocumentTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKDocumentType as! Self)
    }
}
