import HealthModel

/// What a record inside a correlation holds that nobody knows. The record is one with the sample at top level,
/// whose element may hold other things or none; so the correlation keeps it, among its metadata, and
/// ``CorrelationWriter`` puts it back.
struct CorrelationMember {
    /// Which of a correlation's members is meant.
    struct Key: Hashable {
        private var type: String
        private var start: String
        private var end: String
        private var value: String
        private var unit: String
        private var source: String

        init(_ sample: SampleRecord, _ type: TypeDescription) {
            self.type = RecordStyle.identifier(type)
            start = NumberText.print(sample.start)
            end = NumberText.print(sample.end)
            value = NumberText.print(sample.value)
            unit = sample.unit
            source = sample.revision?.source.name ?? ""
        }

        fileprivate init(_ element: ArchivedElement) {
            func text(_ name: String) -> String { element[name] ?? "" }
            (type, start, end) = (text("type"), text("start"), text("end"))
            (value, unit, source) = (text("value"), text("unit"), text("source"))
        }

        fileprivate var element: ArchivedElement {
            ArchivedElement(
                name: CorrelationMember.name,
                attributes: [
                    ("type", type), ("start", start), ("end", end), ("value", value), ("unit", unit), ("source", source),
                ].map { .init(name: $0.0, value: $0.1) })
        }
    }

    /// The key of a correlation's entries for this.
    static let entryKey = MetadataKey.archivedPrefix + "member"
    private static let name = "member"
    private static let attributesName = "attributes"

    let key: Key
    private let attributes: [ArchivedElement.Attribute]
    private let children: [ArchivedElement]

    /// - Parameter others: The entries that stand for what nobody knows.
    init(_ sample: SampleRecord, _ type: TypeDescription, others: [Metadata.Entry]) {
        key = Key(sample, type)
        attributes = others.compactMap { ArchivedMetadata.attribute(of: $0) }.map { .init(name: $0.name, value: $0.value) }
        children = others.compactMap { ArchivedMetadata.element(of: $0) }
    }

    /// `nil` for another entry.
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

    /// A correlation's entries for its members in an order that does not depend on theirs.
    static func ordered(_ entries: [Metadata.Entry]) -> [Metadata.Entry] {
        func text(_ entry: Metadata.Entry) -> String {
            if case .string(let text) = entry.value { text } else { "" }
        }
        return entries.sorted { text($0) < text($1) }
    }

    /// The metadata without what nobody knows, for an element inside a correlation.
    static func known(_ metadata: Metadata) -> Metadata {
        Metadata(
            metadata.entries.filter { entry in
                guard entry.key.hasPrefix(MetadataKey.archivedPrefix) else { return true }
                return ArchivedMetadata.attribute(of: entry) == nil && !ArchivedMetadata.isUnknownChild(entry)
            })
    }

    /// Adds it to the member's element.
    func complete(_ element: inout ArchivedElement) {
        for attribute in attributes { element.set(attribute) }
        element.children += children
    }
}
