public import Foundation

/// Lets the initializers below return a descriptor of a class of this module; not for other use.
public protocol SortDescriptorMaking {}

extension NSSortDescriptor: SortDescriptorMaking {}

extension SortDescriptorMaking where Self: NSSortDescriptor {
    /// Sorts by one of the sort identifiers (`HKSampleSortIdentifierStartDate` …) or a property name.
    public init(key: String?, ascending: Bool) {
        self = KeySortDescriptor(key: key ?? "", ascending: ascending) as! Self
    }
}

extension NSSortDescriptor {
    /// The key the descriptor was made with, or the property name of its key path.
    public var key: String? {
        (self as? KeySortDescriptor)?.sortKey ?? SortTranslation.name(of: keyPath)
    }
}

/// A sort descriptor that remembers its key, which Foundation's cannot on this platform.
// Unchecked because Foundation leaves NSSortDescriptor so; the one field here is constant.
final class KeySortDescriptor: NSSortDescriptor, @unchecked Sendable {
    let sortKey: String

    init(key: String, ascending: Bool) {
        sortKey = key
        super.init(keyPath: \HKSample.startDate, ascending: ascending)
    }

    required init?(coder: NSCoder) {
        nil
    }

    override func compare(_ left: Any, to right: Any) -> ComparisonResult {
        let order = PredicateEvaluation.order(
            PredicateEvaluation.property([sortKey], of: left),
            PredicateEvaluation.property([sortKey], of: right)) ?? 0
        let result: ComparisonResult = order < 0 ? .orderedAscending : order > 0 ? .orderedDescending : .orderedSame
        if ascending || result == .orderedSame { return result }
        return result == .orderedAscending ? .orderedDescending : .orderedAscending
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}
