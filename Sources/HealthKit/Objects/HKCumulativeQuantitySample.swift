/// A sample of a type whose quantities add up, such as steps.
// Unchecked: adds no stored property to its superclass.
open class HKCumulativeQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The sum of the sample's quantities.
    open var sumQuantity: HKQuantity { quantity }
}
