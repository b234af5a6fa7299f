import Foundation
import HealthModel

extension KeyPathTranslation {
    /// The filter of a key path that only documents, clinical records and medications have; `nil` for another.
    func healthRecordFilter(
        _ path: String, _ parts: [String], _ operation: ComparisonOperator, _ value: PredicateValue
    ) throws(PredicateTranslationError) -> SampleFilter? {
        let name = parts.joined(separator: ".")
        if let field = Self.textFields[name] {
            guard path == "document" ? type is HKDocumentType : type is HKClinicalType else {
                throw unexpectedType(name)
            }
            guard case .string(let text) = value else { throw wrongValue(name, wanted: "text") }
            return .field(field, operation, .string(text))
        }
        switch path {
        case HKPredicateKeyPathStatus where type is HKMedicationDoseEventType:
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "a whole number") }
            return .field(HKMedicationDoseEvent.Field.logStatus, operation, .double(number))
        case HKPredicateKeyPathScheduledDate where type is HKMedicationDoseEventType:
            guard case .date(let date) = value else { throw wrongValue(path, wanted: "a date") }
            return .field(
                HKMedicationDoseEvent.Field.scheduledDate, operation, .date(date.timeIntervalSinceReferenceDate))
        case HKPredicateKeyPathLogOrigin where type is HKMedicationDoseEventType:
            // Not stored, so that no value equals it.
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "a whole number") }
            return .field(HKPredicateKeyPathLogOrigin, operation, .double(number))
        case HKPredicateKeyPathMedicationConceptIdentifier where type is HKMedicationDoseEventType:
            guard case .string(let token) = value else { throw wrongValue(path, wanted: "a concept identifier") }
            return .field(HKMedicationDoseEvent.Field.concept, operation, .string(token))
        case HKUserAnnotatedMedicationPredicateKeyPathIsArchived, HKUserAnnotatedMedicationPredicateKeyPathHasSchedule:
            guard type is HKUserAnnotatedMedicationType else { throw unexpectedType(path) }
            guard let number = value.asNumber else { throw wrongValue(path, wanted: "a Boolean value") }
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
    /// The value of a key path that only documents, clinical records and medications have; `nil` for another.
    static func healthRecordProperty(_ parts: [String], of object: Any) -> PredicateValue? {
        let name = parts.joined(separator: ".")
        switch object {
        case let sample as HKCDADocumentSample:
            switch name {
            case HKPredicateKeyPathCDATitle: return PredicateValue(sample.fields.title)
            case HKPredicateKeyPathCDAPatientName: return PredicateValue(sample.fields.patientName)
            case HKPredicateKeyPathCDAAuthorName: return PredicateValue(sample.fields.authorName)
            case HKPredicateKeyPathCDACustodianName: return PredicateValue(sample.fields.custodianName)
            default: return nil
            }
        case let record as HKClinicalRecord:
            switch name {
            case HKPredicateKeyPathClinicalRecordFHIRResourceIdentifier: return PredicateValue(record.fields.identifier)
            case HKPredicateKeyPathClinicalRecordFHIRResourceType: return PredicateValue(record.fields.resourceType)
            default: return nil
            }
        case let event as HKMedicationDoseEvent:
            switch name {
            case HKPredicateKeyPathStatus: return .number(Double(event.logStatus.rawValue))
            case HKPredicateKeyPathScheduledDate: return PredicateValue(event.scheduledDate)
            case HKPredicateKeyPathMedicationConceptIdentifier:
                return .string(event.medicationConceptIdentifier.token)
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
