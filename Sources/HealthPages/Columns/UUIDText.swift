/// Strings that are a UUID in its usual form of 36 characters, kept in 16 bytes.
enum UUIDText {
    /// Where the hyphens stand, in bytes of the text.
    private static func isHyphen(_ place: Int) -> Bool {
        place == 8 || place == 13 || place == 18 || place == 23
    }

    /// The 16 bytes, and whether the letters are lower case; `nil` for any other text, and where upper
    /// and lower case are mixed.
    static func parse(_ text: [UInt8]) -> (bytes: [UInt8], lowercase: Bool)? {
        guard text.count == 36 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        var upper = false
        var lower = false
        for place in text.indices {
            let character = text[place]
            if isHyphen(place) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = character - UInt8(ascii: "A") + 10
                upper = true
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                digit = character - UInt8(ascii: "a") + 10
                lower = true
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return upper && lower ? nil : (bytes, lower)
    }

    /// The text of 16 bytes.
    static func print(_ bytes: UnsafeRawBufferPointer, lowercase: Bool) -> String {
        let letter = (lowercase ? UInt8(ascii: "a") : UInt8(ascii: "A")) - 10
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for byte in bytes {
            if isHyphen(text.count) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 0x0F] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : letter + digit)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
