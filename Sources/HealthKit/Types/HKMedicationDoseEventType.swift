/// The kind of sample a dose of a medication is.
// Unchecked: adds no stored property to its superclass.
open class HKMedicationDoseEventType: HKSampleType, @unchecked Sendable {
}
