import Foundation
import HealthModel

/// Turns hand-written comparisons into filters, for one data type.
struct KeyPathTranslation {
    let type: HKObjectType

    /// The filter of a whole structure, with what is left for objects.
    func translate(_ node: PredicateNode) throws(PredicateTranslationError) -> TranslatedPredicate {
        switch node {
        case .constant(let value):
            return TranslatedPredicate(filter: value ? .all : .nothing, residual: nil)
        case .and(let nodes):
            return .conjunction(try translate(nodes))
        case .or(let nodes):
            return .disjunction(try translate(nodes), of: StructuredPredicate(node))
        case .not(let inner):
            return .negation(try translate(inner), of: StructuredPredicate(node))
        case .filter(let filter, _):
            try check(filter)
            return TranslatedPredicate(filter: filter, residual: nil)
        case .comparison(let comparison):
            if let filter = try filter(for: oriented(comparison)) {
                return TranslatedPredicate(filter: filter, residual: nil)
            }
            return TranslatedPredicate(
                filter: .all, residual: TranslatedPredicate.evaluation(of: StructuredPredicate(node)))
        }
    }

    private func translate(_ nodes: [PredicateNode]) throws(PredicateTranslationError) -> [TranslatedPredicate] {
        var parts: [TranslatedPredicate] = []
        for node in nodes { parts.append(try translate(node)) }
        return parts
    }

    /// The comparison with its key path on the left.
    private func oriented(_ comparison: PredicateComparison) -> PredicateComparison {
        guard case .value = comparison.left, let mirrored = comparison.operation.mirrored else { return comparison }
        var result = comparison
        (result.left, result.operation, result.right) = (comparison.right, mirrored, comparison.left)
        return result
    }

    /// The original checks predicates against the data type when the query is executed.
    private func check(_ filter: SampleFilter) throws(PredicateTranslationError) {
        switch filter {
        case .start where type is HKActivitySummaryType: throw unexpectedType("startDate")
        case .end where type is HKActivitySummaryType: throw unexpectedType("endDate")
        case .and(let filters), .or(let filters): for inner in filters { try check(inner) }
        case .not(let inner): try check(inner)
        default: break
        }
    }

    func unexpectedType(_ keyPath: String) -> PredicateTranslationError {
        PredicateTranslationError(
            reason: "Unexpected dataType of class \(Swift.type(of: type)) for \(keyPath) predicate")
    }

    func wrongValue(_ keyPath: String, wanted: String) -> PredicateTranslationError {
        PredicateTranslationError(reason: "The value compared with key path \(keyPath) must be \(wanted)")
    }

    /// The filter of one comparison, or `nil` where only objects can tell.
    private func filter(for comparison: PredicateComparison) throws(PredicateTranslationError) -> SampleFilter? {
        guard case .keyPath(let parts) = comparison.left, let path = parts.first else {
            return nil
        }
        guard case .value(let value) = comparison.right else { return nil }
        if comparison.isCaseInsensitive || comparison.isDiacriticInsensitive { return nil }
        if path == HKPredicateKeyPathMetadata { return try metadata(parts, comparison.operation, value) }
        switch comparison.operation {
        case .isIn:
            var filters: [SampleFilter] = []
            for element in value.elements {
                guard let filter = try self.filter(path, parts, .equal, element) else { return nil }
                filters.append(filter)
            }
            return filters.isEmpty ? .nothing : filters.count == 1 ? filters[0] : .or(filters)
        case .between:
            guard let low = try filter(path, parts, .greaterThanOrEqual, value.elements[0]),
                let high = try filter(path, parts, .lessThanOrEqual, value.elements[1])
            else { return nil }
            return .and([low, high])
        case .contains, .beginsWith, .endsWith, .like, .matches:
            return nil
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard let operation = comparison.operation.comparison else { return nil }
            return try filter(path, parts, operation, value)
        }
    }

    private func metadata(
        _ parts: [String], _ operation: PredicateComparison.Operator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        guard parts.count > 1 else { return nil }
        let key = parts[1]
        switch operation {
        case .isIn:
            let values = value.elements.compactMap(\.metadataValue)
            guard values.count == value.elements.count else { throw wrongValue("metadata", wanted: "text, numbers or dates") }
            return .metadataIn(key, values)
        case .between:
            guard let low = value.elements[0].metadataValue, let high = value.elements[1].metadataValue else {
                throw wrongValue("metadata", wanted: "text, a number or a date")
            }
            return .and([.metadata(key, .greaterThanOrEqual, low), .metadata(key, .lessThanOrEqual, high)])
        default:
            guard let comparison = operation.comparison else { return nil }
            if value == .null {
                return comparison == .equal ? .not(.metadataPresent(key)) : .metadataPresent(key)
            }
            guard let wanted = value.metadataValue else { throw wrongValue("metadata", wanted: "text, a number or a date") }
            return .metadata(key, comparison, wanted)
        }
    }
}
