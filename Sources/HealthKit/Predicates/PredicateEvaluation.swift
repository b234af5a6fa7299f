import Foundation
import HealthModel

/// Evaluates a predicate on an object in memory: `evaluate(with:)`, and what could not be pushed down.
enum PredicateEvaluation {
    /// Whether the object satisfies the predicate. An object of a foreign class satisfies only constants.
    static func holds(_ node: PredicateNode, for object: Any?) -> Bool {
        switch node {
        case .constant(let value): value
        case .and(let nodes): nodes.allSatisfy { holds($0, for: object) }
        case .or(let nodes): nodes.contains { holds($0, for: object) }
        case .not(let inner): !holds(inner, for: object)
        case .filter(let filter, _): holds(filter, for: object)
        case .comparison(let comparison): holds(comparison, for: object)
        }
    }

    private static func holds(_ comparison: PredicateComparison, for object: Any?) -> Bool {
        let left = value(comparison.left, of: object)
        let right = value(comparison.right, of: object)
        switch comparison.operation {
        case .isIn:
            return right.elements.contains { equal(left, $0, comparison) }
        case .between:
            guard right.elements.count == 2, let low = order(left, right.elements[0]),
                let high = order(left, right.elements[1])
            else { return false }
            return low >= 0 && high <= 0
        case .contains:
            if case .list(let values) = left { return values.contains { equal($0, right, comparison) } }
            return text(left, right, comparison) { $0.contains($1) }
        case .beginsWith: return text(left, right, comparison) { $0.hasPrefix($1) }
        case .endsWith: return text(left, right, comparison) { $0.hasSuffix($1) }
        case .like: return text(left, right, comparison) { matches($0, pattern: expression(fromLike: $1)) }
        case .matches: return text(left, right, comparison) { matches($0, pattern: $1) }
        case .equal: return equal(left, right, comparison)
        case .notEqual: return !equal(left, right, comparison)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard let order = order(left, right), let operation = comparison.operation.comparison else { return false }
            return operation.holds(order)
        }
    }

    private static func value(_ operand: PredicateOperand, of object: Any?) -> PredicateValue {
        switch operand {
        case .value(let value): value
        case .object: PredicateValue(object) ?? .null
        case .keyPath(let parts): object.map { property(parts, of: $0) } ?? .null
        }
    }

    private static func equal(
        _ left: PredicateValue, _ right: PredicateValue, _ comparison: PredicateComparison
    ) -> Bool {
        if case .string(let leftText) = left, case .string(let rightText) = right {
            return folded(leftText, comparison) == folded(rightText, comparison)
        }
        return order(left, right).map { $0 == 0 } ?? (left == right)
    }

    /// Negative, zero or positive as `left` stands before, at or after `right`; `nil` where two values
    /// have no order.
    static func order(_ left: PredicateValue, _ right: PredicateValue) -> Int? {
        switch (left, right) {
        case (.date(let a), .date(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.string(let a), .string(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.quantity(let a), .quantity(let b)):
            let (first, second) = (a.record, b.record)
            guard let from = try? UnitExpression(parsing: first.unit), let to = try? UnitExpression(parsing: second.unit),
                let value = from.conversion(to: to).map({ $0(first.value) })
            else { return nil }
            return value < second.value ? -1 : value > second.value ? 1 : 0
        default:
            guard let a = left.asNumber, let b = right.asNumber else { return nil }
            return a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
        }
    }

    private static func text(
        _ left: PredicateValue, _ right: PredicateValue, _ comparison: PredicateComparison,
        _ test: (String, String) -> Bool
    ) -> Bool {
        guard case .string(let leftText) = left, case .string(let rightText) = right else { return false }
        return test(folded(leftText, comparison), folded(rightText, comparison))
    }

    private static func folded(_ text: String, _ comparison: PredicateComparison) -> String {
        var options: String.CompareOptions = []
        if comparison.isCaseInsensitive { options.insert(.caseInsensitive) }
        if comparison.isDiacriticInsensitive { options.insert(.diacriticInsensitive) }
        return options.isEmpty ? text : text.folding(options: options, locale: nil)
    }

    private static func matches(_ text: String, pattern: String) -> Bool {
        guard let found = text.range(of: pattern, options: [.regularExpression, .anchored]) else { return false }
        return found == text.startIndex..<text.endIndex
    }

    /// `*` and `?` of `LIKE` as a regular expression.
    private static func expression(fromLike pattern: String) -> String {
        pattern.map { character in
            switch character {
            case "*": ".*"
            case "?": "."
            default: NSRegularExpression.escapedPattern(for: String(character))
            }
        }.joined()
    }
}
