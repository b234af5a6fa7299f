import HealthModel

extension ComparisonOperator {
    /// The operator that holds where this one does not, for comparable values.
    var opposite: ComparisonOperator {
        switch self {
        case .lessThan: .greaterThanOrEqual
        case .lessThanOrEqual: .greaterThan
        case .equal: .notEqual
        case .notEqual: .equal
        case .greaterThanOrEqual: .lessThan
        case .greaterThan: .lessThanOrEqual
        }
    }

    /// Returns whether the comparison of `left` with `right` holds. NaN satisfies only `notEqual`.
    @inline(__always)
    func holds(_ left: Double, _ right: Double) -> Bool {
        switch self {
        case .lessThan: left < right
        case .lessThanOrEqual: left <= right
        case .equal: left == right
        case .notEqual: left != right
        case .greaterThanOrEqual: left >= right
        case .greaterThan: left > right
        }
    }

    /// Returns `true` if all values between `low` and `high` satisfy the comparison with `bound`, `false` if none does,
    /// and `nil` if some may.
    func verdict(low: Double, high: Double, _ bound: Double) -> Bool? {
        switch self {
        case .lessThan: high < bound ? true : low >= bound ? false : nil
        case .lessThanOrEqual: high <= bound ? true : low > bound ? false : nil
        case .greaterThanOrEqual: low >= bound ? true : high < bound ? false : nil
        case .greaterThan: low > bound ? true : high <= bound ? false : nil
        case .equal: low > bound || high < bound ? false : low == bound && high == bound ? true : nil
        case .notEqual: low > bound || high < bound ? true : low == bound && high == bound ? false : nil
        }
    }
}

extension MetadataValue {
    /// Returns a negative number, 0 or a positive number if this value is less than, equal to or greater than `other`,
    /// or `nil` if they are not comparable. Strings compare with strings, numbers (Booleans are 0 and 1) with numbers,
    /// dates with dates, and quantities with quantities of a compatible unit.
    func order(against other: MetadataValue) -> Int? {
        if let left = number, let right = other.number {
            return Self.order(left, right)
        }
        switch (self, other) {
        case (.string(let left), .string(let right)):
            return left == right ? 0 : left < right ? -1 : 1
        case (.date(let left), .date(let right)):
            return Self.order(left, right)
        case (.quantity(let left, let unit), .quantity(let right, let otherUnit)):
            return UnitConversion(from: unit, to: otherUnit).flatMap { Self.order($0(left), right) }
        default:
            return nil
        }
    }

    private static func order(_ left: Double, _ right: Double) -> Int? {
        left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    }
}

extension UnitConversion {
    /// Creates the conversion between two unit strings, or returns `nil` if either is invalid or they are incompatible.
    /// Equal strings convert by identity, even if this version cannot parse them.
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
    /// Returns the value in another unit, or `nil` if the units are incompatible.
    func value(in unit: String) -> Double? {
        UnitConversion(from: self.unit, to: unit).map { $0(value) }
    }
}
