import HealthModel
import Testing

@testable import AppleHealthExport

/// Compares elements as archives do: order of attributes and of children aside, dates as instants, devices
/// without their addresses.
enum RoundTrip {
    static func element(_ markup: String) throws -> ArchivedElement {
        try #require(ElementText.parse(markup))
    }

    /// The record as the export writes it, dates at `offset` seconds east of UTC.
    static func write(_ record: ObjectRecord, offset: Int = 0) throws -> ArchivedElement {
        var dictionaries = StoreDictionaries()
        if record.type >= .firstUnknown {
            dictionaries.types = [TypeDescription(code: record.type, identifier: "ClinicalRecord#Any", kind: .document)]
        }
        var tally = ExportTally()
        return try #require(
            ObjectElementWriter.write(record, RecordStyle(dictionaries: dictionaries, offset: offset), &tally))
    }

    /// What an element says, in an order of its own.
    static func facts(_ element: ArchivedElement) -> String {
        let attributes = element.attributes.map { attribute -> String in
            if let instant = DateText.parse(attribute.value) { return "\(attribute.name)=@\(instant)" }
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
