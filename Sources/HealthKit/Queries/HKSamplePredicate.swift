public import Foundation

/// A sample type with a predicate, for queries with an asynchronous result. The generic parameter is the class
/// of the samples.
public struct HKSamplePredicate<Sample: HKSample>: Hashable, Sendable {
    /// The sample type.
    public let sampleType: HKSampleType
    /// Which of its samples match; `nil` for all.
    // Unsafe: predicates are immutable; a block that is not safe on other threads would be an error with
    // the original as well, which runs queries in the background.
    nonisolated(unsafe) public let nsPredicate: NSPredicate?

    init(type: HKSampleType, predicate: NSPredicate?) {
        sampleType = type
        nsPredicate = predicate
    }

    /// A predicate for samples of any type.
    public static func sample(
        type sampleType: HKSampleType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKSample> {
        HKSamplePredicate<HKSample>(type: sampleType, predicate: predicate)
    }

    /// A predicate for quantity samples.
    public static func quantitySample(
        type quantityType: HKQuantityType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKQuantitySample> {
        HKSamplePredicate<HKQuantitySample>(type: quantityType, predicate: predicate)
    }

    /// A predicate for category samples.
    public static func categorySample(
        type categoryType: HKCategoryType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCategorySample> {
        HKSamplePredicate<HKCategorySample>(type: categoryType, predicate: predicate)
    }

    /// A predicate for correlations.
    public static func correlation(
        type correlationType: HKCorrelationType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKCorrelation> {
        HKSamplePredicate<HKCorrelation>(type: correlationType, predicate: predicate)
    }

    /// The descriptor for queries with handlers.
    var descriptor: HKQueryDescriptor {
        HKQueryDescriptor(sampleType: sampleType, predicate: nsPredicate)
    }
}

/// A sample type with a predicate, for queries over several types.
///
/// An archive of it has its own layout, because Foundation on Linux doesn't archive predicates. A predicate with a
/// block can't be archived and ends the process, as in the original.
// Unchecked: both properties are constant; predicates and types are immutable.
open class HKQueryDescriptor: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The sample type.
    open var sampleType: HKSampleType { storedSampleType }
    /// Which of its samples match; `nil` for all.
    open var predicate: NSPredicate? { storedPredicate }

    private let storedSampleType: HKSampleType
    private let storedPredicate: NSPredicate?

    /// Creates a descriptor. The query checks that the predicate fits the type.
    public init(sampleType: HKSampleType, predicate: NSPredicate?) {
        storedSampleType = sampleType
        storedPredicate = predicate
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        coder.encode(sampleType, forKey: "sampleType")
        guard let predicate else { return }
        guard let node = PredicateNode(predicate) else {
            ProgrammerError.raise("NSPredicate using Blocks cannot be encoded")
        }
        SecureRecord.encode(node, with: coder)
    }

    /// Decodes a descriptor; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let type = coder.decodeObject(of: HKObjectType.self, forKey: "sampleType") as? HKSampleType else {
            return nil
        }
        storedSampleType = type
        if SecureRecord.isPresent(in: coder) {
            guard let node = SecureRecord.decode(PredicateNode.self, from: coder) else { return nil }
            storedPredicate = StructuredPredicate(node)
        } else {
            storedPredicate = nil
        }
    }

    /// Descriptors are equal if their types and the structures of their predicates are. A block is only equal to
    /// itself.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKQueryDescriptor, sampleType == other.sampleType else { return false }
        guard let predicate, let another = other.predicate else {
            return self.predicate == nil && other.predicate == nil
        }
        if let node = PredicateNode(predicate), let otherNode = PredicateNode(another) { return node == otherNode }
        return predicate === another
    }

    open override var hash: Int { sampleType.hashValue }
}

extension [HKQueryDescriptor] {
    /// The only element; `nil` if there are several.
    var single: HKQueryDescriptor? { count == 1 ? first : nil }
}

/// Validation of queries. A failure ends the process, as executing the query in the original does.
enum QueryValidation {
    /// Returns the result of `body`; an error is a programmer error and ends the process.
    static func checked<Value>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Value
    ) -> Value {
        do {
            return try body()
        } catch {
            ProgrammerError.raise("\(error)", file: file, line: line)
        }
    }

    /// Translates predicates.
    static func parts<Sample>(
        _ predicates: [HKSamplePredicate<Sample>], of query: String, file: StaticString = #fileID, line: UInt = #line
    ) -> [QueryPart] {
        guard !predicates.isEmpty else {
            ProgrammerError.raise("\(query) data type must be non-nil", file: file, line: line)
        }
        return checked(file: file, line: line) { try QueryPart.parts(of: predicates.map(\.descriptor)) }
    }
}
