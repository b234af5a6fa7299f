public import Foundation
import HealthModel

extension HKQuery {
    /// States of mind whose valence compares as said.
    public class func predicateForStatesOfMind(
        withValence valence: Double, operatorType: NSComparisonPredicate.Operator
    ) -> NSPredicate {
        predicate(
            .field(HKStateOfMind.Field.valence, comparison(operatorType), .double(valence)),
            printed: "valence \(PredicateComparison.Operator(operatorType).rawValue) value")
    }

    /// States of mind of one kind.
    public class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
        predicate(
            .field(HKStateOfMind.Field.kind, .equal, .integer(Int64(kind.rawValue))),
            printed: "kind == \(kind.rawValue)")
    }

    /// States of mind described with a word.
    public class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
        predicate(
            .fieldContains(HKStateOfMind.Field.labels, .integer(Int64(label.rawValue))),
            printed: "labels CONTAINS \(label.rawValue)")
    }

    /// States of mind that have to do with something.
    public class func predicateForStatesOfMind(with association: HKStateOfMind.Association) -> NSPredicate {
        predicate(
            .fieldContains(HKStateOfMind.Field.associations, .integer(Int64(association.rawValue))),
            printed: "associations CONTAINS \(association.rawValue)")
    }
}
