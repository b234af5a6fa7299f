package import HealthModel

extension HKQuantity {
    /// The quantity as the model keeps it: the number as given, with its unit string.
    package var record: QuantityRecord {
        QuantityRecord(value, unit: unit.unitString)
    }
}
