import HealthFiles
import HealthModel

/// The attributes that workouts, correlations and documents have in common: dates, source and device.
struct ElementFrame {
    static let attributeNames: Set<String> = [
        "sourceName", "sourceVersion", "device", "creationDate", "startDate", "endDate",
    ]

    var start: Double
    var end: Double
    var revision: SourceRevisionRecord
    var device: DeviceRecord?
    var creation: Double?

    /// The name of the source; `nil` if there is none.
    static func sourceName(of element: ArchivedElement) -> String? {
        element["sourceName"] ?? element[SourceText.earlyAttribute]
    }

    /// Reads the common attributes. Throws if one of them is missing or invalid.
    init(_ element: ArchivedElement) throws(ElementError) {
        guard let startText = element["startDate"] else { throw ElementError("it has no startDate") }
        guard let endText = element["endDate"] else { throw ElementError("it has no endDate") }
        guard let start = ArchiveDate.parse(startText) else { throw ElementError("its startDate is not a date") }
        guard let end = ArchiveDate.parse(endText) else { throw ElementError("its endDate is not a date") }
        guard start <= end else { throw ElementError("it ends before it starts") }
        if let text = element["creationDate"] {
            creation = ArchiveDate.parse(text)
            if creation == nil { throw ElementError("its creationDate is not a date") }
        }
        self.start = start
        self.end = end
        device = element["device"].flatMap(DeviceText.parse)
        let name = Self.sourceName(of: element) ?? SourceText.unknown
        revision = SourceText.revision(name: name, version: element["sourceVersion"], device: device)
    }
}

/// The reason why an element cannot be read, as the end of a sentence about it, without values.
struct ElementError: Error {
    var reason: String
    /// Why the element is preserved as markup nevertheless, as the end of the text reported about it; `nil` if it is left out.
    var preserved: String?
    /// Whether the element is preserved as markup although it is counted as skipped.
    var isKept: Bool

    init(_ reason: String, preserving preserved: String? = nil, isKept: Bool = false) {
        self.reason = reason
        self.preserved = preserved
        self.isKept = isKept
    }
}

/// Reads the metadata of an element.
enum ElementMetadata {
    /// The metadata in `MetadataEntry` children and in attributes that are not in `known`.
    static func metadata(of element: ArchivedElement, known: Set<String>) -> Metadata {
        var entries = element.children.compactMap(entry)
        var others: [Metadata.Entry] = []
        for attribute in element.attributes where !known.contains(attribute.name) {
            let entry = ArchivedMetadata.attribute(attribute.name, attribute.value)
            if ArchivedMetadata.attribute(of: entry) == nil { entries.append(entry) } else { others.append(entry) }
        }
        return Metadata(entries + others)
    }

    /// The metadata entry of a child; `nil` for other children, and for those with more than a key and a value.
    static func entry(_ child: ArchivedElement) -> Metadata.Entry? {
        guard child.name == "MetadataEntry", child.attributes.count == 2, child.children.isEmpty,
            let key = child["key"], let value = child["value"]
        else { return nil }
        return MetadataText.parse(key: key, text: value)
    }
}

/// Reads a duration and its unit.
enum DurationText {
    /// The duration in seconds; `nil` if there is none or if its unit is not a unit of time. The default unit is
    /// minutes.
    static func seconds(_ element: ArchivedElement) -> Double? {
        guard let text = element["duration"], let value = DecimalText.parse(text), value.isFinite else { return nil }
        let unit = element["durationUnit"] ?? "min"
        if unit == "min" { return finite(value * 60) }
        return UnitConversion(between: unit, and: "s").flatMap { finite($0(value)) }
    }

    private static func finite(_ seconds: Double) -> Double? { seconds.isFinite ? seconds : nil }
}
