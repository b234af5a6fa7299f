import Foundation
import HealthModel

/// Turns a predicate into the filter that the engine evaluates on columns.
enum PredicateTranslation {
    /// The filter, and what is left to evaluate on objects.
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
        for case let predicate as NSPredicate in compound.subpredicates {
            parts.append(try translate(predicate, for: type))
        }
        switch compound.compoundPredicateType {
        case .and: return .conjunction(parts)
        case .or: return .disjunction(parts, of: compound)
        case .not: return parts.first.map { .negation($0, of: compound) } ?? TranslatedPredicate(filter: .all, residual: nil)
        @unknown default: return opaque(compound)
        }
    }

    /// A predicate without structure: constants are recognised by their format, blocks stay for later.
    private static func opaque(_ predicate: NSPredicate) -> TranslatedPredicate {
        switch predicate.predicateFormat {
        case "TRUEPREDICATE": return TranslatedPredicate(filter: .all, residual: nil)
        case "FALSEPREDICATE": return TranslatedPredicate(filter: .nothing, residual: nil)
        default: return TranslatedPredicate(filter: .all, residual: TranslatedPredicate.evaluation(of: predicate))
        }
    }
}
