import Foundation

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
        case .quantity(let value): value.description
        case .source(let value): value.bundleIdentifier
        case .sourceRevision(let value): value.source.bundleIdentifier
        case .device(let value): value.name ?? "device"
        case .object(let value): value.uuid.uuidString
        case .day(let value): String(format: "%04d-%02d-%02d", value.year ?? 0, value.month ?? 0, value.day ?? 0)
        case .list(let values): "{\(values.map(\.printed).joined(separator: ", "))}"
        }
    }
}
