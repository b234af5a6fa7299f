import HealthModel

/// Writes elements as the archive does, one a line, a blank for each level: the twin of ``ElementReader``.
enum ElementMarkup {
    /// Appends the element with everything inside.
    static func write(_ element: ArchivedElement, depth: Int, to buffer: ByteBuffer, _ tally: inout ExportTally) {
        indent(depth, buffer)
        writeInline(element, depth: depth, to: buffer, &tally)
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Appends a blank, the name, and the value in quotes, for every attribute.
    static func writeAttributes(of element: ArchivedElement, to buffer: ByteBuffer, _ tally: inout ExportTally) {
        var seen: Set<String> = []
        for attribute in element.attributes {
            guard MarkupText.isName(attribute.name) else {
                tally.note("attribute whose name XML cannot hold, left out")
                continue
            }
            guard seen.insert(attribute.name).inserted else {
                tally.note("attribute given twice, written once")
                continue
            }
            buffer.append(UInt8(ascii: " "))
            buffer.append(attribute.name)
            buffer.append("=\"" as StaticString)
            let isDevice = attribute.name == "device"
            let replaced = MarkupText.append(
                isDevice ? DeviceTextWriter.withAddress(attribute.value) : attribute.value, to: buffer)
            tally.note("character that XML cannot hold, replaced by U+FFFD", count: replaced)
            buffer.append(UInt8(ascii: "\""))
        }
    }

    /// The element that a text kept by ``ElementText`` stands for; `nil` for any other text, and for one whose
    /// name XML cannot hold.
    static func read(_ markup: String) -> ArchivedElement? {
        ElementText.parse(markup).flatMap { MarkupText.isName($0.name) || $0.name == ElementReader.textName ? $0 : nil }
    }

    /// Appends the element where text stands beside it: without indent and line end.
    static func writeInline(
        _ element: ArchivedElement, depth: Int, to buffer: ByteBuffer, _ tally: inout ExportTally
    ) {
        guard MarkupText.isName(element.name) else {
            if element.name == ElementReader.textName {
                MarkupText.append(element["value"] ?? "", to: buffer)
            } else {
                tally.note("element whose name XML cannot hold, left out")
            }
            return
        }
        buffer.append(UInt8(ascii: "<"))
        buffer.append(element.name)
        writeAttributes(of: element, to: buffer, &tally)
        guard !element.children.isEmpty else { return buffer.append("/>" as StaticString) }
        buffer.append(UInt8(ascii: ">"))
        // Between text, every blank would be text as well.
        let hasText = element.children.contains { $0.name == ElementReader.textName }
        for child in element.children {
            if hasText {
                writeInline(child, depth: depth + 1, to: buffer, &tally)
            } else {
                buffer.append(UInt8(ascii: "\n"))
                indent(depth + 1, buffer)
                writeInline(child, depth: depth + 1, to: buffer, &tally)
            }
        }
        if !hasText {
            buffer.append(UInt8(ascii: "\n"))
            indent(depth, buffer)
        }
        buffer.append("</" as StaticString)
        buffer.append(element.name)
        buffer.append(UInt8(ascii: ">"))
    }

    private static func indent(_ depth: Int, _ buffer: ByteBuffer) {
        for _ in 0..<depth { buffer.append(UInt8(ascii: " ")) }
    }
}
