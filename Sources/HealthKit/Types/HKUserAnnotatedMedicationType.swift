/// The kind of object a medication of the person is.
// Unchecked: adds no stored property to its superclass.
open class HKUserAnnotatedMedicationType: HKObjectType, @unchecked Sendable {
    /// True: the person decides about each object.
    open override func requiresPerObjectAuthorization() -> Bool { true }
}
