/// The quantity type of a predicate over quantity samples.
enum QuantityTypeOfPredicate {
    static func type(of predicate: HKSamplePredicate<HKQuantitySample>) -> HKQuantityType {
        // Only `quantitySample(type:predicate:)` makes such predicates, and takes a quantity type.
        guard let type = predicate.sampleType as? HKQuantityType else {
            ProgrammerError.raise("Statistics need a quantity type, not \(predicate.sampleType.identifier)")
        }
        return type
    }
}
