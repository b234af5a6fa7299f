import Foundation
import HealthModel

extension HKSample {
    /// A sample of a single-object family in the class that stands for its type; a plain `HKSample` where the
    /// family has no class.
    static func document(
        identity: UUID, context: ObjectContext, start: Double, end: Double, body: ObjectBody
    ) -> HKSample {
        if let backed = documentClass(of: context.type, body) {
            guard case .document(let document) = body else {
                return backed.init(identity: identity, context: context, start: start, end: end, document: DocumentBody())
            }
            return backed.init(identity: identity, context: context, start: start, end: end, document: document)
        }
        switch context.type {
        case is HKDocumentType:
            // Not among the others: what applications call its document is no `DocumentBody`.
            let document = if case .document(let document) = body { document } else { DocumentBody() }
            return HKCDADocumentSample(
                identity: identity, context: context, start: start, end: end, document: document)
        default:
            return HKSample(identity: identity, context: context, start: start, end: end)
        }
    }

    /// The class of a family that keeps its facts in a document, by the type of its samples and, where a type
    /// has several classes, by what the document says.
    private static func documentClass(
        of type: HKSampleType, _ body: ObjectBody
    ) -> (any DocumentBacked.Type)? {
        switch type.identifier {
        case HKWorkoutRouteTypeIdentifier: return HKWorkoutRoute.self
        case HKDataTypeIdentifierHeartbeatSeries: return HKHeartbeatSeriesSample.self
        case HKDataTypeIdentifierStateOfMind: return HKStateOfMind.self
        case HKScoredAssessmentTypeIdentifier.GAD7.rawValue: return HKGAD7Assessment.self
        case HKScoredAssessmentTypeIdentifier.PHQ9.rawValue: return HKPHQ9Assessment.self
        case HKVisionPrescriptionTypeIdentifier:
            guard case .document(let document) = body else { return HKVisionPrescription.self }
            return HKVisionPrescription.prescriptionClass(of: document)
        default:
            switch type {
            case is HKElectrocardiogramType: return HKElectrocardiogram.self
            case is HKAudiogramSampleType: return HKAudiogramSample.self
            case is HKClinicalType: return HKClinicalRecord.self
            case is VerifiableRecordType: return HKVerifiableClinicalRecord.self
            case is HKMedicationDoseEventType: return HKMedicationDoseEvent.self
            case is HKScoredAssessmentType: return HKScoredAssessment.self
            default: return nil
            }
        }
    }
}
