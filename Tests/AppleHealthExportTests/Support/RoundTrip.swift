import HealthFiles
import HealthModel
import Testing

@testable import AppleHealthExport

/// Compares elements regardless of the order of attributes and children, with dates as instants and devices without
/// addresses.
enum RoundTrip {
    static func element(_ markup: String) throws -> ArchivedElement {
        try #require(ElementText.parse(markup))
    }

    /// The element that an export writes for the record, with dates at a UTC offset.
    static func write(_ record: ObjectRecord, offset: Int = 0) throws -> ArchivedElement {
        var dictionaries = StoreDictionaries()
        if record.type >= .firstUnknown {
            dictionaries.types = [TypeDescription(code: record.type, identifier: "ClinicalRecord#Any", kind: .document)]
        }
        var tally = ExportTally()
        return try #require(
            ObjectElementWriter.write(
                ExportRun.Planned(object: record), RecordStyle(dictionaries: dictionaries, offset: offset), &tally))
    }

    /// The content of an element in a defined order.
    static func facts(_ element: ArchivedElement) -> String {
        let attributes = element.attributes.map { attribute -> String in
            if let instant = ArchiveDate.parse(attribute.value) { return "\(attribute.name)=@\(instant)" }
            guard attribute.name == "device", let device = DeviceText.parse(attribute.value) else {
                return "\(attribute.name)=\(attribute.value)"
            }
            return "device=\(DeviceText.print(device))"
        }
        let children = element.children.map(facts).sorted().joined(separator: "\n ")
        return ([element.name] + attributes.sorted()).joined(separator: " | ") + "\n \(children)"
    }

    static func expectEqual(
        _ written: ArchivedElement, _ original: ArchivedElement, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(facts(written) == facts(original), sourceLocation: sourceLocation)
    }
}
