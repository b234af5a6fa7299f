/// The former class of cumulative samples with several quantities. No sample is made with it;
/// ``HKCumulativeQuantitySample`` has taken its place.
@available(*, deprecated, message: "Use HKCumulativeQuantitySample")
// Unchecked: adds no stored property to its superclass.
open class HKCumulativeQuantitySeriesSample: HKCumulativeQuantitySample, @unchecked Sendable {
    /// The sum of the sample's quantities.
    open var sum: HKQuantity { sumQuantity }
}
