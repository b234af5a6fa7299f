import Foundation

/// Writes JSON directly as bytes.
package struct JSONText {
    package private(set) var bytes: [UInt8] = []
    /// Whether the next member needs a comma before it.
    private var wantsComma = false

    package init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity)
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Structure

    package mutating func object(_ body: (inout JSONText) throws -> Void) rethrows {
        try enclosed("{", "}", body)
    }

    package mutating func array(_ body: (inout JSONText) throws -> Void) rethrows {
        try enclosed("[", "]", body)
    }

    private mutating func enclosed(
        _ opening: Unicode.Scalar, _ closing: Unicode.Scalar, _ body: (inout JSONText) throws -> Void
    ) rethrows {
        separate()
        bytes.append(UInt8(ascii: opening))
        wantsComma = false
        try body(&self)
        bytes.append(UInt8(ascii: closing))
        wantsComma = true
    }

    /// Writes a member with an object.
    package mutating func object(_ name: String, _ body: (inout JSONText) throws -> Void) rethrows {
        key(name)
        try object(body)
    }

    /// Writes an object of texts, without those that are missing.
    package mutating func object(_ texts: KeyValuePairs<String, String?>) {
        object { json in for (name, text) in texts { json.member(name, text: text) } }
    }

    /// Writes a member with an object of texts, without those that are missing.
    package mutating func object(_ name: String, _ texts: KeyValuePairs<String, String?>) {
        key(name)
        object(texts)
    }

    /// Writes a member with an array.
    package mutating func array(_ name: String, _ body: (inout JSONText) throws -> Void) rethrows {
        key(name)
        try array(body)
    }

    /// Writes the name of the next member.
    package mutating func key(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
        wantsComma = false
    }

    private mutating func separate() {
        if wantsComma { bytes.append(UInt8(ascii: ",")) }
        wantsComma = true
    }

    // MARK: Values

    package mutating func null() { raw("null") }
    package mutating func bool(_ flag: Bool) { raw(flag ? "true" : "false") }
    package mutating func integer(_ number: Int64) { raw(String(number)) }

    /// Writes a number with the fewest digits that represent it exactly. JSON has no infinities, which are texts, and
    /// no NaN, which is null as in SQL.
    package mutating func number(_ number: Double) {
        if let text = ShortestNumber.shortest(number) {
            raw(text)
        } else if let text = ShortestNumber.infinity(number) {
            string(text)
        } else {
            null()
        }
    }

    /// Writes a number. NaN and the infinities, which JSON doesn't have, are strings.
    ///
    /// - Parameter isExact: Whether a whole number keeps a decimal point, to distinguish it from an integer.
    package mutating func decimal(_ number: Double, isExact: Bool = false) {
        if number.isNaN { return string("NaN") }
        if isExact && number.isFinite || number == 0 && number.sign == .minus { return raw("\(number)") }
        self.number(number)
    }

    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string($0) }
    }

    package mutating func string(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices where text[index] < 0x20 || text[index] == 0x22 || text[index] == 0x5C {
            bytes.append(contentsOf: text[start..<index])
            escape(text[index])
            start = index + 1
        }
        bytes.append(contentsOf: text[start...])
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x22, 0x5C: bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            let digits = Array("0123456789abcdef".utf8)
            bytes += Array("u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    // MARK: Members

    /// Writes a member with a text, or nothing without one.
    package mutating func member(_ name: String, text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// Writes a member with a number, or nothing without one.
    package mutating func member(_ name: String, number: Double?) {
        guard let number else { return }
        key(name)
        decimal(number)
    }

    /// Writes a member with an integer, or nothing without one.
    package mutating func member(_ name: String, integer: Int?) {
        guard let integer else { return }
        key(name)
        self.integer(Int64(integer))
    }

    /// Writes a member with a Boolean value.
    package mutating func member(_ name: String, flag: Bool) {
        key(name)
        bool(flag)
    }

    /// Writes a member with texts.
    package mutating func member(_ name: String, texts: some Sequence<String>) {
        array(name) { json in for text in texts { json.string(text) } }
    }

    /// Writes a member with existing JSON, or nothing without any.
    package mutating func member(_ name: String, raw json: String?) {
        guard let json else { return }
        key(name)
        raw(json)
    }

    // MARK: Existing JSON

    /// Writes existing JSON.
    package mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
    }

    /// Writes existing JSON.
    package mutating func raw(_ json: UnsafeBufferPointer<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        wantsComma = false
    }
}

/// Formats numbers for programs.
package enum ShortestNumber {
    /// The fewest digits that represent the number exactly, without a decimal point for whole numbers; `nil` for
    /// infinities and NaN.
    package static func shortest(_ number: Double) -> String? {
        guard number.isFinite else { return nil }
        if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
        return "\(number)"
    }

    /// `Infinity` or `-Infinity`, or `nil` for other numbers.
    package static func infinity(_ number: Double) -> String? {
        guard number.isInfinite else { return nil }
        return number < 0 ? "-Infinity" : "Infinity"
    }
}

package enum Base64 {
    package static func text(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString()
    }
}
