public import Foundation
import HealthModel
public import enum PredicateTypes.NSComparisonPredicate

/// Allows the initializers below to return a subclass; not for other use.
public protocol PredicateMaking {}

extension NSPredicate: PredicateMaking {}

extension PredicateMaking where Self: NSPredicate {
    /// Creates a predicate from a format string.
    ///
    /// The supported syntax is: key paths (`%K`), values (`%@ %d %i %u %ld %lu %lld %llu %f %g %lf`), literals,
    /// `= == != <> < <= > >=`, `IN`, `BETWEEN`, `CONTAINS`, `BEGINSWITH`, `ENDSWITH`, `LIKE`,
    /// `MATCHES` (with `[c]` and `[d]`), `AND`, `OR`, `NOT`, parentheses, `TRUEPREDICATE`,
    /// `FALSEPREDICATE`, `nil`, `YES`, `NO` and `metadata.KEY`. A string that does not parse, or a
    /// missing argument, ends the process; `NSPredicate.validate(format:arguments:)` throws instead.
    public init(format predicateFormat: String, _ arguments: Any?...) {
        self = NSPredicate.structured(predicateFormat, arguments) as! Self
    }

    /// Creates a predicate from a format string and an array of arguments.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = NSPredicate.structured(predicateFormat, arguments ?? []) as! Self
    }
}

extension NSPredicate {
    /// Checks a format string and its arguments without creating a predicate.
    ///
    /// - Throws: ``PredicateFormatError`` with the reason and the position in the string.
    public static func validate(format: String, arguments: [Any?]) throws {
        _ = try PredicateFormatParser.parse(format, arguments: arguments)
    }

    fileprivate static func structured(_ format: String, _ arguments: [Any?]) -> StructuredPredicate {
        do {
            return StructuredPredicate(try PredicateFormatParser.parse(format, arguments: arguments))
        } catch {
            ProgrammerError.raise("\(error)")
        }
    }
}

// Arguments of `%@`, in `String(format:)`, `NSLog` and predicates. With the original every object is one, because
// `NSObject` itself is a `CVarArg` there; here each class conforms. The argument is the object's description.

