package import HealthModel

/// Reads an element and its contents as an ``ArchivedElement``.
package enum ElementReader {
    /// The result of reading an element.
    package enum Outcome {
        case element(ArchivedElement, end: Int)
        /// The window ends within the element.
        case needsMore
        /// The element is damaged; scanning may resume at `resume`.
        case malformed(resume: Int, reason: String)
        /// The element exceeds the limit of parts.
        case tooManyParts
    }

    /// The maximum nesting depth; Apple's elements have a depth of four.
    package static let maximumDepth = 100
    /// The maximum number of parts of an element: tags, attributes and texts between tags, plus one for each value that
    /// a `String` does not store inline. A day of route points, one per second, has 900,000; a million take less than
    /// 100 MB.
    package static let maximumPartCount = 1_000_000
    /// The reason reported for an element with more parts.
    package static let tooManyParts = "it has more than 1,000,000 parts, or 4,096 attributes in one tag"
    /// The name of a child that represents text between tags.
    package static let textName = "#text"

    /// Reads the element of a start or empty tag that has just been scanned with its `attributes`.
    ///
    /// - Parameters:
    ///   - parts: The number of parts the element may still have.
    ///   - isNeighbour: Whether a tag with this name cannot be inside, so that the element's end tag is lost.
    package static func read(
        _ base: UnsafePointer<UInt8>, from tag: ScannedTag, end: Int, _ attributes: inout TagAttributes,
        parts: inout Int, isNeighbour: (ByteRange) -> Bool = { _ in false }
    ) -> Outcome {
        var known: Set<String> = []
        parts -= weight(attributes)
        guard parts >= 0, !attributes.hasOverflowed else { return .tooManyParts }
        var stack = [element(base, tag, attributes, &known)]
        if tag.kind == .empty { return .element(stack[0], end: tag.end) }
        var names = [tag.name]
        var position = tag.end
        while true {
            let next = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: end)
            guard next < end else { return .needsMore }
            if let text = text(base, ByteRange(start: position, end: next)) {
                parts -= 1
                stack[stack.count - 1].children.append(text)
            }
            switch TagScanner.scan(base, at: next, end: end, into: &attributes) {
            case .needsMore:
                return .needsMore
            case .malformed(let resume):
                return .malformed(resume: resume, reason: "a tag inside it is malformed")
            case .tag(let child):
                position = child.end
                parts -= weight(attributes)
                guard parts >= 0, !attributes.hasOverflowed else { return .tooManyParts }
                switch child.kind {
                case .aside:
                    if let text = text(base, ofSection: next, child) { stack[stack.count - 1].children.append(text) }
                case .open, .empty:
                    guard !isNeighbour(child.name) else {
                        return .malformed(resume: next, reason: "another element begins inside it")
                    }
                    if child.kind == .empty {
                        stack[stack.count - 1].children.append(element(base, child, attributes, &known))
                        continue
                    }
                    guard stack.count < maximumDepth else {
                        return .malformed(resume: child.end, reason: "its elements are nested too deeply")
                    }
                    stack.append(element(base, child, attributes, &known))
                    names.append(child.name)
                case .close:
                    guard names[names.count - 1].bytes(in: base).elementsEqual(child.name.bytes(in: base)) else {
                        return .malformed(resume: next, reason: "an end tag inside it has no start tag")
                    }
                    names.removeLast()
                    let done = stack.removeLast()
                    if stack.isEmpty { return .element(done, end: child.end) }
                    stack[stack.count - 1].children.append(done)
                }
            }
        }
    }

    /// The tag with its attributes, without children.
    package static func element(
        _ base: UnsafePointer<UInt8>, _ tag: ScannedTag, _ attributes: borrowing TagAttributes
    ) -> ArchivedElement {
        var known: Set<String> = []
        return element(base, tag, attributes, &known)
    }

    /// - Parameter known: Long names read before, so that equal names share memory.
    private static func element(
        _ base: UnsafePointer<UInt8>, _ tag: ScannedTag, _ attributes: borrowing TagAttributes,
        _ known: inout Set<String>
    ) -> ArchivedElement {
        var element = ArchivedElement(name: name(base, tag.name, &known))
        element.attributes.reserveCapacity(attributes.count)
        for index in 0..<attributes.count {
            element.attributes.append(
                .init(
                    name: name(base, attributes[index].name, &known),
                    value: AttributeText.decode(attributes[index].value.bytes(in: base))))
        }
        return element
    }

    /// The number of UTF-8 bytes that a `String` stores inline.
    private static let shortText = 15
    /// The number of long names that are remembered.
    private static let preservedNames = 256

    private static func name(_ base: UnsafePointer<UInt8>, _ range: ByteRange, _ known: inout Set<String>) -> String {
        let name = String(decoding: range.bytes(in: base), as: UTF8.self)
        guard range.count > shortText else { return name }
        return known.count < preservedNames || known.contains(name) ? known.insert(name).memberAfterInsert : name
    }

    /// The number of parts of a tag.
    package static func weight(_ attributes: borrowing TagAttributes) -> Int {
        var weight = 1 + attributes.count
        for index in 0..<attributes.count where attributes[index].value.count > shortText { weight += 1 }
        return weight
    }

    /// A child that represents the text in this range; `nil` for white space.
    package static func text(_ base: UnsafePointer<UInt8>, _ range: ByteRange) -> ArchivedElement? {
        guard range.bytes(in: base).contains(where: { !TagScanner.isBlank($0) }) else { return nil }
        return text(AttributeText.decodeText(range.bytes(in: base)))
    }

    /// A child that represents this text.
    package static func text(_ text: String) -> ArchivedElement {
        ArchivedElement(name: textName, attributes: [.init(name: "value", value: text)])
    }

    /// A child that represents the text of a CDATA section; `nil` for other asides and for white space.
    package static func text(_ base: UnsafePointer<UInt8>, ofSection start: Int, _ tag: ScannedTag) -> ArchivedElement?
    {
        guard base[start + 1] == UInt8(ascii: "!"), base[start + 2] == UInt8(ascii: "[") else { return nil }
        // A CDATA section contains neither markup nor references.
        let inside = ByteRange(start: start + 9, end: tag.end - 3).bytes(in: base)
        guard inside.contains(where: { !TagScanner.isBlank($0) }) else { return nil }
        return text(String(decoding: inside, as: UTF8.self))
    }
}

/// Writes an ``ArchivedElement`` as markup: the counterpart of ``ElementReader``.
package enum ElementText {
    /// Returns the markup of an element on one line.
    package static func print(_ element: ArchivedElement) -> String {
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

    /// Parses the output of ``print(_:)``: an element or text between tags. Returns `nil` for other markup.
    package static func parse(_ text: String) -> ArchivedElement? {
        // In text, every `<` is written as a reference.
        if !text.utf8.contains(UInt8(ascii: "<")) {
            var text = text
            return text.isEmpty ? nil : ElementReader.text(text.withUTF8(AttributeText.decodeText))
        }
        // Wide loads may read past the end, as in a window.
        var bytes = Array(text.utf8)
        let count = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: ScanWindow.padding))
        return bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, count > 0, base[0] == UInt8(ascii: "<") else { return nil }
            var attributes = TagAttributes()
            var parts = Int.max
            guard case .tag(let tag) = TagScanner.scan(base, at: 0, end: count, into: &attributes),
                tag.kind == .open || tag.kind == .empty,
                case .element(let element, end: count) = ElementReader.read(
                    base, from: tag, end: count, &attributes, parts: &parts)
            else { return nil }
            return element
        }
    }
}
