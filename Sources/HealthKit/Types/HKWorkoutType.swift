/// The kind of sample a workout is.
// Unchecked: adds no stored property to its superclass.
open class HKWorkoutType: HKSampleType, @unchecked Sendable {
}
