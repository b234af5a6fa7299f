import Foundation
import HealthEngine
package import HealthModel

// MARK: - Medications

extension HKUserAnnotatedMedication {
    /// The names of the document's fields.
    enum Field {
        static let nickname = "nickname"
        static let isArchived = "isArchived"
        static let hasSchedule = "hasSchedule"
        static let concept = "medicationConceptIdentifier"
        static let displayText = "displayText"
        static let generalForm = "generalForm"
        static let codings = "relatedCodings"
    }
}

extension HKUserAnnotatedMedication.Fields {
    private typealias Field = HKUserAnnotatedMedication.Field

    /// The medication in a stored document; `nil` for one without a concept.
    init?(_ document: DocumentBody) {
        guard let concept = document.text(Field.concept) else { return nil }
        self.init(
            nickname: document.text(Field.nickname), isArchived: document.flag(Field.isArchived) ?? false,
            hasSchedule: document.flag(Field.hasSchedule) ?? false, concept: concept,
            displayText: document.text(Field.displayText) ?? "",
            generalForm: document.text(Field.generalForm) ?? HKMedicationGeneralForm.unknown.rawValue,
            codings: Set((document[Field.codings]?.elements ?? []).compactMap { HKClinicalCoding.Fields($0) }))
    }

    /// The document to store.
    var document: DocumentBody {
        let sorted = codings.sorted { ($0.system, $0.code) < ($1.system, $1.code) }
        return DocumentBody(present: [
            Field.nickname: .text(nickname), Field.isArchived: .bool(isArchived), Field.hasSchedule: .bool(hasSchedule),
            Field.concept: .string(concept), Field.displayText: .string(displayText),
            Field.generalForm: .string(generalForm), Field.codings: .list(sorted.map(\.fieldValue)),
        ])
    }

    /// The object to store, with a new identity.
    var newRecord: ObjectRecord {
        ObjectRecord(
            uuid: UUID(), type: HKObjectType.userAnnotatedMedicationType().code, start: 0, end: 0,
            body: .document(document))
    }
}

extension HKClinicalCoding.Fields: PartFields {
    init?(_ fieldValue: FieldValue) {
        guard let system = fieldValue["system"]?.text, let code = fieldValue["code"]?.text else { return nil }
        self.init(system: system, version: fieldValue["version"]?.text, code: code)
    }

    var fieldValue: FieldValue {
        .record(present: ["system": .string(system), "version": .text(version), "code": .string(code)])
    }
}

extension QueryReader {
    /// The medications that the application may read, in the order the person entered them; at most `limit` if it
    /// is not 0.
    func medications(_ part: QueryPart, limit: Int) throws -> [HKUserAnnotatedMedication] {
        guard let resolved = try resolve(part) else { return [] }
        let selection = try engine.samples(
            SampleRequest(parts: [resolved], limit: part.residual == nil ? max(0, limit) : 0), as: caller)
        var found: [HKUserAnnotatedMedication] = []
        for reference in selection.order {
            guard case .object(let index) = reference,
                case .document(let document) = selection.objects[Int(index)].body,
                let fields = HKUserAnnotatedMedication.Fields(document)
            else { continue }
            let medication = HKUserAnnotatedMedication(fields)
            guard part.residual?(medication) ?? true else { continue }
            found.append(medication)
            if limit > 0, found.count == limit { break }
        }
        return found
    }
}

// MARK: - Test kit

extension HKHealthStore {
    /// Saves medications of the person on behalf of another source.
    package func plant(_ medications: [HKUserAnnotatedMedication], as revision: SourceRevisionRecord) throws {
        try plant(revision) {
            medications.map { medication in
                .object(medication.fields.newRecord)
            }
        }
    }
}
