import HealthFiles
import HealthModel

/// Content of an element that its record has no place for, kept in the record's metadata so that an export contains it.
///
/// To find such content, the record is written again and compared with the element; no reader needs a list of what it
/// understands.
enum UnknownContent {
    /// Adds the attributes of `element` that the written record lacks or spells differently. Dates in another time zone
    /// and devices with another address are equal. Of duplicate attributes the first one counts.
    static func preserve(
        _ element: ArchivedElement, in record: inout ObjectRecord,
        writtenBy write: (ObjectRecord, RecordStyle, inout ExportTally) -> ArchivedElement
    ) {
        // This element is only compared, so its counts do not matter.
        var ignored = ExportTally()
        let written = write(record, RecordStyle(dictionaries: StoreDictionaries(), offset: 0), &ignored)
        var seen: Set<String> = []
        for attribute in element.attributes where seen.insert(attribute.name).inserted {
            guard !isEquivalent(attribute, written[attribute.name]) else { continue }
            record.metadata.entries.append(ArchivedMetadata.attribute(attribute.name, attribute.value))
        }
    }

    /// Adds the children in `read` that are spelled differently in `written`, each under its name and position.
    static func preserve(
        children read: [ArchivedElement], beside written: [ArchivedElement], in record: inout ObjectRecord
    ) {
        for (number, child) in read.enumerated() {
            guard number >= written.count || !areEqual(child, written[number]) else { continue }
            record.metadata.entries.append(ArchivedMetadata.spelling(of: child, number: number))
        }
    }

    /// Whether two elements have the same attributes, in any order, and the same children.
    static func areEqual(_ one: ArchivedElement, _ other: ArchivedElement) -> Bool {
        one.name == other.name && one.attributes.count == other.attributes.count
            && one.attributes.allSatisfy { other[$0.name] == $0.value } && one.children.count == other.children.count
            && zip(one.children, other.children).allSatisfy(areEqual)
    }

    private static func isEquivalent(_ attribute: ArchivedElement.Attribute, _ written: String?) -> Bool {
        guard let written else { return false }
        if attribute.value == written { return true }
        if attribute.name == "device" {
            return attribute.value.hasPrefix("<<HKDevice: ")
                && DeviceText.parse(attribute.value) == DeviceText.parse(written)
        }
        guard let instant = ArchiveDate.parse(written) else { return false }
        // A date in another format (with fractions or `T`) is kept as it was written.
        return attribute.value.utf8.count == DateCursor.length && ArchiveDate.parse(attribute.value) == instant
    }
}

/// Unknown content of a record inside a correlation.
///
/// The record is the same sample as one at top level, whose element may have other unknown content or none, so it is
/// kept in the correlation's metadata. ``CorrelationWriter`` adds it to the member again.
struct CorrelationMember {
    /// Identifies a member of a correlation.
    struct Key: Hashable {
        private static let names = ["type", "start", "end", "value", "unit", "source"]
        private let texts: [String]

        init(_ sample: SampleRecord, _ type: TypeDescription) {
            let numbers = [sample.start, sample.end, sample.value].map { DecimalText.print($0) }
            texts = [RecordStyle.identifier(type)] + numbers + [sample.unit, sample.revision?.source.name ?? ""]
        }

        fileprivate init(_ element: ArchivedElement) {
            texts = Self.names.map { element[$0] ?? "" }
        }

        fileprivate var element: ArchivedElement {
            ArchivedElement(
                name: CorrelationMember.name,
                attributes: zip(Self.names, texts).map { .init(name: $0, value: $1) })
        }
    }

    /// The metadata key of a correlation's entries.
    static let entryKey = MetadataKey.archivedPrefix + "member"
    private static let name = "member"
    private static let attributesName = "attributes"

    let key: Key
    private let attributes: [ArchivedElement.Attribute]
    private let children: [ArchivedElement]

    /// - Parameter unknown: The metadata entries with unknown content.
    init(_ sample: SampleRecord, _ type: TypeDescription, unknown: [Metadata.Entry]) {
        key = Key(sample, type)
        attributes = unknown.compactMap { ArchivedMetadata.attribute(of: $0) }.map {
            .init(name: $0.name, value: $0.value)
        }
        children = unknown.compactMap { ArchivedMetadata.element(of: $0) }
    }

    /// Reads a correlation's entry; `nil` for any other.
    init?(_ entry: Metadata.Entry) {
        guard entry.key == Self.entryKey, case .string(let text) = entry.value, let element = ElementText.parse(text),
            element.name == Self.name, let first = element.children.first, first.name == Self.attributesName
        else { return nil }
        key = Key(element)
        attributes = first.attributes
        children = Array(element.children.dropFirst())
    }

    /// The correlation's entry.
    var entry: Metadata.Entry {
        var element = key.element
        element.children = [ArchivedElement(name: Self.attributesName, attributes: attributes)] + children
        return Metadata.Entry(key: Self.entryKey, value: .string(ElementText.print(element)))
    }

    /// Sorts a correlation's entries for its members, so that their order does not depend on that of the members.
    static func ordered(_ entries: [Metadata.Entry]) -> [Metadata.Entry] {
        func text(_ entry: Metadata.Entry) -> String {
            if case .string(let text) = entry.value { text } else { "" }
        }
        return entries.sorted { text($0) < text($1) }
    }

    /// The metadata without unknown content, for an element inside a correlation.
    static func known(_ metadata: Metadata) -> Metadata {
        Metadata(
            metadata.entries.filter { entry in
                guard entry.key.hasPrefix(MetadataKey.archivedPrefix) else { return true }
                return ArchivedMetadata.attribute(of: entry) == nil && !ArchivedMetadata.isUnknownChild(entry)
            })
    }

    /// Adds the content to the member's element.
    func complete(_ element: inout ArchivedElement) {
        for attribute in attributes { element.set(attribute) }
        element.children += children
    }
}

/// The order of a correlation's members in an archive. The store has none: by themselves, they are exported in the
/// order of their types' identifiers, and another order is kept in the correlation's metadata.
enum MemberOrder {
    static let key = MetadataKey.archivedOrder

    /// The entry for members as they were read; `nil` for those in the order of their types.
    static func entry(_ members: [SampleElement.Member], _ types: borrowing TypeTable) -> Metadata.Entry? {
        var names: [String] = []
        for member in members {
            if case .sample(let sample) = member.outcome {
                names.append(RecordStyle.identifier(types[sample.type].description))
            }
        }
        guard names != names.sorted() else { return nil }
        return Metadata.Entry(key: key, value: .string(names.joined(separator: "\n")))
    }

    /// The members of a correlation with this metadata, and their types. Unknown types are left out.
    static func ordered(
        _ members: [SampleRecord], _ metadata: Metadata, _ dictionaries: StoreDictionaries
    ) -> [(SampleRecord, TypeDescription)] {
        var byType: [String: [(SampleRecord, TypeDescription)]] = [:]
        for member in members {
            guard let type = dictionaries.type(member.type) else { continue }
            byType[RecordStyle.identifier(type), default: []].append((member, type))
        }
        var ordered: [(SampleRecord, TypeDescription)] = []
        if let names = metadata.text(key) {
            for name in names.split(separator: "\n").map(String.init) where byType[name]?.isEmpty == false {
                ordered.append(byType[name]!.removeFirst())
            }
        }
        return ordered + byType.sorted { $0.key < $1.key }.flatMap(\.value)
    }
}
