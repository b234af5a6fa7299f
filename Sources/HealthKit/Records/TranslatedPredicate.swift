import Foundation
import HealthModel

/// A predicate in two halves: what the engine evaluates, and what is evaluated on objects afterwards.
struct TranslatedPredicate: Sendable {
    /// Holds for every sample that the predicate holds for.
    var filter: SampleFilter
    /// What must hold besides, or `nil` where the filter says it all.
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
        let filter: SampleFilter = parts.isEmpty ? .nothing : parts.count == 1 ? parts[0].filter : .or(parts.map(\.filter))
        // One opaque branch lets anything through its filter, so the whole must be evaluated again.
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
        let telling = filters.filter { $0 != .all }
        return telling.isEmpty ? .all : telling.count == 1 ? telling[0] : .and(telling)
    }
}

/// Carries a predicate to the thread that evaluates it.
// Unchecked: predicates are immutable once made; a block that is not safe on other threads would
// be wrong with the original as well, which runs queries in the background.
private struct PredicateHolder: @unchecked Sendable {
    let predicate: NSPredicate
}
