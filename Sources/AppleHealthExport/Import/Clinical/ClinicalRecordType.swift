/// Which of HealthKit's clinical types holds a FHIR resource.
enum ClinicalRecordType {
    private static let prefix = "HKClinicalTypeIdentifier"
    /// Begins the types of resources that HealthKit has no type for, such as `ClinicalRecord#Patient`.
    private static let untyped = "ClinicalRecord"

    private static let sole = [
        "AllergyIntolerance": "AllergyRecord", "Condition": "ConditionRecord",
        "Immunization": "ImmunizationRecord", "Procedure": "ProcedureRecord", "Coverage": "CoverageRecord",
        "DocumentReference": "ClinicalNoteRecord", "MedicationOrder": "MedicationRecord",
        "MedicationRequest": "MedicationRecord", "MedicationStatement": "MedicationRecord",
        "MedicationDispense": "MedicationRecord",
    ]

    /// Categories of observations and reports, by code and by name, and where they belong. The `LP…` codes are
    /// those of reports that are notes: cardiology, radiology, pathology.
    private static let categories: [(names: Set<String>, type: String)] = [
        (["vital-signs", "vital signs"], "VitalSignRecord"),
        (["laboratory", "lab"], "LabResultRecord"),
        (["lp29708-2", "lp29684-5", "lp7839-6"], "ClinicalNoteRecord"),
    ]

    /// The types that an element has been given without its file, if it has one now, or may have been given with
    /// it, if it has none.
    static func others(of type: String, than identifier: String, hasFile: Bool) -> [String] {
        let bare = self.identifier(of: type, facts: FHIRFacts())
        if hasFile { return bare == identifier ? [] : [bare] }
        // Where the element says nothing itself, the file may say anything.
        guard ["", "Observation", "DiagnosticReport"].contains(type) else { return [] }
        return Set(categories.map(\.type) + (type.isEmpty ? Array(sole.values) : [])).map { prefix + $0 }.sorted()
    }

    /// Whether a type holds clinical records, HealthKit's own or those it has no type for.
    static func contains(_ identifier: String) -> Bool {
        identifier.hasPrefix(prefix) || identifier == untyped || identifier.hasPrefix(untyped + "#")
    }

    /// The type of an element: what its `type` attribute says, which is a resource type or, in archives of
    /// other tools, HealthKit's own name; where several types may hold the resource, its categories decide.
    static func identifier(of type: String, facts: FHIRFacts) -> String {
        if type.hasPrefix("HK") { return type }
        if let name = sole[type] { return prefix + name }
        if type == "Observation" || type == "DiagnosticReport" {
            let fitting = categories.first { !$0.names.isDisjoint(with: facts.categories) }
            if let fitting { return prefix + fitting.type }
        }
        return type.isEmpty ? untyped : "\(untyped)#\(type)"
    }
}
