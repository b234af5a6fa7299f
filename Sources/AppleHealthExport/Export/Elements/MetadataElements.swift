import HealthFiles
import HealthModel

/// The attributes and children that metadata becomes in an element: the counterpart of ``ElementMetadata``.
struct MetadataElements {
    /// Unknown attributes preserved from an import.
    private(set) var attributes: [ArchivedElement.Attribute] = []
    /// Metadata entries, and unknown children preserved from an import.
    private(set) var children: [ArchivedElement] = []

    /// - Parameter excluded: Internal keys that the element's own writer handles.
    init(_ metadata: Metadata, excluding excluded: Set<String> = [], _ tally: inout ExportTally) {
        for entry in metadata.entries where !excluded.contains(entry.key) {
            if entry.key.hasPrefix("_") {
                if entry.key == MetadataKey.seriesCount {
                    tally.report("sample with a series of quantities, written as one")
                }
                // Original spellings replace children that the element's own writer makes.
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
                        .init(name: "key", value: entry.key),
                        .init(name: "value", value: MetadataValueText.text(entry)),
                    ]))
        }
    }
}

/// A metadata value as the archive writes it: the text it was imported with, or else text that is read as the same
/// value, if possible.
enum MetadataValueText {
    static func text(_ entry: Metadata.Entry) -> String {
        if let text = entry.archivedText { return text }
        let text = MetadataText.print(entry.value, key: entry.key)
        guard case .quantity(let number, "%") = entry.value else { return text }
        // Multiplying and dividing again may not give the same number.
        let factor = text.hasPrefix(DecimalText.print(number * 100) + " ") ? 100.0 : 10_000
        return exact(number, factor: factor) + " %"
    }

    private static func exact(_ number: Double, factor: Double) -> String {
        let product = number * factor
        let near = [product, product.nextUp, product.nextDown].first { $0 / factor == number }
        return DecimalText.print(near ?? product)
    }
}

/// A sample's metadata as the bytes of attributes and children of its element.
struct RecordExtras {
    private let attributes: [UInt8]
    private let children: [UInt8]
    /// Whether there is text among the children, so that any white space between them would be text as well.
    private let hasText: Bool

    init(_ metadata: Metadata, _ tally: inout ExportTally) {
        let parts = MetadataElements(metadata, &tally)
        let buffer = ByteBuffer(capacity: 256)
        ElementMarkup.writeAttributes(of: ArchivedElement(name: "", attributes: parts.attributes), to: buffer, &tally)
        attributes = Array(buffer.bytes)
        buffer.removeAll()
        hasText = parts.children.contains { $0.name == ElementReader.textName }
        for child in parts.children { Self.write(child, isInline: hasText, to: buffer, &tally) }
        children = Array(buffer.bytes)
    }

    /// Empty metadata.
    static let none = RecordExtras()

    private init() {
        (attributes, children, hasText) = ([], [], false)
    }

    /// Whether there are neither attributes nor children.
    var isEmpty: Bool { attributes.isEmpty && children.isEmpty }

    /// Completes a record whose start tag is still open.
    func complete(_ buffer: ByteBuffer) {
        buffer.append(attributes)
        guard !children.isEmpty else { return buffer.append("/>\n" as StaticString) }
        buffer.append(hasText ? ">" : ">\n" as StaticString)
        buffer.append(children)
        close(buffer)
    }

    /// Completes a record that has an additional child.
    func complete(_ buffer: ByteBuffer, with child: ArchivedElement, _ tally: inout ExportTally) {
        buffer.append(attributes)
        buffer.append(hasText ? ">" : ">\n" as StaticString)
        buffer.append(children)
        Self.write(child, isInline: hasText, to: buffer, &tally)
        close(buffer)
    }

    private func close(_ buffer: ByteBuffer) {
        buffer.append((hasText ? "</Record>\n" : " </Record>\n") as StaticString)
    }

    private static func write(
        _ child: ArchivedElement, isInline: Bool, to buffer: ByteBuffer, _ tally: inout ExportTally
    ) {
        if isInline {
            ElementMarkup.writeInline(child, depth: 2, to: buffer, &tally)
        } else {
            ElementMarkup.write(child, depth: 2, to: buffer, &tally)
        }
    }
}
