import Foundation
import HealthModel

/// Converts a predicate to a filter, which a store evaluates, and a remainder, which is evaluated on objects.
enum PredicateTranslation {
    /// Translates a predicate.
    ///
    /// - Throws: ``PredicateTranslationError`` for key paths that the type does not have and values of
    ///   the wrong kind; its text is the reason the original gives when the query is executed.
    static func translate(
        _ predicate: NSPredicate?, for type: HKObjectType
    ) throws(PredicateTranslationError) -> TranslatedPredicate {
        guard let predicate else { return TranslatedPredicate(filter: .all, residual: nil) }
        switch predicate {
        case let predicate as StructuredPredicate:
            return try KeyPathTranslation(type: type).translate(predicate.node)
        case let predicate as NSCompoundPredicate:
            return try translate(predicate, for: type)
        default:
            return opaque(predicate)
        }
    }

    private static func translate(
        _ compound: NSCompoundPredicate, for type: HKObjectType
    ) throws(PredicateTranslationError) -> TranslatedPredicate {
        var parts: [TranslatedPredicate] = []
        for predicate in compound.subpredicates {
            parts.append(try translate(predicate, for: type))
        }
        switch compound.compoundPredicateType {
        case .and: return .conjunction(parts)
        case .or: return .disjunction(parts, of: compound)
        case .not:
            return parts.first.map { .negation($0, of: compound) } ?? TranslatedPredicate(filter: .all, residual: nil)
        @unknown default: return opaque(compound)
        }
    }

    /// A predicate without structure: constants are recognized by their format, blocks are evaluated on objects.
    private static func opaque(_ predicate: NSPredicate) -> TranslatedPredicate {
        switch predicate.format {
        case "TRUEPREDICATE": return TranslatedPredicate(filter: .all, residual: nil)
        case "FALSEPREDICATE": return TranslatedPredicate(filter: .nothing, residual: nil)
        default: return TranslatedPredicate(filter: .all, residual: TranslatedPredicate.evaluation(of: predicate))
        }
    }
}

/// A predicate in two parts: what a store evaluates, and what is evaluated on its objects afterwards.
struct TranslatedPredicate: Sendable {
    /// Matches every object that the predicate matches.
    var filter: SampleFilter
    /// The remaining condition; `nil` where the filter is exact.
    var residual: (@Sendable (Any) -> Bool)?

    static func conjunction(_ parts: [TranslatedPredicate]) -> TranslatedPredicate {
        let residuals = parts.compactMap(\.residual)
        let filter = joined(parts.map(\.filter))
        guard !residuals.isEmpty else { return TranslatedPredicate(filter: filter, residual: nil) }
        return TranslatedPredicate(filter: filter) { (object: Any) -> Bool in
            residuals.allSatisfy { residual in residual(object) }
        }
    }

    static func disjunction(_ parts: [TranslatedPredicate], of whole: NSPredicate) -> TranslatedPredicate {
        let filter: SampleFilter =
            parts.isEmpty ? .nothing : parts.count == 1 ? parts[0].filter : .or(parts.map(\.filter))
        // One opaque branch makes the filter match everything, so the whole must be evaluated again.
        return TranslatedPredicate(
            filter: filter, residual: parts.contains { $0.residual != nil } ? evaluation(of: whole) : nil)
    }

    static func negation(_ part: TranslatedPredicate, of whole: NSPredicate) -> TranslatedPredicate {
        guard part.residual == nil else { return TranslatedPredicate(filter: .all, residual: evaluation(of: whole)) }
        return TranslatedPredicate(filter: .not(part.filter), residual: nil)
    }

    /// Evaluates a whole predicate on an object.
    static func evaluation(of predicate: NSPredicate) -> @Sendable (Any) -> Bool {
        let holder = PredicateHolder(predicate: predicate)
        return { holder.predicate.evaluate(with: $0) }
    }

    private static func joined(_ filters: [SampleFilter]) -> SampleFilter {
        let effective = filters.filter { $0 != .all }
        return effective.isEmpty ? .all : effective.count == 1 ? effective[0] : .and(effective)
    }
}

/// Carries a predicate to the thread that evaluates it.
// Unchecked: predicates are immutable; a block that is unsafe on other threads would be wrong with the
// original as well, which runs queries in the background.
private struct PredicateHolder: @unchecked Sendable {
    let predicate: NSPredicate
}

/// A predicate that is invalid for a data type.
struct PredicateTranslationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason. Contains no value.
    var reason: String

    var description: String { reason }
}
