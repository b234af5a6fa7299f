import HealthModel

/// What a sample's metadata adds to its element: attributes and lines of children, as bytes.
struct RecordExtras {
    private let attributes: [UInt8]
    private let children: [UInt8]
    private let depth: Int
    /// Whether there is text among the children: then every blank between them would be text as well.
    private let hasText: Bool

    /// - Parameter depth: How far the children are indented.
    init(_ metadata: Metadata, depth: Int, _ tally: inout ExportTally) {
        self.depth = depth
        let parts = MetadataElements(metadata, &tally)
        let buffer = ByteBuffer(capacity: 256)
        ElementMarkup.writeAttributes(of: ArchivedElement(name: "", attributes: parts.attributes), to: buffer, &tally)
        attributes = Array(buffer.bytes)
        buffer.removeAll()
        hasText = parts.children.contains { $0.name == ElementReader.textName }
        for child in parts.children { Self.write(child, depth: depth, isInline: hasText, to: buffer, &tally) }
        children = Array(buffer.bytes)
    }

    /// Nothing.
    static let none = RecordExtras()

    private init() {
        (attributes, children, depth, hasText) = ([], [], 2, false)
    }

    /// Whether there is nothing.
    var isPlain: Bool { attributes.isEmpty && children.isEmpty }

    /// Completes an element whose tag is still open.
    func write(closing name: StaticString, to buffer: ByteBuffer) {
        buffer.append(attributes)
        guard !children.isEmpty else { return buffer.append("/>\n" as StaticString) }
        buffer.append(hasText ? ">" : ">\n" as StaticString)
        buffer.append(children)
        close(name, buffer)
    }

    /// Completes an element that has one more child.
    func write(
        closing name: StaticString, with child: ArchivedElement, to buffer: ByteBuffer, _ tally: inout ExportTally
    ) {
        buffer.append(attributes)
        buffer.append(hasText ? ">" : ">\n" as StaticString)
        buffer.append(children)
        Self.write(child, depth: depth, isInline: hasText, to: buffer, &tally)
        close(name, buffer)
    }

    private func close(_ name: StaticString, _ buffer: ByteBuffer) {
        if !hasText { indent(buffer) }
        buffer.append("</" as StaticString)
        buffer.append(name)
        buffer.append(">\n" as StaticString)
    }

    private func indent(_ buffer: ByteBuffer) {
        for _ in 1..<depth { buffer.append(UInt8(ascii: " ")) }
    }

    private static func write(
        _ child: ArchivedElement, depth: Int, isInline: Bool, to buffer: ByteBuffer, _ tally: inout ExportTally
    ) {
        if isInline {
            ElementMarkup.writeInline(child, depth: depth, to: buffer, &tally)
        } else {
            ElementMarkup.write(child, depth: depth, to: buffer, &tally)
        }
    }
}
