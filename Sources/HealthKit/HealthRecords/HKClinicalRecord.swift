public import Foundation
import HealthModel

/// A record of a health institution, such as an allergy, a laboratory result or an immunization.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKClinicalRecord: HKSample, DocumentSample, @unchecked Sendable {
    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKClinicalRecord(base, fields: fields) }

    /// Creates a record that is not in the store yet; institutions create records, applications cannot.
    package convenience init(
        type: HKClinicalType, displayName: String, date: Date, resource: HKFHIRResource?, metadata: [String: Any]?
    ) {
        var fields = Fields(displayName: displayName)
        if let resource {
            fields.version = resource.fhirVersion.stringRepresentation
            fields.resourceType = resource.resourceType.rawValue
            fields.identifier = resource.identifier
            fields.data = [UInt8](resource.data)
            fields.sourceURL = resource.sourceURL?.absoluteString
        }
        self.init(
            .document(type, start: date, end: date, device: nil, metadata: metadata),
            fields: fields)
    }

    /// The type of the record.
    open var clinicalType: HKClinicalType {
        // Samples of this class have clinical types only.
        unsafeDowncast(context.type, to: HKClinicalType.self)
    }

    /// The name that the institution gave the record.
    open var displayName: String { fields.displayName ?? "" }

    /// The record in FHIR; `nil` if there is none.
    open var fhirResource: HKFHIRResource? {
        guard let text = fields.version, let version = try? HKFHIRVersion(fromVersionString: text),
            let type = fields.resourceType, let identifier = fields.identifier, let data = fields.data
        else { return nil }
        return HKFHIRResource(
            version: version, resourceType: HKFHIRResourceType(rawValue: type), identifier: identifier,
            data: Data(data), sourceURL: fields.sourceURL.flatMap { URL(string: $0) })
    }

    /// The record in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

// MARK: - Predicates

extension HKSamplePredicate {
    /// Matches clinical records of a type.
    public static func clinicalRecord(
        type clinicalType: HKClinicalType, predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKClinicalRecord> {
        HKSamplePredicate<HKClinicalRecord>(type: clinicalType, predicate: predicate)
    }
}

extension HKQuery {
    /// Matches clinical records with a type of FHIR resource.
    public class func predicateForClinicalRecords(
        withFHIRResourceType resourceType: HKFHIRResourceType
    ) -> NSPredicate {
        predicate(
            .field(HKClinicalRecord.Field.resourceType, .equal, .string(resourceType.rawValue)),
            printed: "\(HKPredicateKeyPathClinicalRecordFHIRResourceType) == type")
    }

    /// Matches the clinical record with the type and identifier of a FHIR resource from a source.
    public class func predicateForClinicalRecords(
        from source: HKSource, fhirResourceType resourceType: HKFHIRResourceType, identifier: String
    ) -> NSPredicate {
        predicate(
            .and([
                HKSource.filter([source]),
                .field(HKClinicalRecord.Field.resourceType, .equal, .string(resourceType.rawValue)),
                .field(HKClinicalRecord.Field.identifier, .equal, .string(identifier)),
            ]),
            printed: "source == source AND FHIRResource == resource")
    }
}
