import Foundation

/// A predicate that knows its structure, so that the store can answer it without making objects.
///
/// `NSPredicate(format:)`, `NSComparisonPredicate(…)` and every predicate factory of `HKQuery` give
/// one of these; `NSCompoundPredicate` combines them as any other predicate.
// Unchecked because Foundation leaves NSPredicate so; the one field here is constant.
final class StructuredPredicate: NSPredicate, @unchecked Sendable {
    let node: PredicateNode

    init(_ node: PredicateNode) {
        self.node = node
        super.init(value: true)
    }

    override var predicateFormat: String { node.printed }

    override var description: String { node.printed }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]? = nil) -> Bool {
        PredicateEvaluation.holds(node, for: object)
    }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? StructuredPredicate)?.node == node
    }

    override var hash: Int { node.hashValue }
}
