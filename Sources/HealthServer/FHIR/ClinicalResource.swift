import Foundation
import HealthAnswers
import HealthEngine
import HealthModel
import HealthStorage

/// A clinical record as the FHIR R4 resource that an institution provided, unchanged.
struct ClinicalResource: Sendable {
    /// The types of resources that Health's records have in R4, besides observations.
    static let types = [
        "AllergyIntolerance", "Condition", "Coverage", "DiagnosticReport", "DocumentReference", "Immunization",
        "MedicationDispense", "MedicationRequest", "MedicationStatement", "Procedure",
    ]

    /// The identity of the record in the store.
    let uuid: UUID
    /// The type of the resource.
    let type: String
    /// The identifier of the resource at the institution; that of the record if it has none.
    let id: String
    let bytes: [UInt8]

    /// The resource of an object; `nil` for any other object, an older version of FHIR, or a record without contents.
    init?(_ object: ObjectRecord) {
        guard let uuid = object.uuid, case .document(let document) = object.body,
            case .data(let bytes)? = document[ClinicalRecordDocument.data],
            let resource = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            let type = resource["resourceType"] as? String
        else { return nil }
        if case .string(let version)? = document[ClinicalRecordDocument.version], !version.hasPrefix("4") { return nil }
        (self.uuid, self.type, self.bytes) = (uuid, type, bytes)
        id = resource["id"] as? String ?? uuid.uuidString.lowercased()
    }

    /// The types of clinical records that the caller may read.
    static func types(
        among stored: [TypeDescription], _ engine: HealthEngine, as caller: Caller
    ) throws -> [TypeDescription] {
        try engine.readable(stored.filter { $0.identifier.hasPrefix("HKClinicalTypeIdentifier") }, as: caller)
    }

    /// The records of a type of HealthKit with resources of a type.
    static func all(
        of resource: String, in type: TypeDescription, _ engine: HealthEngine, as caller: Caller
    ) throws -> [ClinicalResource] {
        try engine.samples(SampleRequest(parts: [.init(type: type.code)]), as: caller).objects
            .compactMap { ClinicalResource($0) }.filter { $0.type == resource }
    }

    /// Returns whether the resource has a code, given as `code`, `|code` or `system|code`, in a member such as `code`.
    func has(_ member: String, _ token: String) -> Bool {
        let resource = (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
        let names = member == "code" ? ["code", "vaccineCode", "medicationCodeableConcept", "type"] : [member]
        let concepts = names.flatMap { name in
            resource[name] as? [[String: Any]] ?? (resource[name] as? [String: Any]).map { [$0] } ?? []
        }
        let parts = token.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let (system, code) = parts.count == 2 ? (parts[0], parts[1]) : ("", parts[0])
        return concepts.flatMap { $0["coding"] as? [[String: Any]] ?? [] }.contains { coding in
            coding["code"] as? String == String(code)
                && (system.isEmpty || coding["system"] as? String == String(system))
        }
    }
}
