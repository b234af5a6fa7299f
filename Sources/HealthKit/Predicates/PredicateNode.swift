import Foundation
import HealthModel

/// The structure of a predicate of this module, which allows a store to evaluate it.
indirect enum PredicateNode: Hashable, Sendable {
    case constant(Bool)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    /// Created by a factory of `HKQuery`: the filter does not depend on the type.
    case filter(SampleFilter, printed: String)
    /// Written by hand: a key path compared with a value.
    case comparison(PredicateComparison)
}

/// One comparison of a hand-written predicate.
struct PredicateComparison: Hashable, Sendable, Codable {
    /// How the two sides are compared.
    enum Operator: String, Hashable, Sendable, Codable {
        case lessThan = "<"
        case lessThanOrEqual = "<="
        case equal = "=="
        case notEqual = "!="
        case greaterThanOrEqual = ">="
        case greaterThan = ">"
        case isIn = "IN"
        case between = "BETWEEN"
        case contains = "CONTAINS"
        case beginsWith = "BEGINSWITH"
        case endsWith = "ENDSWITH"
        case like = "LIKE"
        case matches = "MATCHES"

        /// The operator with its two sides exchanged, where it has one.
        var mirrored: Operator? {
            switch self {
            case .lessThan: .greaterThan
            case .lessThanOrEqual: .greaterThanOrEqual
            case .equal, .notEqual: self
            case .greaterThanOrEqual: .lessThanOrEqual
            case .greaterThan: .lessThan
            case .isIn: .contains
            case .contains: .isIn
            case .between, .beginsWith, .endsWith, .like, .matches: nil
            }
        }
    }

    var left: PredicateOperand
    var operation: Operator
    var right: PredicateOperand
    /// `[c]`: case is ignored.
    var isCaseInsensitive = false
    /// `[d]`: accents are ignored.
    var isDiacriticInsensitive = false
}

/// One side of a comparison: a key path of the object, or a value.
enum PredicateOperand: Hashable, Sendable {
    /// The path's parts; a metadata key is one part, whatever characters it contains.
    case keyPath([String])
    /// The object itself (`SELF`).
    case object
    case value(PredicateValue)
}

/// A predicate with a known structure, which a store can evaluate without creating objects.
///
/// `NSPredicate(format:)`, `NSComparisonPredicate(…)` and every predicate factory of `HKQuery`
/// create one; `NSCompoundPredicate` combines them like any other predicate.
final class StructuredPredicate: NSPredicate {
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

extension PredicateNode {
    /// The structure of a predicate; `nil` for a block, which has none.
    init?(_ predicate: NSPredicate) {
        switch predicate {
        case let predicate as StructuredPredicate:
            self = predicate.node
        case let compound as NSCompoundPredicate:
            let nodes = compound.subpredicates.map { PredicateNode($0) }
            guard !nodes.contains(nil) else { return nil }
            let known = nodes.compactMap { $0 }
            switch compound.compoundPredicateType {
            case .and: self = .and(known)
            case .or: self = .or(known)
            case .not: self = known.first.map { .not($0) } ?? .constant(true)
            @unknown default: return nil
            }
        default:
            switch predicate.format {
            case "TRUEPREDICATE": self = .constant(true)
            case "FALSEPREDICATE": self = .constant(false)
            default: return nil
            }
        }
    }
}

extension PredicateNode {
    /// The predicate in format syntax, for people and for ``StructuredPredicate/predicateFormat``.
    var printed: String {
        switch self {
        case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .and(let nodes): Self.join(nodes, "AND", empty: "TRUEPREDICATE")
        case .or(let nodes): Self.join(nodes, "OR", empty: "FALSEPREDICATE")
        case .not(let node): "NOT \(node.printedInParentheses)"
        case .filter(_, let printed): printed
        case .comparison(let comparison): comparison.printed
        }
    }

    private var printedInParentheses: String {
        switch self {
        case .and, .or: "(\(printed))"
        case .filter(_, let printed) where printed.contains(" AND ") || printed.contains(" OR "): "(\(printed))"
        default: printed
        }
    }

    private static func join(_ nodes: [PredicateNode], _ word: String, empty: String) -> String {
        if nodes.isEmpty { return empty }
        return nodes.map(\.printedInParentheses).joined(separator: " \(word) ")
    }
}

extension PredicateComparison {
    /// The comparison in format syntax.
    var printed: String {
        let flags = (isCaseInsensitive ? "c" : "") + (isDiacriticInsensitive ? "d" : "")
        return "\(left.printed) \(operation.rawValue)\(flags.isEmpty ? "" : "[\(flags)]") \(right.printed)"
    }
}

extension PredicateOperand {
    fileprivate var printed: String {
        switch self {
        case .keyPath(let parts): parts.joined(separator: ".")
        case .object: "SELF"
        case .value(let value): value.printed
        }
    }
}

extension PredicateValue {
    fileprivate var printed: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "YES" : "NO"
        case .number(let value): value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
        case .string(let value): "\"\(value)\""
        case .date(let value): "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
        case .uuid(let value): value.uuidString
        case .quantity(let value): HKQuantity(record: value).description
        case .source(let value): value
        case .ownSource: HKSource.default().bundleIdentifier
        case .sourceRevision(let value): value.bundleIdentifier
        case .device(let value): value.name ?? "device"
        case .object(let value): value.uuidString
        case .day(let value): String(format: "%04d-%02d-%02d", value / 10_000, value / 100 % 100, value % 100)
        case .list(let values): "{\(values.map(\.printed).joined(separator: ", "))}"
        }
    }
}
