import HealthModel

/// Reads a whole element with everything inside it as an ``ArchivedElement``.
enum ElementReader {
    /// What reading came to.
    enum Outcome {
        case element(ArchivedElement, end: Int)
        /// The window ends within it.
        case needsMore
        /// Something inside is broken; scanning may go on at `resume`.
        case malformed(resume: Int, reason: String)
    }

    /// How deep elements may lie in each other; Apple's go four deep.
    static let greatestDepth = 100
    /// The name of a child that stands for text between tags.
    static let textName = "#text"

    /// Reads on from `tag`, an opening or empty one that has just been scanned with its `attributes`.
    static func read(
        _ base: UnsafePointer<UInt8>, from tag: ScannedTag, end: Int, _ attributes: inout TagAttributes
    ) -> Outcome {
        var stack = [element(base, tag, attributes)]
        if tag.kind == .empty { return .element(stack[0], end: tag.end) }
        var names = [tag.name]
        var position = tag.end
        while true {
            let next = TagScanner.find(UInt8(ascii: "<"), base, from: position, end: end)
            guard next < end else { return .needsMore }
            keepText(base, ByteRange(start: position, end: next), in: &stack[stack.count - 1])
            switch TagScanner.scan(base, at: next, end: end, into: &attributes) {
            case .needsMore:
                return .needsMore
            case .malformed(let resume):
                return .malformed(resume: resume, reason: "a tag inside it is malformed")
            case .tag(let child):
                position = child.end
                switch child.kind {
                case .aside:
                    if let text = text(base, ofSection: next, child) { stack[stack.count - 1].children.append(text) }
                case .empty:
                    stack[stack.count - 1].children.append(element(base, child, attributes))
                case .open:
                    guard stack.count < greatestDepth else {
                        return .malformed(resume: child.end, reason: "elements lie too deep in it")
                    }
                    stack.append(element(base, child, attributes))
                    names.append(child.name)
                case .close:
                    guard names[names.count - 1].bytes(in: base).elementsEqual(child.name.bytes(in: base)) else {
                        return .malformed(resume: next, reason: "an end tag inside it has no beginning")
                    }
                    names.removeLast()
                    let done = stack.removeLast()
                    if stack.isEmpty { return .element(done, end: child.end) }
                    stack[stack.count - 1].children.append(done)
                }
            }
        }
    }

    /// The tag with its attributes, childless. Of an attribute given twice the first one counts.
    static func element(
        _ base: UnsafePointer<UInt8>, _ tag: ScannedTag, _ attributes: borrowing TagAttributes
    ) -> ArchivedElement {
        var element = ArchivedElement(name: String(decoding: tag.name.bytes(in: base), as: UTF8.self))
        for index in 0..<attributes.count {
            element.attributes.append(
                .init(
                    name: String(decoding: attributes[index].name.bytes(in: base), as: UTF8.self),
                    value: AttributeText.decode(attributes[index].value.bytes(in: base))))
        }
        return element
    }

    private static func keepText(
        _ base: UnsafePointer<UInt8>, _ range: ByteRange, in element: inout ArchivedElement
    ) {
        if let text = text(base, range) { element.children.append(text) }
    }

    /// A child that stands for the text in this range; `nil` for blanks.
    static func text(_ base: UnsafePointer<UInt8>, _ range: ByteRange) -> ArchivedElement? {
        guard range.bytes(in: base).contains(where: { !TagScanner.isBlank($0) }) else { return nil }
        let text = AttributeText.decode(range.bytes(in: base))
        return ArchivedElement(name: textName, attributes: [.init(name: "value", value: text)])
    }

    /// A child that stands for the text of a CDATA section; `nil` for another aside, and for blanks.
    static func text(_ base: UnsafePointer<UInt8>, ofSection start: Int, _ tag: ScannedTag) -> ArchivedElement? {
        guard base[start + 1] == UInt8(ascii: "!"), base[start + 2] == UInt8(ascii: "[") else { return nil }
        return text(base, ByteRange(start: start + 9, end: tag.end - 3))
    }
}
