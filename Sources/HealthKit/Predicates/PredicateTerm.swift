import Foundation

/// A part of a predicate in an archive: a name and its arguments, which are text, numbers, HealthKit's own objects and
/// other terms. The layout is ours: Foundation on Linux doesn't archive predicates.
// Unchecked: both properties are constant, and the arguments are immutable objects.
final class PredicateTerm: NSObject, NSSecureCoding, @unchecked Sendable {
    let name: String
    let arguments: [Any]

    init(_ name: String, _ arguments: [Any] = []) {
        self.name = name
        self.arguments = arguments
    }

    static var supportsSecureCoding: Bool { true }

    private static let classes: [AnyClass] = [
        NSArray.self, NSString.self, NSNumber.self, PredicateTerm.self, HKQuantity.self, HKSource.self,
        HKSourceRevision.self,
        HKDevice.self, HKObjectType.self, HKObject.self,
    ]

    func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "name")
        coder.encode(NSArray(array: arguments), forKey: "arguments")
    }

    /// Decodes a term; `nil` for a damaged archive.
    init?(coder: NSCoder) {
        guard let name = coder.decodeObject(of: NSString.self, forKey: "name") as String?,
            let arguments = coder.decodeObject(of: Self.classes, forKey: "arguments") as? NSArray
        else { return nil }
        self.name = name
        self.arguments = arguments.map { $0 }
    }
}

/// Reads the arguments of a term.
struct TermReader {
    let term: PredicateTerm

    /// A missing argument, or one of another kind.
    struct Mismatch: Error {}

    func object<Value>(_ index: Int, _ type: Value.Type = Value.self) throws -> Value {
        guard term.arguments.indices.contains(index), let value = term.arguments[index] as? Value else {
            throw Mismatch()
        }
        return value
    }

    func text(_ index: Int) throws -> String { try object(index) }

    func number(_ index: Int) throws -> Double {
        switch try object(index, Any.self) {
        case let number as Double: return number
        case let number as Int: return Double(number)
        case let number as NSNumber: return number.doubleValue
        default: throw Mismatch()
        }
    }

    func integer(_ index: Int) throws -> Int {
        guard let integer = Int(exactly: try number(index)) else { throw Mismatch() }
        return integer
    }

    func uuid(_ index: Int) throws -> UUID {
        guard let uuid = UUID(uuidString: try text(index)) else { throw Mismatch() }
        return uuid
    }

    /// All arguments from one on.
    func rest<Value>(from index: Int, _ type: Value.Type = Value.self) throws -> [Value] {
        try (index..<max(index, term.arguments.count)).map { try object($0) }
    }
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

    /// The node as an archive has it.
    var term: PredicateTerm {
        switch self {
        case .constant(let value): PredicateTerm("constant", [value ? 1 : 0])
        case .and(let nodes): PredicateTerm("and", nodes.map(\.term))
        case .or(let nodes): PredicateTerm("or", nodes.map(\.term))
        case .not(let node): PredicateTerm("not", [node.term])
        case .filter(let filter, let printed): PredicateTerm("filter", [filter.term, printed])
        case .comparison(let comparison):
            PredicateTerm(
                "comparison",
                [
                    comparison.left.term, comparison.operation.rawValue, comparison.right.term,
                    comparison.isCaseInsensitive ? 1 : 0, comparison.isDiacriticInsensitive ? 1 : 0,
                ])
        }
    }

    /// Reads a node.
    ///
    /// - Throws: an error for a term that this version doesn't know.
    init(_ term: PredicateTerm) throws {
        let reader = TermReader(term: term)
        switch term.name {
        case "constant": self = .constant(try reader.integer(0) != 0)
        case "and": self = .and(try reader.rest(from: 0).map { try PredicateNode($0) })
        case "or": self = .or(try reader.rest(from: 0).map { try PredicateNode($0) })
        case "not": self = .not(try PredicateNode(reader.object(0, PredicateTerm.self)))
        case "filter": self = .filter(try ObjectFilter(reader.object(0)), printed: try reader.text(1))
        case "comparison":
            guard let operation = PredicateComparison.Operator(rawValue: try reader.text(1)) else {
                throw TermReader.Mismatch()
            }
            self = .comparison(
                PredicateComparison(
                    left: try PredicateOperand(reader.object(0)), operation: operation,
                    right: try PredicateOperand(reader.object(2)), isCaseInsensitive: try reader.integer(3) != 0,
                    isDiacriticInsensitive: try reader.integer(4) != 0))
        default: throw TermReader.Mismatch()
        }
    }
}

extension PredicateOperand {
    fileprivate var term: PredicateTerm {
        switch self {
        case .keyPath(let parts): PredicateTerm("keyPath", parts)
        case .object: PredicateTerm("self")
        case .value(let value): PredicateTerm("value", [value.term])
        }
    }

    fileprivate init(_ term: PredicateTerm) throws {
        let reader = TermReader(term: term)
        switch term.name {
        case "keyPath": self = .keyPath(try reader.rest(from: 0))
        case "self": self = .object
        case "value": self = .value(try PredicateValue(term: reader.object(0)))
        default: throw TermReader.Mismatch()
        }
    }
}

extension PredicateValue {
    /// The value as an archive has it.
    var term: PredicateTerm {
        switch self {
        case .null: PredicateTerm("null")
        case .bool(let value): PredicateTerm("bool", [value ? 1 : 0])
        case .number(let value): PredicateTerm("number", [value])
        case .string(let value): PredicateTerm("string", [value])
        case .date(let value): PredicateTerm("date", [value.timeIntervalSinceReferenceDate])
        case .uuid(let value): PredicateTerm("uuid", [value.uuidString])
        case .quantity(let value): PredicateTerm("quantity", [value])
        case .source(let value): PredicateTerm("source", [value])
        case .sourceRevision(let value): PredicateTerm("sourceRevision", [value])
        case .device(let value): PredicateTerm("device", [value])
        case .object(let value): PredicateTerm("object", [value])
        case .day(let value): PredicateTerm("day", [value.year ?? 0, value.month ?? 0, value.day ?? 0])
        case .list(let values): PredicateTerm("list", values.map(\.term))
        }
    }

    /// Reads a value.
    ///
    /// - Throws: an error for a term that this version doesn't know.
    init(term: PredicateTerm) throws {
        let reader = TermReader(term: term)
        switch term.name {
        case "null": self = .null
        case "bool": self = .bool(try reader.integer(0) != 0)
        case "number": self = .number(try reader.number(0))
        case "string": self = .string(try reader.text(0))
        case "date": self = .date(Date(timeIntervalSinceReferenceDate: try reader.number(0)))
        case "uuid": self = .uuid(try reader.uuid(0))
        case "quantity": self = .quantity(try reader.object(0))
        case "source": self = .source(try reader.object(0))
        case "sourceRevision": self = .sourceRevision(try reader.object(0))
        case "device": self = .device(try reader.object(0))
        case "object": self = .object(try reader.object(0))
        case "day":
            self = .day(
                DateComponents(
                    calendar: Calendar(identifier: .gregorian), year: try reader.integer(0),
                    month: try reader.integer(1),
                    day: try reader.integer(2)))
        case "list": self = .list(try reader.rest(from: 0).map { try PredicateValue(term: $0) })
        default: throw TermReader.Mismatch()
        }
    }
}
