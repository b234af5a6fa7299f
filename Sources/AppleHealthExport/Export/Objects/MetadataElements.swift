import HealthModel

/// Splits metadata into what the archive has as attributes and what it has as children: the twin of
/// ``ElementMetadata``.
struct MetadataElements {
    /// Attributes no version of the format knows, kept from an import.
    private(set) var attributes: [ArchivedElement.Attribute] = []
    /// Metadata entries, and children of other kinds that were kept from an import.
    private(set) var children: [ArchivedElement] = []

    /// - Parameter passedOver: Keys of ours that the element's own writer takes care of.
    init(_ metadata: Metadata, passedOver: Set<String> = [], _ tally: inout ExportTally) {
        for entry in metadata.entries where !passedOver.contains(entry.key) {
            if entry.key.hasPrefix("_") {
                if entry.key == MetadataKey.seriesCount {
                    tally.note("sample made of several quantities, written as one")
                }
                // Spellings take the place of children that the element's own writer makes.
                if entry.key.hasPrefix(MetadataKey.seriesPrefix) || ArchivedMetadata.isSpelling(entry) { continue }
                if let attribute = ArchivedMetadata.attribute(of: entry) {
                    attributes.append(.init(name: attribute.name, value: attribute.value))
                    continue
                }
                if let markup = ArchivedMetadata.markup(of: entry), let element = ElementMarkup.read(markup) {
                    children.append(element)
                    continue
                }
            }
            children.append(
                ArchivedElement(
                    name: "MetadataEntry",
                    attributes: [
                        .init(name: "key", value: entry.key), .init(name: "value", value: MetadataValueWriter.text(entry)),
                    ]))
        }
    }
}
