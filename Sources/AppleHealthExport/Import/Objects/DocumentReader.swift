import HealthModel

/// Elements this version only carries: audiograms, prescriptions, clinical records, and whatever a
/// later iOS adds. Each keeps its tag, attributes and children.
enum DocumentReader {
    /// A document's type identifier, or, for elements nobody knows, one made of the tag.
    static func identifier(of element: ArchivedElement) -> String {
        switch element.name {
        case "Audiogram": return "HKDataTypeIdentifierAudiogram"
        case "VisionPrescription": return "HKVisionPrescriptionTypeIdentifier"
        case "ClinicalRecord": return clinicalIdentifier(of: element["type"] ?? "")
        default:
            guard let type = element["type"], type.hasPrefix("HK") else { return element.name }
            return type
        }
    }

    /// The object, under a type code the caller has found. Its dates are the first that it gives; one
    /// without any stands at the beginning of 2001.
    static func read(_ element: ArchivedElement, type: TypeCode) throws(ObjectRefusal) -> ObjectRecord {
        func date(_ names: [String]) -> Double? {
            names.lazy.compactMap { element[$0] }.first.flatMap(DateText.parse)
        }
        let start = date(["startDate", "dateIssued", "receivedDate", "date", "creationDate"]) ?? 0
        let end = max(start, date(["endDate"]) ?? start)
        let device = element["device"].flatMap(DeviceText.parse)
        return ObjectRecord(
            type: type, start: start, end: end,
            revision: element["sourceName"].map {
                SourceText.revision(name: $0, version: element["sourceVersion"], device: device)
            }, device: device, creation: date(["creationDate"]), body: .archived(withoutAddress(element)))
    }

    /// FHIR resource types that only one of HealthKit's clinical types can hold; others keep their name.
    private static func clinicalIdentifier(of type: String) -> String {
        if type.hasPrefix("HK") { return type }
        let known = [
            "AllergyIntolerance": "AllergyRecord", "Condition": "ConditionRecord",
            "Immunization": "ImmunizationRecord", "Procedure": "ProcedureRecord", "Coverage": "CoverageRecord",
            "DocumentReference": "ClinicalNoteRecord", "MedicationOrder": "MedicationRecord",
            "MedicationRequest": "MedicationRecord", "MedicationStatement": "MedicationRecord",
            "MedicationDispense": "MedicationRecord",
        ]
        if let name = known[type] { return "HKClinicalTypeIdentifier" + name }
        return type.isEmpty ? "ClinicalRecord" : "ClinicalRecord#" + type
    }

    /// The element with every device printed anew, so that it equals itself in the next archive.
    private static func withoutAddress(_ element: ArchivedElement) -> ArchivedElement {
        var element = element
        for index in element.attributes.indices where element.attributes[index].name == "device" {
            if let device = DeviceText.parse(element.attributes[index].value) {
                element.attributes[index].value =
                    element.attributes[index].value.hasPrefix("<<HKDevice: ")
                    ? DeviceText.print(device) : element.attributes[index].value
            }
        }
        element.children = element.children.map(withoutAddress)
        return element
    }
}
