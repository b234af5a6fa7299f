import Foundation

/// Converts decimal numbers from and to text, with the same result as `strtod` but faster for short numbers.
package enum DecimalText {
    /// 10^0 to 10^22, which `Double` represents exactly.
    @usableFromInline static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    /// Returns the number, or `nil` if the text is not a number. `nan` and `inf` are accepted, because a store can hold
    /// them.
    package static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let base = bytes.baseAddress, bytes.count > 0 else { return nil }
        var length = 0
        let value = parsePrefix(base, limit: bytes.count, length: &length)
        if length == bytes.count, !value.isNaN { return value }
        return parseSlowly(bytes)
    }

    package static func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// Returns the number, or `nil` if the text is not a finite number.
    package static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        parse(bytes).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Parses `[-]digits[.digits]` of at most 15 digits and sets `length` to the number of bytes read. Returns NaN if
    /// there is no such number.
    @inlinable @inline(__always)
    package static func parsePrefix(_ text: UnsafePointer<UInt8>, limit: Int, length: inout Int) -> Double {
        var position = 0
        let isNegative = text[0] == UInt8(ascii: "-")
        if isNegative { position = 1 }
        let first = position
        var mantissa: UInt64 = 0
        while position < limit {
            let digit = text[position] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            position += 1
        }
        var digits = position - first
        var decimals = 0
        if position < limit, text[position] == UInt8(ascii: "."), digits > 0 {
            position += 1
            let start = position
            while position < limit {
                let digit = text[position] &- UInt8(ascii: "0")
                guard digit < 10 else { break }
                mantissa = mantissa &* 10 &+ UInt64(digit)
                position += 1
            }
            decimals = position - start
            digits += decimals
            guard decimals > 0 else { return .nan }
        }
        length = position
        // A mantissa of up to 15 digits is exact, and so is the power: one division rounds once, as strtod does.
        guard digits > 0, digits <= 15 else { return .nan }
        var value = Double(Int64(mantissa))
        if decimals > 0 {
            value /= powersOfTen.withUnsafeBufferPointer { $0[decimals] }
        }
        return isNegative ? -value : value
    }

    private static func parseSlowly(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard bytes.count <= 512 else { return nil }
        // strtod also accepts leading white space, hexadecimal digits and “nan(…)”.
        let text = String(decoding: bytes, as: UTF8.self)
        switch text.lowercased() {
        case "nan", "+nan", "-nan": return .nan
        case "inf", "infinity", "+inf", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: break
        }
        guard bytes.allSatisfy({ $0 &- 0x30 < 10 || "+-.eE".utf8.contains($0) }),
            bytes.contains(where: { $0 >= 0x30 && $0 < 0x3A })
        else { return nil }
        return text.withCString { start in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(start, &end)
            return end.map { $0 - UnsafeMutablePointer(mutating: start) } == bytes.count ? value : nil
        }
    }

    /// Returns the shortest text that parses as the same number: `12`, `0.0639`, `1e+20`.
    package static func print(_ value: Double) -> String {
        if let whole = Int64(exactly: value), whole.magnitude < 1_000_000_000_000_000,
            !(value == 0 && value.sign == .minus)
        {
            return String(whole)
        }
        return value.description
    }
}
