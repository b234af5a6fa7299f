import HealthModel

/// A condition on one metadata key, evaluated once for each distinct metadata of a page.
enum MetadataCondition: Sendable {
    case present(String)
    case compared(String, ComparisonOperator, MetadataValue)
    case oneOf(String, [MetadataValue])

    /// Creates the condition of a filter; `nil` for a filter on something else.
    init?(_ filter: SampleFilter) {
        switch filter {
        case .metadataPresent(let key): self = .present(key)
        case .metadata(let key, let comparison, let value): self = .compared(key, comparison, value)
        case .metadataIn(let key, let values): self = .oneOf(key, values)
        default: return nil
        }
    }

    func matches(_ metadata: Metadata) -> Bool {
        switch self {
        case .present(let key):
            metadata[key] != nil
        case .compared(let key, let comparison, let expected):
            // A missing key, like a value of another kind, satisfies only `notEqual`.
            comparison.holds(metadata[key].flatMap { $0.order(against: expected) })
        case .oneOf(let key, let expected):
            metadata[key].map { value in expected.contains { value.order(against: $0) == 0 } } ?? false
        }
    }
}

/// A comparison of quantities in any compatible unit with a given one.
struct QuantityCondition: Sendable {
    let comparison: ComparisonOperator
    /// The bound, in the filter's unit.
    let bound: Double
    /// The conversions to the filter's unit.
    let units: UnitConversions

    /// Returns whether a value matches. One in an incompatible unit does not, not even for `notEqual`.
    func holds(_ value: Double, unit: UInt32) -> Bool {
        guard let conversion = units.conversion(unit) else { return false }
        return comparison.holds(conversion(value), bound)
    }
}

/// The conversions from every unit number to one unit.
struct UnitConversions: Sendable {
    let unit: String
    private let conversions: [UnitConversion?]

    init(unit: String, dictionaries: StoreDictionaries) {
        self.unit = unit
        conversions = [nil] + dictionaries.units.map { UnitConversion(between: $0, and: unit) }
    }

    /// `nil` for a unit that is not compatible.
    func conversion(_ number: UInt32) -> UnitConversion? {
        number < conversions.count ? conversions[Int(number)] : nil
    }
}

/// A set of dictionary numbers (source revisions or devices), possibly including 0.
struct NumberSet: Sendable {
    /// Whether each number is in the set. Numbers beyond the end are not.
    private let flags: [Bool]

    /// Creates the set of those numbers up to `count` that `isIncluded` accepts.
    init(upTo count: Int, where isIncluded: (UInt32) -> Bool) {
        flags = (0...UInt32(count)).map(isIncluded)
    }

    @inline(__always)
    func contains(_ number: UInt32) -> Bool {
        number < flags.count && flags[Int(number)]
    }

    /// Returns `true` if all of these numbers are in the set, `false` if none is, and `nil` if some are.
    func verdict(_ numbers: [UInt32]) -> Bool? {
        let inside = numbers.count { contains($0) }
        return inside == 0 ? false : inside == numbers.count ? true : nil
    }
}

/// A set of samples by sequence.
struct SequenceSet: Sendable {
    /// The sequences that are in the set in any case, ascending.
    let plain: [Int64]
    /// The sequences that are in the set only if the sample's identity is derived, ascending.
    var derived: [Int64] = []

    /// The maximum number of samples in the set.
    var count: Int { plain.count + derived.count }

    func contains(_ sequence: Int64, hasGivenIdentity: Bool) -> Bool {
        plain.containsSorted(sequence) || (!hasGivenIdentity && derived.containsSorted(sequence))
    }

    /// Returns whether the set may contain a sequence within these bounds, inclusive.
    func mayContain(from first: Int64, through last: Int64) -> Bool {
        [plain, derived].contains { list in
            let index = list.lowerBound(of: first)
            return index < list.count && list[index] <= last
        }
    }
}

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
            return UnitConversion(between: unit, and: otherUnit).flatMap { Self.order($0(left), right) }
        default:
            return nil
        }
    }

    private static func order(_ left: Double, _ right: Double) -> Int? {
        left < right ? -1 : left > right ? 1 : left == right ? 0 : nil
    }
}
