import HealthModel

/// Writes an ``ArchivedElement`` as markup: the twin of ``ElementReader``.
enum ElementText {
    /// One line, children inside.
    static func print(_ element: ArchivedElement) -> String {
        if element.name == ElementReader.textName { return AttributeText.encode(element["value"] ?? "") }
        var text = "<" + element.name
        for attribute in element.attributes {
            text += " \(attribute.name)=\"\(AttributeText.encode(attribute.value))\""
        }
        if element.children.isEmpty { return text + "/>" }
        text += ">"
        for child in element.children { text += print(child) }
        return text + "</\(element.name)>"
    }

    /// The element of a text that ``print(_:)`` wrote, or the text between tags that it wrote; `nil` for
    /// markup that is not one element.
    static func parse(_ text: String) -> ArchivedElement? {
        // In what stands for text, every `<` is a reference.
        if !text.utf8.contains(UInt8(ascii: "<")) {
            var text = text
            return text.isEmpty ? nil : ElementReader.text(text.withUTF8(AttributeText.decodeText))
        }
        // Wide loads may look past the end, as in a window.
        var bytes = Array(text.utf8)
        let count = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: ScanWindow.padding))
        return bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, count > 0, base[0] == UInt8(ascii: "<") else { return nil }
            var attributes = TagAttributes()
            var parts = Int.max
            guard case .tag(let tag) = TagScanner.scan(base, at: 0, end: count, into: &attributes),
                tag.kind == .open || tag.kind == .empty,
                case .element(let element, end: count) = ElementReader.read(base, from: tag, end: count, &attributes, parts: &parts)
            else { return nil }
            return element
        }
    }
}
