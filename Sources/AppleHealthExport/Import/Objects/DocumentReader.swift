import HealthModel

/// Keeps elements as they are: unknown ones of later iOS versions, and incomplete audiograms, prescriptions and
/// clinical records.
enum DocumentReader {
    /// The type identifier of an element; the element's name if it is unknown.
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

    /// The object with a type code provided by the caller. Its dates are the first ones in the element; without any, it
    /// is at the beginning of 2001.
    static func read(_ element: ArchivedElement, type: TypeCode) throws(ElementError) -> ObjectRecord {
        func date(_ names: [String]) -> Double? {
            names.lazy.compactMap { element[$0] }.first.flatMap(ArchiveDate.parse)
        }
        let start = date(["startDate", "dateIssued", "receivedDate", "date", "creationDate"]) ?? 0
        let end = max(start, date(["endDate"]) ?? start)
        let device = element["device"].flatMap(DeviceText.parse)
        return ObjectRecord(
            type: type, start: start, end: end,
            revision: (element["sourceName"] ?? element[SourceText.earlyAttribute]).map {
                SourceText.revision(name: $0, version: element["sourceVersion"], device: device)
            }, device: device, creation: date(["creationDate"]), body: .archived(withoutAddress(element)))
    }

    /// The element without the addresses in devices, which differ in each archive.
    private static func withoutAddress(_ element: ArchivedElement) -> ArchivedElement {
        var element = element
        for index in element.attributes.indices where element.attributes[index].name == "device" {
            let text = element.attributes[index].value
            guard text.hasPrefix("<<HKDevice: "), let device = DeviceText.parse(text) else { continue }
            element.attributes[index].value = DeviceText.print(device)
        }
        element.children = element.children.map(withoutAddress)
        return element
    }
}
