public import Foundation
import HealthModel

/// A record of a health institution: an allergy, a laboratory result, an immunization …
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKClinicalRecord: HKSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's fields.
    typealias Field = ClinicalRecordDocument

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// A record that the store does not hold yet; institutions make them, applications cannot.
    package convenience init(
        type: HKClinicalType, displayName: String, date: Date, resource: HKFHIRResource?,
        metadata: [String: Any]?
    ) {
        var fields: [String: FieldValue] = [Field.displayName: .string(displayName)]
        if let resource {
            fields[Field.version] = .string(resource.fhirVersion.stringRepresentation)
            fields[Field.resourceType] = .string(resource.resourceType.rawValue)
            fields[Field.identifier] = .string(resource.identifier)
            fields[Field.data] = .data([UInt8](resource.data))
            fields[Field.sourceURL] = resource.sourceURL.map { .string($0.absoluteString) }
        }
        self.init(
            new: type, start: date, end: date, device: nil, metadata: metadata, document: DocumentBody(fields: fields))
    }

    /// The record's type.
    public var clinicalType: HKClinicalType {
        // Only clinical types reach the contexts of this class.
        unsafeDowncast(context.type, to: HKClinicalType.self)
    }

    /// The name the institution gave the record.
    public var displayName: String { document.text(Field.displayName) ?? "" }

    /// The record in FHIR; `nil` where there is none.
    public var fhirResource: HKFHIRResource? {
        guard let text = document.text(Field.version), let version = try? HKFHIRVersion(fromVersionString: text),
            let type = document.text(Field.resourceType), let identifier = document.text(Field.identifier),
            let data = document.bytes(Field.data)
        else { return nil }
        return HKFHIRResource(
            version: version, resourceType: HKFHIRResourceType(rawValue: type), identifier: identifier,
            data: Data(data), sourceURL: document.text(Field.sourceURL).flatMap { URL(string: $0) })
    }

    /// The record in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKClinicalType,
            item.document.text(Field.displayName) != nil
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }
}
