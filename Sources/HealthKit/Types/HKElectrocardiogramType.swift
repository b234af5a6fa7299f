/// The kind of sample an electrocardiogram is.
// Unchecked: adds no stored property to its superclass.
open class HKElectrocardiogramType: HKSampleType, @unchecked Sendable {
}
