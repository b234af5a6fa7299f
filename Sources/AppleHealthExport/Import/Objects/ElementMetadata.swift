import HealthModel

/// Splits an element's children and attributes into metadata and the rest.
enum ElementMetadata {
    /// Metadata from `MetadataEntry` children and from attributes that are not among `known`.
    static func metadata(of element: ArchivedElement, known: Set<String>) -> Metadata {
        var entries = element.children.compactMap(entry)
        var others: [Metadata.Entry] = []
        for attribute in element.attributes where !known.contains(attribute.name) {
            let entry = ArchivedMetadata.attribute(attribute.name, attribute.value)
            if ArchivedMetadata.attribute(of: entry) == nil { entries.append(entry) } else { others.append(entry) }
        }
        return Metadata(entries + others)
    }

    /// The entry a child stands for; `nil` for other children, and for entries that have not just a key and
    /// a value.
    static func entry(_ child: ArchivedElement) -> Metadata.Entry? {
        guard child.name == "MetadataEntry", child.attributes.count == 2, child.children.isEmpty,
            let key = child["key"], let value = child["value"]
        else { return nil }
        return MetadataText.parse(key: key, text: value)
    }
}
