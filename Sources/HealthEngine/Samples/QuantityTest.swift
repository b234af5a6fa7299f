import HealthModel

/// A quantity compared with another, whatever unit each row was written in.
struct QuantityTest: Sendable {
    let comparison: ComparisonOperator
    /// In the unit the filter names.
    let bound: Double
    /// By unit number: how a row's value becomes one of the filter's unit; `nil` where it cannot.
    private let conversions: [UnitConversion?]

    init(_ comparison: ComparisonOperator, _ bound: QuantityRecord, units: [String]) {
        self.comparison = comparison
        self.bound = bound.value
        conversions = [nil] + units.map { UnitConversion(from: $0, to: bound.unit) }
    }

    /// The conversion of one unit number.
    func conversion(_ unit: UInt32) -> UnitConversion? {
        unit < conversions.count ? conversions[Int(unit)] : nil
    }

    /// A value that cannot be told in the filter's unit does not match, not even `notEqual`.
    func holds(_ value: Double, unit: UInt32) -> Bool {
        guard let conversion = conversion(unit) else { return false }
        return comparison.holds(conversion(value), bound)
    }
}
