import Foundation
import HealthModel

extension KeyPathTranslation {
    /// The filter of a key path that only documents, clinical records and medications have; `nil` for another.
    func healthRecordFilter(
        _ path: String, _ parts: [String], _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        let name = parts.joined(separator: ".")
        if let field = Self.textFields[name] {
            let suits = path == "document" ? type is HKDocumentType : type is HKClinicalType
            guard suits else { throw unexpectedType(name) }
            guard case .string(let text) = value else { throw wrongValue(name, wanted: "text") }
            return .field(field, operation, .string(text))
        }
        switch path {
        case HKPredicateKeyPathStatus where type is HKMedicationDoseEventType:
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "a whole number") }
            return .field(HKMedicationDoseEvent.Field.logStatus, operation, .integer(Int64(number)))
        case HKPredicateKeyPathScheduledDate where type is HKMedicationDoseEventType:
            guard case .date(let date) = value else { throw wrongValue(path, wanted: "a date") }
            return .field(
                HKMedicationDoseEvent.Field.scheduledDate, operation, .date(date.timeIntervalSinceReferenceDate))
        case HKUserAnnotatedMedicationPredicateKeyPathIsArchived, HKUserAnnotatedMedicationPredicateKeyPathHasSchedule:
            guard type is HKUserAnnotatedMedicationType else { throw unexpectedType(path) }
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "a truth value") }
            return .field(path, operation, .bool(number != 0))
        default:
            return nil
        }
    }

    private static let textFields: [String: String] = [
        HKPredicateKeyPathCDATitle: HKCDADocumentSample.Field.title,
        HKPredicateKeyPathCDAPatientName: HKCDADocumentSample.Field.patientName,
        HKPredicateKeyPathCDAAuthorName: HKCDADocumentSample.Field.authorName,
        HKPredicateKeyPathCDACustodianName: HKCDADocumentSample.Field.custodianName,
        HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier: HKClinicalRecord.Field.identifier,
        HKPredicateKeyPathClinicalRecordFHIRResourceType: HKClinicalRecord.Field.resourceType,
    ]
}

extension PredicateEvaluation {
    /// The fields of an object that is kept as a document; `nil` for another object.
    static func document(of object: Any?) -> DocumentBody? {
        switch object {
        case let sample as HKCDADocumentSample: sample.stored
        case let medication as HKUserAnnotatedMedication: medication.record.document
        case let backed as any DocumentBacked: backed.document
        default: nil
        }
    }

    /// The value of a key path that only documents, clinical records and medications have; `nil` for another.
    static func healthRecordProperty(_ parts: [String], of object: Any) -> PredicateValue? {
        let name = parts.joined(separator: ".")
        switch object {
        case let sample as HKCDADocumentSample:
            switch name {
            case HKPredicateKeyPathCDATitle: return PredicateValue(sample.stored.text(HKCDADocumentSample.Field.title))
            case HKPredicateKeyPathCDAPatientName:
                return PredicateValue(sample.stored.text(HKCDADocumentSample.Field.patientName))
            case HKPredicateKeyPathCDAAuthorName:
                return PredicateValue(sample.stored.text(HKCDADocumentSample.Field.authorName))
            case HKPredicateKeyPathCDACustodianName:
                return PredicateValue(sample.stored.text(HKCDADocumentSample.Field.custodianName))
            default: return nil
            }
        case let record as HKClinicalRecord:
            switch name {
            case HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier:
                return PredicateValue(record.document.text(HKClinicalRecord.Field.identifier))
            case HKPredicateKeyPathClinicalRecordFHIRResourceType:
                return PredicateValue(record.document.text(HKClinicalRecord.Field.resourceType))
            default: return nil
            }
        case let event as HKMedicationDoseEvent:
            switch name {
            case HKPredicateKeyPathStatus: return .number(Double(event.logStatus.rawValue))
            case HKPredicateKeyPathScheduledDate: return PredicateValue(event.scheduledDate)
            default: return nil
            }
        case let medication as HKUserAnnotatedMedication:
            switch name {
            case HKUserAnnotatedMedicationPredicateKeyPathIsArchived: return .bool(medication.isArchived)
            case HKUserAnnotatedMedicationPredicateKeyPathHasSchedule: return .bool(medication.hasSchedule)
            default: return nil
            }
        default:
            return nil
        }
    }
}
