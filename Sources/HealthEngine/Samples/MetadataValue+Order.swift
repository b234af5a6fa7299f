import HealthModel

extension MetadataValue {
    /// Negative, 0 or positive as this value is less than, equal to or greater than `other`; `nil` if the
    /// two do not compare: texts with texts, numbers (booleans are 0 and 1) with numbers, dates with
    /// dates, quantities with quantities of a compatible unit.
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
