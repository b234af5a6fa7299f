public import Foundation

/// One sample type with a predicate: a part of a query over several types.
///
/// It cannot be archived, as it can in the original: Foundation on Linux archives no predicate.
// Unchecked: both properties are constant; predicates and types never change.
open class HKQueryDescriptor: NSObject, NSCopying, @unchecked Sendable {
    /// The type asked for.
    public let sampleType: HKSampleType
    /// Which of its samples; `nil` for all.
    public let predicate: NSPredicate?

    /// Asks for samples of a type; that the predicate fits the type is checked by the query.
    public init(sampleType: HKSampleType, predicate: NSPredicate?) {
        self.sampleType = sampleType
        self.predicate = predicate
        super.init()
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryDescriptor else { return false }
        return sampleType == other.sampleType && predicate == other.predicate
    }

    open override var hash: Int { sampleType.hashValue }
}
