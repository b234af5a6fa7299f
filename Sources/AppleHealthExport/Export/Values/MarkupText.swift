/// Text as it may stand between an attribute's double quotes, appended to a buffer: the five characters of
/// markup and white space as references, as ``AttributeText/encode(_:)`` has them.
enum MarkupText {
    /// Appends the text; returns how many characters XML cannot hold at all. U+FFFD stands in their place.
    @discardableResult
    static func append(_ text: String, to buffer: ByteBuffer) -> Int {
        var text = text
        return text.withUTF8 { bytes in
            var start = 0
            var replaced = 0
            for index in bytes.indices {
                let byte = bytes[index]
                // Nearly all text is plain; what is not is looked at more closely.
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
                    // U+FFFE and U+FFFF; the two bytes that follow are passed over below.
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

    /// Whether XML can hold every character of a text.
    static func holds(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09, 0x0A, 0x0D: true
            case 0x00..<0x20, 0xFFFE, 0xFFFF: false
            default: true
            }
        }
    }

    /// Whether a name may stand for an element or attribute.
    static func isName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, isNameStart(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            isNameStart($0) || ("0"..."9").contains($0) || $0 == "-" || $0 == "." || $0 == "\u{B7}"
                || (0x300...0x36F).contains($0.value) || (0x203F...0x2040).contains($0.value)
        }
    }

    /// XML 1.0, fifth edition, production 4; the fourth edition's lists are a part of it.
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