extension _CVarArgObject where Self: NSObject {
    public var _cVarArgObject: any CVarArg { description as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {
    public var _cVarArgObject: any CVarArg { description as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {
    public var _cVarArgObject: any CVarArg { uuidString as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {
    public var _cVarArgObject: any CVarArg { description as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {
    public var _cVarArgObject: any CVarArg { description as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {
    public var _cVarArgObject: any CVarArg { description as NSString }
    public var _cVarArgEncoding: [Int] { _cVarArgObject._cVarArgEncoding }
}

extension NSDate: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSUUID: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSNumber: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSArray: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSSet: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSDictionary: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSError: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSURL: @retroactive CVarArg, @retroactive _CVarArgObject {}
extension NSData: @retroactive CVarArg, @retroactive _CVarArgObject {}

/// `NSPredicate.predicateFormat`, which Foundation deprecates on Linux because its text must not be stored. It is
/// only compared with the formats of the two constant predicates.
private protocol FormattedPredicate {
    var predicateFormat: String { get }
}

extension NSPredicate: FormattedPredicate {
    var format: String { (self as any FormattedPredicate).predicateFormat }
}

// MARK: - Comparisons

/// Creates a predicate that compares a key path with a value, like the original's class of this name.
///
/// Foundation's class cannot be created on this platform, so this is a function of the same name. Custom
/// selectors and blocks are not supported; the modifier is always `direct`.
public func NSComparisonPredicate(
    leftExpression left: PredicateOperandExpression, rightExpression right: PredicateOperandExpression,
    modifier: NSComparisonPredicate.Modifier, type: NSComparisonPredicate.Operator,
    options: NSComparisonPredicate.Options = []
) -> NSPredicate {
    StructuredPredicate(
        .comparison(
            PredicateComparison(
                left: left.operand, operation: PredicateComparison.Operator(type), right: right.operand,
                isCaseInsensitive: options.contains(.caseInsensitive),
                isDiacriticInsensitive: options.contains(.diacriticInsensitive))))
}

extension PredicateComparison.Operator {
    /// Converts an operator of Foundation.
    init(_ type: NSComparisonPredicate.Operator) {
        switch type {
        case .lessThan: self = .lessThan
        case .lessThanOrEqualTo: self = .lessThanOrEqual
        case .greaterThan: self = .greaterThan
        case .greaterThanOrEqualTo: self = .greaterThanOrEqual
        case .equalTo: self = .equal
        case .notEqualTo: self = .notEqual
        case .matches: self = .matches
        case .like: self = .like
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .in: self = .isIn
        case .contains: self = .contains
        case .between: self = .between
        // For later versions of Foundation; the current one has no custom selectors either.
        @unknown default: fatalError("NSInvalidArgumentException: Unsupported predicate operator \(type.rawValue)")
        }
    }

    /// The operator in filters; `nil` for those that are not comparisons.
    var comparison: ComparisonOperator? {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqual: .lessThanOrEqual
        case .equal: .equal
        case .notEqual: .notEqual
        case .greaterThanOrEqual: .greaterThanOrEqual
        case .greaterThan: .greaterThan
        case .isIn, .between, .contains, .beginsWith, .endsWith, .like, .matches: nil
        }
    }
}

/// One side of a comparison predicate: the result of `NSExpression(forKeyPath:)` and related functions.
///
/// Foundation's class cannot be created on this platform.
public struct PredicateOperandExpression: Sendable {
    let operand: PredicateOperand
}

/// Creates an expression for a key path of the evaluated object.
public func NSExpression(forKeyPath keyPath: String) -> PredicateOperandExpression {
    guard keyPath.hasPrefix("metadata.") else {
        return PredicateOperandExpression(operand: .keyPath(keyPath.split(separator: ".").map(String.init)))
    }
    return PredicateOperandExpression(operand: .keyPath(["metadata", String(keyPath.dropFirst("metadata.".count))]))
}

/// Creates an expression for a value. A value that predicates cannot contain ends the process.
public func NSExpression(forConstantValue value: Any?) -> PredicateOperandExpression {
    guard let constant = PredicateValue(value) else {
        ProgrammerError.raise("a value of type \(type(of: value)) cannot be compared")
    }
    return PredicateOperandExpression(operand: .value(constant))
}

/// Creates an expression for a list of values (`IN`, `BETWEEN`).
public func NSExpression(forAggregate values: [PredicateOperandExpression]) -> PredicateOperandExpression {
    let constants = values.map { expression -> PredicateValue in
        guard case .value(let value) = expression.operand else {
            ProgrammerError.raise("an aggregate holds constant values only")
        }
        return value
    }
    return PredicateOperandExpression(operand: .value(.list(constants)))
}

/// Allows the initializer below to return a subclass; not for other use.
public protocol SortDescriptorMaking {}

extension NSSortDescriptor: SortDescriptorMaking {}

extension SortDescriptorMaking where Self: NSSortDescriptor {
    /// Sorts by one of the sort identifiers (`HKSampleSortIdentifierStartDate` …) or a property name.
    public init(key: String?, ascending: Bool) {
        self = KeySortDescriptor(key: key ?? "", ascending: ascending) as! Self
    }

    /// Sorts arrays by a property with its own comparator. Queries refuse such a descriptor, as in the original.
    public init(key: String?, ascending: Bool, comparator: @escaping Comparator) {
        self = KeySortDescriptor(key: key ?? "", ascending: ascending, comparator: comparator) as! Self
    }
}

extension NSSortDescriptor {
    /// The key of the descriptor, or the property name of its key path.
    public var key: String? {
        (self as? KeySortDescriptor)?.sortKey ?? PredicateKeyPaths.sortIdentifier(of: keyPath)
    }
}

/// A sort descriptor with a key, which Foundation's does not support on this platform.
final class KeySortDescriptor: NSSortDescriptor {
    let sortKey: String
    let ownComparator: Comparator?

    init(key: String, ascending: Bool, comparator: Comparator? = nil) {
        sortKey = key
        ownComparator = comparator
        super.init(keyPath: \HKSample.startDate, ascending: ascending)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func compare(_ left: Any, to right: Any) -> ComparisonResult {
        let (first, second) = (
            PredicateEvaluation.property([sortKey], of: left), PredicateEvaluation.property([sortKey], of: right)
        )
        let result: ComparisonResult
        if let ownComparator {
            result = ownComparator(first.constant, second.constant)
        } else {
            let order = PredicateEvaluation.order(first, second) ?? 0
            result = order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
        }
        if ascending || result == .orderedSame { return result }
        return result == .orderedAscending ? .orderedDescending : .orderedAscending
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension PredicateOperandExpression {
    /// The key path of the expression, such as `device.localIdentifier`. An expression of values ends the process.
    public var keyPath: String {
        guard case .keyPath(let parts) = operand else {
            ProgrammerError.raise("-keyPath is only defined for expressions of key paths")
        }
        return parts.joined(separator: ".")
    }
}
