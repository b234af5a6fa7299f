/// The quantity type of a predicate over quantity samples.
enum QuantityTypeOfPredicate {
    static func type(of predicate: HKSamplePredicate<HKQuantitySample>) -> HKQuantityType {
        // Only `quantitySample(type:predicate:)` makes such predicates, and takes a quantity type.
        unsafeDowncast(predicate.sampleType, to: HKQuantityType.self)
    }
}
