import HealthFiles
import HealthModel

/// Content of a sample's element that is not metadata, kept in the metadata under reserved keys (see
/// ``MetadataKey/archivedPrefix``), and its conversion back to markup.
///
/// - `_archived.HeartRateVariabilityMetadataList`: the beats, one per line: beats per minute and the clock time as
///   printed, separated by a tab.
/// - `_archived.attribute.NAME`: an unknown attribute.
/// - `_archived.element`: an unknown child, as markup.
/// - `_archived.element.NAME.NUMBER`: a child that is understood but that the exporter would write differently, as
///   markup. It replaces the child of that name and number, counted from 0.
enum ArchivedMetadata {
    /// The element that lists the beats of a heart rate variability sample.
    static let beats = "HeartRateVariabilityMetadataList"
    private static let beat = "InstantaneousBeatsPerMinute"
    private static let attributePrefix = MetadataKey.archivedPrefix + "attribute."
    private static let elementKey = MetadataKey.archivedPrefix + "element"
    private static let beatsKey = MetadataKey.archivedPrefix + beats

    /// The entry for an unknown attribute. iOS 8 wrote metadata as attributes, with spaces in their names; those
    /// become ordinary metadata.
    static func attribute(_ name: String, _ value: String) -> Metadata.Entry {
        if name.hasPrefix("HK") || name.contains(" ") { return MetadataText.parse(key: name, text: value) }
        return Metadata.Entry(key: attributePrefix + name, value: .string(value))
    }

    /// The entry for a child that is not a metadata entry.
    static func child(_ element: ArchivedElement) -> Metadata.Entry {
        if element.name == beats, element.attributes.isEmpty, let text = beatText(element) {
            return Metadata.Entry(key: beatsKey, value: .string(text))
        }
        return Metadata.Entry(key: elementKey, value: .string(ElementText.print(element)))
    }

    /// The markup of an entry made by ``child(_:)``; `nil` for any other entry.
    static func markup(of entry: Metadata.Entry) -> String? {
        guard case .string(let text) = entry.value else { return nil }
        if entry.key == elementKey { return text }
        guard entry.key == beatsKey else { return nil }
        let lines = text.split(separator: "\n").map {
            $0.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        }
        return ElementText.print(
            ArchivedElement(
                name: beats,
                children: lines.filter { $0.count == 2 }.map {
                    ArchivedElement(
                        name: beat, attributes: [.init(name: "bpm", value: $0[0]), .init(name: "time", value: $0[1])])
                }))
    }

    /// The child of an entry made by ``child(_:)``; `nil` for any other entry.
    static func element(of entry: Metadata.Entry) -> ArchivedElement? {
        markup(of: entry).flatMap(ElementText.parse)
    }

    /// Whether an entry was made by ``child(_:)`` for an unknown child.
    static func isUnknownChild(_ entry: Metadata.Entry) -> Bool { entry.key == elementKey }

    /// The entry that preserves the exact markup of a child.
    static func spelling(of child: ArchivedElement, number: Int) -> Metadata.Entry {
        Metadata.Entry(key: spellingKey(child.name, number), value: .string(ElementText.print(child)))
    }

    /// Whether an entry was made by ``spelling(of:number:)``.
    static func isSpelling(_ entry: Metadata.Entry) -> Bool { entry.key.hasPrefix(elementKey + ".") }

    /// Replaces children by the exact markup that was kept for their name and number.
    static func spelled(_ children: [ArchivedElement], in metadata: Metadata) -> [ArchivedElement] {
        var preserved: [String: String] = [:]
        for entry in metadata.entries where isSpelling(entry) {
            if case .string(let text) = entry.value { preserved[entry.key] = text }
        }
        guard !preserved.isEmpty else { return children }
        return children.enumerated().map { number, child in
            preserved[spellingKey(child.name, number)].flatMap(ElementText.parse) ?? child
        }
    }

    /// Whether exact markup was kept for a child with this name.
    static func hasSpelling(of name: String, in metadata: Metadata) -> Bool {
        metadata.entries.contains { $0.key.hasPrefix("\(elementKey).\(name).") }
    }

    private static func spellingKey(_ name: String, _ number: Int) -> String { "\(elementKey).\(name).\(number)" }

    /// The name and value of an unknown attribute kept by ``attribute(_:_:)``; `nil` for any other entry.
    static func attribute(of entry: Metadata.Entry) -> (name: String, value: String)? {
        guard entry.key.hasPrefix(attributePrefix), case .string(let value) = entry.value else { return nil }
        return (String(entry.key.dropFirst(attributePrefix.count)), value)
    }

    private static func beatText(_ element: ArchivedElement) -> String? {
        var lines: [String] = []
        for child in element.children {
            guard child.name == beat, child.children.isEmpty, child.attributes.count == 2,
                let rate = child["bpm"], let time = child["time"],
                !(rate + time).contains(where: { "\t\n".contains($0) })
            else { return nil }
            lines.append(rate + "\t" + time)
        }
        return lines.joined(separator: "\n")
    }
}
