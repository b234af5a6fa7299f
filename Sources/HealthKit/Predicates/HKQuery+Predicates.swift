import Foundation
import HealthModel

extension HKQuery {
    /// A predicate whose filter is known at once.
    static func predicate(_ filter: SampleFilter, printed: String) -> NSPredicate {
        StructuredPredicate(.filter(filter, printed: printed))
    }

    /// The engine's comparison for an operator of a factory; one that does not compare ends the process.
    static func comparison(_ operatorType: NSComparisonPredicate.Operator) -> ComparisonOperator {
        guard let comparison = PredicateComparison.Operator(operatorType).comparison else {
            ProgrammerError.raise("Unsupported predicate operator \(operatorType.rawValue)")
        }
        return comparison
    }
}
