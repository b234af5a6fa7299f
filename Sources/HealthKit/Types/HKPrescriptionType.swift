/// The kind of sample a vision prescription is.
// Unchecked: adds no stored property to its superclass.
open class HKPrescriptionType: HKSampleType, @unchecked Sendable {
    /// True: the person decides about each object.
    open override func requiresPerObjectAuthorization() -> Bool { true }
}
