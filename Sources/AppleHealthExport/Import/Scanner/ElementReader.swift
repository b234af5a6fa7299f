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
        /// It has more parts than are taken.
        case tooManyParts
    }

    /// How deep elements may lie in each other; Apple's go four deep.
    static let greatestDepth = 100
    /// How many parts an element may have: tags, attributes and texts between tags, and one more for each value
    /// that does not fit into a `String` by itself. A day of points, one a second, has 900,000; a million take less
    /// than a hundred megabytes.
    static let greatestPartCount = 1_000_000
    /// Why an element with more of them is left out.
    static let tooManyParts = "it has more than 1,000,000 parts, or 4,096 attributes in one tag"
    /// The name of a child that stands for text between tags.
    static let textName = "#text"

    /// Reads on from `tag`, an opening or empty one that has just been scanned with its `attributes`.
    ///
    /// - Parameter parts: How many parts it may have, less those it has.
    /// - Parameter isNeighbour: Whether a tag of this name cannot be inside: the end of the element is lost then.
    static func read(
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
                    guard stack.count < greatestDepth else {
                        return .malformed(resume: child.end, reason: "elements lie too deep in it")
                    }
                    stack.append(element(base, child, attributes, &known))
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
        var known: Set<String> = []
        return element(base, tag, attributes, &known)
    }

    /// - Parameter known: Long names met before: those that are equal share their memory.
    private static func element(
        _ base: UnsafePointer<UInt8>, _ tag: ScannedTag, _ attributes: borrowing TagAttributes, _ known: inout Set<String>
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

    /// As many UTF-8 bytes a `String` holds without memory of its own.
    private static let shortText = 15
    /// Elements of more different long names there are not.
    private static let namesKept = 256

    private static func name(_ base: UnsafePointer<UInt8>, _ range: ByteRange, _ known: inout Set<String>) -> String {
        let name = String(decoding: range.bytes(in: base), as: UTF8.self)
        guard range.count > shortText else { return name }
        return known.count < namesKept || known.contains(name) ? known.insert(name).memberAfterInsert : name
    }

    /// How many parts a tag is.
    static func weight(_ attributes: borrowing TagAttributes) -> Int {
        var weight = 1 + attributes.count
        for index in 0..<attributes.count where attributes[index].value.count > shortText { weight += 1 }
        return weight
    }

    /// A child that stands for the text in this range; `nil` for blanks.
    static func text(_ base: UnsafePointer<UInt8>, _ range: ByteRange) -> ArchivedElement? {
        guard range.bytes(in: base).contains(where: { !TagScanner.isBlank($0) }) else { return nil }
        return text(AttributeText.decodeText(range.bytes(in: base)))
    }

    /// A child that stands for this text.
    static func text(_ text: String) -> ArchivedElement {
        ArchivedElement(name: textName, attributes: [.init(name: "value", value: text)])
    }

    /// A child that stands for the text of a CDATA section; `nil` for another aside, and for blanks.
    static func text(_ base: UnsafePointer<UInt8>, ofSection start: Int, _ tag: ScannedTag) -> ArchivedElement? {
        guard base[start + 1] == UInt8(ascii: "!"), base[start + 2] == UInt8(ascii: "[") else { return nil }
        // Nothing in it is markup, and nothing a reference.
        let inside = ByteRange(start: start + 9, end: tag.end - 3).bytes(in: base)
        guard inside.contains(where: { !TagScanner.isBlank($0) }) else { return nil }
        return text(String(decoding: inside, as: UTF8.self))
    }
}
