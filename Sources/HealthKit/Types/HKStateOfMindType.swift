/// The kind of sample a state of mind is.
// Unchecked: adds no stored property to its superclass.
open class HKStateOfMindType: HKSampleType, @unchecked Sendable {
}
