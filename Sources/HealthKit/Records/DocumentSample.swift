import Foundation
import HealthModel

/// A sample with values of its own, which a store keeps as the fields and series of a document.
///
/// A class of such a family holds plain values in ``fields`` and is listed in `HKSample.documentClass(of:)`.
/// The conversion of the values to a document and back is in this folder, in one file per family.
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
    static func stored(_ base: SampleBase, document: DocumentBody) -> HKSample {
        stored(base, fields: Fields(document))
    }

    /// The document to store.
    var storedDocument: DocumentBody { fields.document }
}

extension HKSample {
    /// The sample of a stored object that is neither a workout nor a correlation, as an instance of its type's
    /// class; an `HKSample` for a type without a class of its own.
    static func document(_ base: SampleBase, body: ObjectBody) -> HKSample {
        let document = if case .document(let document) = body { document } else { DocumentBody() }
        return switch documentClass(of: base.context.type, document) {
        case let family as any DocumentSample.Type:
            family.stored(base, document: document)
        default:
            HKSample(base)
        }
    }

    /// The class of a family, by the type of its samples and, where a type has several classes, by the document.
    private static func documentClass(of type: HKSampleType, _ document: DocumentBody) -> HKSample.Type? {
        switch type.typeDescription.identifier {
        case HKWorkoutRouteTypeIdentifier: HKWorkoutRoute.self
        case HKDataTypeIdentifierHeartbeatSeries: HKHeartbeatSeriesSample.self
        case HKDataTypeIdentifierStateOfMind: HKStateOfMind.self
        case HKScoredAssessmentTypeIdentifier.GAD7.rawValue: HKGAD7Assessment.self
        case HKScoredAssessmentTypeIdentifier.PHQ9.rawValue: HKPHQ9Assessment.self
        case HKVisionPrescriptionTypeIdentifier: HKVisionPrescription.prescriptionClass(of: document)
        default:
            switch type {
            case is HKElectrocardiogramType: HKElectrocardiogram.self
            case is HKAudiogramSampleType: HKAudiogramSample.self
            case is HKClinicalType: HKClinicalRecord.self
            case is VerifiableRecordType: HKVerifiableClinicalRecord.self
            case is HKMedicationDoseEventType: HKMedicationDoseEvent.self
            case is HKScoredAssessmentType: HKScoredAssessment.self
            case is HKDocumentType: HKCDADocumentSample.self
            default: nil
            }
        }
    }
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
