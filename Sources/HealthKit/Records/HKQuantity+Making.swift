import HealthModel

extension HKQuantity {
    /// The quantity a record stands for; `nil` when its unit does not parse.
    convenience init?(_ record: QuantityRecord) {
        self.init(record.value, unit: record.unit)
    }

    /// A number with a unit string; `nil` when the string does not parse.
    convenience init?(_ value: Double, unit: String) {
        guard let unit = HKUnit.parsed(unit) else { return nil }
        self.init(unit: unit, doubleValue: value)
    }

    /// The quantity a record stands for. A unit string that does not parse, which only a store
    /// written by a later version can hold, becomes the unit without a factor.
    convenience init(record: QuantityRecord) {
        self.init(unit: HKUnit.parsed(record.unit) ?? HKUnit.make(.null), doubleValue: record.value)
    }
}
