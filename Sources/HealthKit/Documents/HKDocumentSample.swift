/// A document of a person's health records.
// Unchecked: adds no stored property to its superclass.
public class HKDocumentSample: HKSample, @unchecked Sendable {
    /// What kind of document it is.
    public var documentType: HKDocumentType {
        // Only document types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKDocumentType.self)
    }
}
