import HealthModel

/// Elements this version only carries: whatever a later iOS adds, and audiograms, prescriptions and clinical
/// records that say too little to be read. Each keeps its tag, attributes and children.
enum DocumentReader {
    /// A document's type identifier, or, for elements nobody knows, one made of the tag.
    static func identifier(of element: ArchivedElement) -> String {
        switch element.name {
        case "Audiogram": return AudiogramReader.identifier
        case "VisionPrescription": return VisionPrescriptionReader.identifier
        case "ClinicalRecord": return ClinicalRecordType.identifier(of: element["type"] ?? "", facts: FHIRFacts())
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
