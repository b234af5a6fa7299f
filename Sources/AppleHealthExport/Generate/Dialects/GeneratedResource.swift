/// A FHIR resource of a clinical record, in release 2 or 4 as the telephone's time had it.
struct GeneratedResource {
    /// The resource type, which the archive gives as the record's type.
    var kind: String
    /// The identifier of the type that HealthKit keeps such a resource under.
    var type: String
    var identifier: String
    var uuid: String
    var fhirVersion: String
    /// Seconds since 2001.
    var received: Int
    var json: String

    static func all(options: GeneratorOptions, clock: GeneratorClock, dialect: ArchiveDialect) -> [GeneratedResource] {
        var random = GeneratorRandom(seed: options.seed, stream: "clinical")
        let isNew = dialect.major >= 14
        var kinds: [(kind: String, type: String, body: String)] = [
            ("AllergyIntolerance", "AllergyRecord", "\"substance\":{\"text\":\"Walnuts\"}"),
            ("Condition", "ConditionRecord", "\"code\":{\"text\":\"Hay fever\"}"),
            ("Immunization", "ImmunizationRecord", "\"vaccineCode\":{\"text\":\"Influenza\"}"),
            ("Procedure", "ProcedureRecord", "\"code\":{\"text\":\"Removal of a splinter\"}"),
            (isNew ? "MedicationRequest" : "MedicationOrder", "MedicationRecord", "\"medicationCodeableConcept\":{\"text\":\"Nasal spray\"}"),
            (
                "Observation", "LabResultRecord",
                "\"category\":\(category("laboratory", isNew)),\"code\":{\"text\":\"Ferritin\"},\"valueQuantity\":{\"value\":61,\"unit\":\"ng/mL\"}"
            ),
            (
                "Observation", "VitalSignRecord",
                "\"category\":\(category("vital-signs", isNew)),\"code\":{\"text\":\"Pulse\"},\"valueQuantity\":{\"value\":64,\"unit\":\"/min\"}"
            ),
        ]
        if isNew { kinds.append(("Coverage", "CoverageRecord", "\"type\":{\"text\":\"Statutory\"}")) }
        if dialect.isAtLeast(16, 4) {
            kinds.append(("DocumentReference", "ClinicalNoteRecord", "\"type\":{\"text\":\"Letter “to whom it may concern”\"}"))
        }
        return kinds.enumerated().map { index, entry in
            let identifier = "res-\(index + 1)"
            return GeneratedResource(
                kind: entry.kind, type: "HKClinicalTypeIdentifier" + entry.type, identifier: identifier, uuid: random.uuid(),
                fhirVersion: isNew ? "4.0.1" : "1.0.2", received: clock.dayStarts[1] + 8 * 3_600 + index,
                json: "{\"resourceType\":\"\(entry.kind)\",\"id\":\"\(identifier)\",\"patient\":{\"display\":\"Mia Nobody\"},\(entry.body)}\n")
        }
    }

    /// Release 2 has one category, release 4 a list of them.
    private static func category(_ code: String, _ isNew: Bool) -> String {
        let one = "{\"coding\":[{\"system\":\"http://\(isNew ? "terminology.hl7.org/CodeSystem" : "hl7.org/fhir")/observation-category\",\"code\":\"\(code)\"}]}"
        return isNew ? "[\(one)]" : one
    }
}
