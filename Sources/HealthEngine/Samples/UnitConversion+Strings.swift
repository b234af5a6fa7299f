import HealthModel

extension UnitConversion {
    /// Between two unit strings; `nil` if either is no unit or they are not compatible. Equal strings
    /// convert by identity even if this version cannot read them.
    init?(from: String, to: String) {
        if from == to {
            self = .identity
            return
        }
        guard
            let source = try? UnitExpression(parsing: from), let target = try? UnitExpression(parsing: to),
            let conversion = source.conversion(to: target)
        else { return nil }
        self = conversion
    }
}

extension QuantityRecord {
    /// The value told in another unit; `nil` if it cannot be.
    func value(in unit: String) -> Double? {
        UnitConversion(from: self.unit, to: unit).map { $0(value) }
    }
}
