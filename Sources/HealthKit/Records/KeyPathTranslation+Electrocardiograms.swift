import HealthModel

extension KeyPathTranslation {
    /// The filter of a key path that only electrocardiograms have; `nil` for another path.
    func electrocardiogramFilter(
        _ path: String, _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        switch path {
        case HKPredicateKeyPathECGClassification, HKPredicateKeyPathECGSymptomsStatus:
            guard type is HKElectrocardiogramType else { throw unexpectedType(path) }
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "a whole number") }
            let field =
                path == HKPredicateKeyPathECGClassification
                ? HKElectrocardiogram.Field.classification : HKElectrocardiogram.Field.symptomsStatus
            return .field(field, operation, .double(number))
        case HKPredicateKeyPathAverageHeartRate:
            guard type is HKElectrocardiogramType else { throw unexpectedType(path) }
            guard case .quantity(let quantity) = value,
                quantity.is(compatibleWith: HKUnit.count().unitDivided(by: .minute()))
            else { throw wrongValue(path, wanted: "a heart rate") }
            return .field(HKElectrocardiogram.Field.averageHeartRate, operation, .quantity(quantity.record))
        default:
            return nil
        }
    }
}
