public import Foundation
import HealthModel

/// A prescription of glasses or contacts. Each object's reading is the person's decision.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKVisionPrescription: HKSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's fields.
    typealias Field = VisionPrescriptionDocument

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// A prescription without lenses.
    ///
    /// An expiration before the issue, or metadata that is not allowed, ends the process.
    public convenience init(
        type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        self.init(
            type: type, dateIssued: dateIssued, expirationDate: expirationDate, lenses: [:], device: device,
            metadata: metadata)
    }

    /// A prescription with what is particular to its kind.
    convenience init(
        type: HKVisionPrescriptionType, dateIssued: Date, expirationDate: Date?,
        lenses: [String: FieldValue?], device: HKDevice?, metadata: [String: Any]?
    ) {
        let document = ProgrammerError.checked { () throws(ObjectRefusal) in
            try Self.document(
                type, issued: dateIssued.timeIntervalSinceReferenceDate,
                expiration: expirationDate?.timeIntervalSinceReferenceDate, lenses: lenses)
        }
        self.init(
            new: .visionPrescriptionType(), start: dateIssued, end: dateIssued, device: device,
            metadata: metadata, document: document)
    }

    /// The document of a prescription.
    ///
    /// - Throws: for an expiration before the issue.
    static func document(
        _ type: HKVisionPrescriptionType, issued: Double, expiration: Double?,
        lenses: [String: FieldValue?] = [:]
    ) throws(ObjectRefusal) -> DocumentBody {
        if let expiration {
            guard expiration >= issued else {
                throw ObjectRefusal(reason: "A vision prescription requires expirationDate to be at or after dateIssued")
            }
        }
        var fields = lenses.compactMapValues { $0 }
        fields[Field.type] = .integer(Int64(type.rawValue))
        fields[Field.expiration] = expiration.map { .date($0) }
        return DocumentBody(fields: fields)
    }

    /// Whether it is for glasses or contacts.
    public var prescriptionType: HKVisionPrescriptionType {
        document.integer(Field.type).flatMap { HKVisionPrescriptionType(rawValue: UInt(bitPattern: $0)) } ?? .glasses
    }

    /// When it was written; the sample's start and end.
    public var dateIssued: Date { startDate }

    /// When it ceases to be valid; `nil` where nothing is said.
    public var expirationDate: Date? {
        document[Field.expiration]?.number.map { Date(timeIntervalSinceReferenceDate: $0) }
    }

    /// The prescription in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKPrescriptionType,
            item.document.integer(Field.type) != nil,
            Self.isComplete(item.document)
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }

    /// Whether the fields suit this class and the kind of prescription.
    private static func isComplete(_ document: DocumentBody) -> Bool {
        let own = prescriptionClass(of: document)
        guard own == self || self == HKVisionPrescription.self else { return false }
        return own == HKContactsPrescription.self
            ? HKContactsPrescription.areLenses(document) : HKGlassesPrescription.areLenses(document)
    }

    /// The class that stands for a kind of prescription.
    static func prescriptionClass(of document: DocumentBody) -> HKVisionPrescription.Type {
        switch document.integer(Field.type) {
        case Int(HKVisionPrescriptionType.glasses.rawValue): HKGlassesPrescription.self
        case Int(HKVisionPrescriptionType.contacts.rawValue): HKContactsPrescription.self
        default: HKVisionPrescription.self
        }
    }
}
