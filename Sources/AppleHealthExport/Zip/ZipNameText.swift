import CZlib

/// The text of an entry's name. The format knows code page 437 and, where bit 11 says so, UTF-8; Info-ZIP
/// adds the name in UTF-8 as an extra field; and many write UTF-8 and do not say so.
enum ZipNameText {
    /// The extra field with the name in UTF-8: version 1, checksum of the plain name, text.
    private static let unicodePath: UInt16 = 0x7075

    static func text(_ name: ArraySlice<UInt8>, isFlagged: Bool, extra: [UInt8]) -> String {
        if let text = unicodePath(in: extra, for: name) { return text }
        if isFlagged { return String(decoding: name, as: UTF8.self) }
        return String(validating: name, as: UTF8.self) ?? codePage437(name)
    }

    private static func unicodePath(in extra: [UInt8], for name: ArraySlice<UInt8>) -> String? {
        var position = 0
        while position + 4 <= extra.count {
            let next = position + 4 + Int(extra.littleEndian(position + 2, as: UInt16.self))
            guard next <= extra.count else { return nil }
            if extra.littleEndian(position, as: UInt16.self) == unicodePath, next - position >= 9, extra[position + 4] == 1 {
                let sum = name.withUnsafeBufferPointer { crc32_z(0, $0.baseAddress, $0.count) }
                guard extra.littleEndian(position + 5, as: UInt32.self) == UInt32(truncatingIfNeeded: sum) else { return nil }
                return String(validating: extra[(position + 9)..<next], as: UTF8.self)
            }
            position = next
        }
        return nil
    }

    private static func codePage437(_ name: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(name.map { $0 < 0x80 ? Unicode.Scalar($0) : upperHalf[Int($0) - 0x80] }))
    }

    private static let upperHalf = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}
