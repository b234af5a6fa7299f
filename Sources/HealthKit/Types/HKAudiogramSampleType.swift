/// The kind of sample a hearing test is.
// Unchecked: adds no stored property to its superclass.
open class HKAudiogramSampleType: HKSampleType, @unchecked Sendable {
}
