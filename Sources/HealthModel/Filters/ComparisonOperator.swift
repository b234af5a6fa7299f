/// How a field is compared with a value.
public enum ComparisonOperator: UInt8, Hashable, Sendable {
    /// The six comparisons, read as field · operator · value.
    case lessThan, lessThanOrEqual, equal, notEqual, greaterThanOrEqual, greaterThan

    /// Whether a left-hand side ordered as `order` against the right-hand side satisfies the operator:
    /// negative for smaller, 0 for equal, positive for greater, `nil` for values that do not compare.
    public func holds(_ order: Int?) -> Bool {
        guard let order else { return self == .notEqual }
        return switch self {
        case .lessThan: order < 0
        case .lessThanOrEqual: order <= 0
        case .equal: order == 0
        case .notEqual: order != 0
        case .greaterThanOrEqual: order >= 0
        case .greaterThan: order > 0
        }
    }
}
