import Foundation

/// Decodes and encodes attribute values: the five named entities, decimal and hexadecimal references, and the white
/// space rules of XML attributes.
package enum AttributeText {
    /// Returns the text of an attribute's raw bytes. Unknown or malformed references stay as written; bytes that are
    /// not UTF-8 become U+FFFD.
    package static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        decode(bytes, keepsLines: false)
    }

    /// Returns the text of raw bytes between tags. White space is retained.
    package static func decodeText(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        decode(bytes, keepsLines: true)
    }

    private static func decode(_ bytes: UnsafeBufferPointer<UInt8>, keepsLines: Bool) -> String {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return "" }
        let hasEntity = memchr(base, Int32(UInt8(ascii: "&")), bytes.count) != nil
        if !hasEntity, !bytes.contains(where: { $0 < 0x20 }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "&"):
                if let (scalar, length) = reference(bytes, at: position) {
                    text += UTF8.encode(scalar)!
                    position += length
                } else {
                    text.append(byte)
                    position += 1
                }
            case 0x0D:
                // A line end is one character, and in an attribute it becomes a space.
                text.append(keepsLines ? 0x0A : 0x20)
                position += position + 1 < bytes.count && bytes[position + 1] == 0x0A ? 2 : 1
            case 0x09, 0x0A:
                text.append(keepsLines ? byte : 0x20)
                position += 1
            default:
                text.append(byte)
                position += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Encodes the text for use between double quotes.
    package static func encode(_ text: String) -> String {
        var encoded = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": encoded += "&amp;"
            case "<": encoded += "&lt;"
            case ">": encoded += "&gt;"
            case "\"": encoded += "&quot;"
            case "\t", "\n", "\r": encoded += "&#\(scalar.value);"
            default: encoded.unicodeScalars.append(scalar)
            }
        }
        return encoded
    }

    /// Returns the character and length of the reference at `start`.
    private static func reference(
        _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> (Unicode.Scalar, Int)? {
        let longest = min(start + 12, bytes.count)
        guard let end = (start..<longest).first(where: { bytes[$0] == UInt8(ascii: ";") }) else { return nil }
        let name = bytes[(start + 1)..<end]
        let length = end - start + 1
        if name.first == UInt8(ascii: "#") {
            let isHex = name.dropFirst().first == UInt8(ascii: "x")
            let digits = name.dropFirst(isHex ? 2 : 1)
            guard let digit = digits.first, digit != UInt8(ascii: "+"), digit != UInt8(ascii: "-"),
                let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10),
                let scalar = Unicode.Scalar(number)
            else { return nil }
            return (scalar, length)
        }
        switch String(decoding: name, as: UTF8.self) {
        case "lt": return ("<", length)
        case "gt": return (">", length)
        case "amp": return ("&", length)
        case "quot": return ("\"", length)
        case "apos": return ("'", length)
        default: return nil
        }
    }
}
