public import Foundation
import HealthModel

/// A comparison of a key path with a value, as the original's class of this name makes it.
///
/// Foundation's own class cannot be made on this platform, so this is a function of the same name
/// that returns a predicate. Custom selectors and blocks do not exist here; the modifier is taken as `direct`.
public func NSComparisonPredicate(
    leftExpression left: PredicateOperandExpression,
    rightExpression right: PredicateOperandExpression,
    modifier: NSComparisonPredicate.Modifier,
    type: NSComparisonPredicate.Operator,
    options: NSComparisonPredicate.Options = []
) -> NSPredicate {
    StructuredPredicate(
        .comparison(
            PredicateComparison(
                left: left.operand, operation: PredicateComparison.Operator(type), right: right.operand,
                isCaseInsensitive: options.contains(.caseInsensitive),
                isDiacriticInsensitive: options.contains(.diacriticInsensitive))))
}

extension PredicateComparison.Operator {
    /// The operator of Foundation's enumeration.
    init(_ type: NSComparisonPredicate.Operator) {
        switch type {
        case .lessThan: self = .lessThan
        case .lessThanOrEqualTo: self = .lessThanOrEqual
        case .greaterThan: self = .greaterThan
        case .greaterThanOrEqualTo: self = .greaterThanOrEqual
        case .equalTo: self = .equal
        case .notEqualTo: self = .notEqual
        case .matches: self = .matches
        case .like: self = .like
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .in: self = .isIn
        case .contains: self = .contains
        case .between: self = .between
        // Of a Foundation that has more: today's has no custom selector either.
        @unknown default: fatalError("NSInvalidArgumentException: Unsupported predicate operator \(type.rawValue)")
        }
    }

    /// The operator as the engine's filters have it, or `nil` for those that are not comparisons.
    var comparison: ComparisonOperator? {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqual: .lessThanOrEqual
        case .equal: .equal
        case .notEqual: .notEqual
        case .greaterThanOrEqual: .greaterThanOrEqual
        case .greaterThan: .greaterThan
        case .isIn, .between, .contains, .beginsWith, .endsWith, .like, .matches: nil
        }
    }
}
