import HealthModel

extension ComparisonOperator {
    /// The operator that holds exactly where this one does not, for values that compare.
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

    /// Whether `left` stands in this relation to `right`. NaN satisfies only `notEqual`.
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

    /// What is known of values between `low` and `high` (neither need occur): true if all of them
    /// satisfy the operator, false if none does, `nil` if some may.
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
