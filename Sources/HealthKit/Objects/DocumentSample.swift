import Foundation
import HealthModel

/// A sample with its own values, which a store keeps as the fields and series of a document.
///
/// A class of such a family holds plain values in ``fields``, and its type provides it; see ``SampleClassProviding``. The
/// conversion of the values to a document and back is beside the class.
protocol DocumentSample: HKSample {
    associatedtype Fields: DocumentFields

    /// The values of the family.
    var fields: Fields { get }

    /// Returns a sample of valid parts. Not an initializer, which every subclass of an application would have to
    /// repeat.
    static func stored(_ base: SampleBase, fields: Fields) -> HKSample
}

/// The values of a ``DocumentSample``.
protocol DocumentFields: Sendable {
    /// The class of the family's types; archives of other types are rejected.
    associatedtype SampleType: HKSampleType

    /// The values in a stored document. A missing or unreadable field gets its default.
    init(_ document: DocumentBody)

    /// Whether a document from an archive has all the fields it must have, each of the right kind.
    static func isComplete(_ document: DocumentBody) -> Bool

    /// The document to store.
    var document: DocumentBody { get }
}

extension DocumentFields {
    static func isComplete(_ document: DocumentBody) -> Bool { true }
}

extension SampleBase {
    /// The parts of a new document sample of an application. Invalid dates and metadata end the process.
    static func document(
        _ type: HKSampleType, start: Date, end: Date, device: HKDevice?, metadata: [String: Any]?
    ) -> SampleBase {
        SampleBase.checked(new: type, start: start, end: end, device: device, metadata: metadata)
    }
}

extension DocumentSample {
    /// The sample that a store holds.
    static func stored(_ base: SampleBase, _ record: ObjectRecord) -> HKSample {
        stored(base, fields: Fields(record.document))
    }

    /// The document to store.
    var storedDocument: DocumentBody { fields.document }
}

/// A sample type whose samples have their own class. The type's conformance is beside the class.
protocol SampleClassProviding: HKSampleType {
    /// Returns the sample of a stored object; `nil` for a record of another kind.
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample?
}

extension HKSample {
    /// The sample of a stored object other than a correlation, of its type's class.
    static func make(_ base: SampleBase, _ record: ObjectRecord) -> HKSample {
        (base.context.type as? any SampleClassProviding)?.sample(base, record) ?? HKSample(base)
    }
}

extension ObjectRecord {
    /// The document; an empty one for an object without.
    var document: DocumentBody { if case .document(let document) = body { document } else { DocumentBody() } }
}

// MARK: - Reading documents

// A field of another kind than expected counts as missing.
extension DocumentBody {
    /// An integer field.
    func integer(_ name: String) -> Int? { fields[name]?.wholeNumber }

    /// A quantity field.
    func quantity(_ name: String) -> HKQuantity? { fields[name]?.quantityObject }

    /// A list of integers; empty for a missing field, `nil` when an element is of another kind.
    func integers(_ name: String) -> [Int]? {
        guard let field = fields[name] else { return [] }
        guard case .list(let elements) = field else { return nil }
        let numbers = elements.compactMap(\.wholeNumber)
        return numbers.count == elements.count ? numbers : nil
    }
}

extension FieldValue {
    /// The value of an integer.
    var wholeNumber: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { nil }
    }

    /// A quantity whose unit parses.
    var quantityObject: HKQuantity? {
        if case .quantity(let record) = self { HKQuantity(record) } else { nil }
    }

    /// A list of integers.
    static func integers(_ numbers: [Int]) -> FieldValue {
        .list(numbers.map { .integer(Int64($0)) })
    }

    /// The field of a quantity; `nil` for `nil`.
    static func quantity(_ quantity: HKQuantity?) -> FieldValue? {
        quantity.map { .quantity($0.record) }
    }
}
