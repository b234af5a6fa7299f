import HealthFiles
import HealthModel

/// Writes elements, one per line, indented by one space per level: the counterpart of ``ElementReader``.
enum ElementMarkup {
    /// Appends an element and its descendants.
    static func write(_ element: ArchivedElement, depth: Int, to buffer: ByteBuffer, _ tally: inout ExportTally) {
        indent(depth, buffer)
        writeInline(element, depth: depth, to: buffer, &tally)
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Appends all attributes of an element, each with a space before it.
    static func writeAttributes(of element: ArchivedElement, to buffer: ByteBuffer, _ tally: inout ExportTally) {
        var seen: Set<String> = []
        for attribute in element.attributes {
            guard MarkupText.isName(attribute.name) else {
                tally.report("attribute with a name that is invalid in XML, left out")
                continue
            }
            guard seen.insert(attribute.name).inserted else {
                tally.report("duplicate attribute, left out")
                continue
            }
            buffer.append(UInt8(ascii: " "))
            buffer.append(attribute.name)
            buffer.append("=\"" as StaticString)
            let isDevice = attribute.name == "device"
            let replaced = MarkupText.append(
                isDevice ? DeviceTextWriter.withAddress(attribute.value) : attribute.value, to: buffer)
            tally.report("character that is invalid in XML, replaced by U+FFFD", count: replaced)
            buffer.append(UInt8(ascii: "\""))
        }
    }

    /// The element of a text that ``ElementText`` wrote; `nil` for any other text or a name that is invalid in XML.
    static func read(_ markup: String) -> ArchivedElement? {
        ElementText.parse(markup).flatMap { MarkupText.isName($0.name) || $0.name == ElementReader.textName ? $0 : nil }
    }

    /// Appends an element that has text beside it, without indentation and line break.
    static func writeInline(
        _ element: ArchivedElement, depth: Int, to buffer: ByteBuffer, _ tally: inout ExportTally
    ) {
        guard MarkupText.isName(element.name) else {
            if element.name == ElementReader.textName {
                MarkupText.append(element["value"] ?? "", to: buffer)
            } else {
                tally.report("element with a name that is invalid in XML, left out")
            }
            return
        }
        buffer.append(UInt8(ascii: "<"))
        buffer.append(element.name)
        writeAttributes(of: element, to: buffer, &tally)
        guard !element.children.isEmpty else { return buffer.append("/>" as StaticString) }
        buffer.append(UInt8(ascii: ">"))
        // White space beside text would be text as well.
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

extension ArchivedElement {
    /// Appends an attribute unless the value is `nil`.
    mutating func append(_ name: String, _ value: String?) {
        if let value { attributes.append(.init(name: name, value: value)) }
    }

    /// Appends the source and device, in the archive's order.
    mutating func appendOrigin(_ revision: SourceRevisionRecord?, _ device: DeviceRecord?) {
        append("sourceName", revision?.source.name ?? "")
        append("sourceVersion", revision?.version)
        append("device", device.map { DeviceTextWriter.text($0) })
    }

    /// Appends the attributes that workouts, correlations and documents have in common: the counterpart of
    /// ``ElementFrame``.
    mutating func appendFrame(of object: ObjectRecord, _ style: RecordStyle) {
        appendOrigin(object.revision, object.device)
        append("creationDate", object.creation.map { style.date($0) })
        append("startDate", style.date(object.start))
        append("endDate", style.date(object.end))
    }

    /// Sets an attribute, replacing one with the same name.
    mutating func set(_ attribute: Attribute) {
        if let index = attributes.firstIndex(where: { $0.name == attribute.name }) {
            attributes[index].value = attribute.value
        } else {
            attributes.append(attribute)
        }
    }

    /// Appends the attributes and children of metadata.
    mutating func append(_ metadata: Metadata, excluding excluded: Set<String> = [], _ tally: inout ExportTally) {
        let parts = MetadataElements(metadata, excluding: excluded, &tally)
        for attribute in parts.attributes { set(attribute) }
        children += parts.children
    }
}

extension FieldValue {
    /// The value of a text field.
    var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// Formats a device as iOS does, with an address. The address on iOS is one in memory and differs each time; here it
/// is derived from the device, so that equal devices have equal text.
enum DeviceTextWriter {
    static func text(_ device: DeviceRecord) -> String {
        let text = DeviceText.print(device)
        return opening + address(text) + text.dropFirst(made.count)
    }

    /// Adds an address to the text of a device that an import preserved without one; returns other text unchanged.
    static func withAddress(_ text: String) -> String {
        text.hasPrefix(made) ? opening + address(text) + text.dropFirst(made.count) : text
    }

    private static let opening = "<<HKDevice: 0x"
    /// The beginning of a device's text without an address.
    private static let made = opening + "0"

    /// Nine digits as on iOS, by FNV-1a over the text.
    private static func address(_ text: String) -> String {
        // Objects are aligned to 16 bytes.
        String(0x2_8000_0000 | (FNV1a.hash(text.utf8) >> 20 & 0x7FF_FFFF) << 4, radix: 16)
    }
}

/// Escapes text for an attribute value in double quotes, like ``AttributeText/encode(_:)``, into a buffer.
enum MarkupText {
    /// Appends the text and returns the number of characters that are invalid in XML, which become U+FFFD.
    @discardableResult
    static func append(_ text: String, to buffer: ByteBuffer) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var start = 0
            var replaced = 0
            for index in bytes.indices {
                let byte = bytes[index]
                // Most bytes need no escaping.
                guard byte < 0x40 || byte >= 0xEF else { continue }
                let entity: StaticString
                switch byte {
                case UInt8(ascii: "&"): entity = "&amp;"
                case UInt8(ascii: "<"): entity = "&lt;"
                case UInt8(ascii: ">"): entity = "&gt;"
                case UInt8(ascii: "\""): entity = "&quot;"
                case 0x09: entity = "&#9;"
                case 0x0A: entity = "&#10;"
                case 0x0D: entity = "&#13;"
                case 0x00..<0x20:
                    entity = "\u{FFFD}"
                    replaced += 1
                case 0xEF where index + 2 < bytes.count && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE:
                    // U+FFFE and U+FFFF; the two bytes that follow are skipped below.
                    if index > start { buffer.append(bytes[start..<index].asRaw) }
                    buffer.append("\u{FFFD}" as StaticString)
                    replaced += 1
                    start = index + 3
                    continue
                default: continue
                }
                if index > start { buffer.append(bytes[start..<index].asRaw) }
                buffer.append(entity)
                start = index + 1
            }
            if start < bytes.count { buffer.append(bytes[start...].asRaw) }
            return replaced
        }
    }

    /// Whether all characters of a text are valid in XML.
    static func canWrite(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case 0x00..<0x20, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
    }

    /// Whether a name is valid for an element or attribute.
    static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isNameStart(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            isNameStart($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "." || $0 == "\u{B7}"
                || (0x300...0x36F).contains($0.value) || (0x203F...0x2040).contains($0.value)
        }
    }

    /// XML 1.0, fifth edition, production 4, which includes the lists of the fourth edition.
    private static func isNameStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A: true
        case 0xC0...0x2FF: scalar.value != 0xD7 && scalar.value != 0xF7
        case 0x370...0x1FFF: scalar.value != 0x37E
        case 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
            0x10000...0xEFFFF:
            true
        default: false
        }
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// The bytes as a raw buffer.
    fileprivate var asRaw: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: self))
    }
}
