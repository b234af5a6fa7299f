import HealthModel

/// A person's medication as plain values.
struct MedicationRecord: Hashable, Sendable, Codable {
    /// The names of the stored document's fields.
    enum Field {
        static let nickname = "nickname"
        static let isArchived = "isArchived"
        static let hasSchedule = "hasSchedule"
        static let concept = "medicationConceptIdentifier"
        static let displayText = "displayText"
        static let generalForm = "generalForm"
        static let codings = "relatedCodings"
    }

    var nickname: String?
    var isArchived: Bool
    var hasSchedule: Bool
    /// The concept's name in the domain of medications.
    var concept: String
    var displayText: String
    var generalForm: String
    var codings: Set<ClinicalCodingRecord>

    /// The fields a store holds.
    var document: DocumentBody {
        var fields: [String: FieldValue] = [
            Field.isArchived: .bool(isArchived), Field.hasSchedule: .bool(hasSchedule),
            Field.concept: .string(concept), Field.displayText: .string(displayText),
            Field.generalForm: .string(generalForm),
        ]
        fields[Field.nickname] = nickname.map { .string($0) }
        fields[Field.codings] = .list(
            codings.sorted { ($0.system, $0.code) < ($1.system, $1.code) }.map { coding in
                var record: [String: FieldValue] = ["system": .string(coding.system), "code": .string(coding.code)]
                record["version"] = coding.version.map { .string($0) }
                return .record(record)
            })
        return DocumentBody(fields: fields)
    }
}

extension MedicationRecord {
    /// What a store's fields say; `nil` without a concept.
    init?(_ document: DocumentBody) {
        guard let concept = document.text(Field.concept) else { return nil }
        self.init(
            nickname: document.text(Field.nickname), isArchived: document.flag(Field.isArchived) ?? false,
            hasSchedule: document.flag(Field.hasSchedule) ?? false, concept: concept,
            displayText: document.text(Field.displayText) ?? "",
            generalForm: document.text(Field.generalForm) ?? HKMedicationGeneralForm.unknown.rawValue, codings: [])
        for case .record(let fields) in document[Field.codings]?.elements ?? [] {
            guard let system = fields["system"]?.text, let code = fields["code"]?.text else { continue }
            codings.insert(ClinicalCodingRecord(system: system, version: fields["version"]?.text, code: code))
        }
    }
}
