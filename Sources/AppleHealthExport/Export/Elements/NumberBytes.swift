import Foundation
import HealthFiles

/// Formats numbers like ``DecimalText/print(_:)``, without allocating a `String` for common ones.
enum NumberBytes {
    /// The maximum length of a number in bytes.
    static let maximumLength = 32

    private static let powersOfTen: [Double] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000]

    /// Writes the shortest text that reads as the same number, and returns its length.
    @inline(__always)
    static func write(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        let size = abs(value)
        // Reading the text divides a mantissa below 10^15 by a power of ten, rounding once, so the first number of
        // decimals that gives the value back is the shortest text.
        if size < 1e9, size >= 1e-4 || (size == 0 && value.sign == .plus) {
            for decimals in 0...6 {
                let power = powersOfTen.withUnsafeBufferPointer { $0[decimals] }
                let scaled = (size * power).rounded()
                if scaled / power == size {
                    return write(UInt64(scaled), decimals: decimals, isNegative: value < 0, to: target)
                }
            }
        }
        return writeSlowly(value, to: target)
    }

    private static func write(
        _ mantissa: UInt64, decimals: Int, isNegative: Bool, to target: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var position = 0
        if isNegative {
            target[0] = UInt8(ascii: "-")
            position = 1
        }
        var rest = mantissa
        var digits = 1
        var power: UInt64 = 10
        while digits < 19, rest >= power {
            digits += 1
            power &*= 10
        }
        // At least one digit comes before the decimal point.
        let length = max(digits, decimals + 1)
        var place = position + length + (decimals > 0 ? 1 : 0)
        let end = place
        for index in 0..<length {
            if decimals > 0, index == decimals {
                place -= 1
                target[place] = UInt8(ascii: ".")
            }
            place -= 1
            let quotient = rest / 10
            target[place] = UInt8(truncatingIfNeeded: 0x30 &+ rest &- quotient &* 10)
            rest = quotient
        }
        return end
    }

    private static func writeSlowly(_ value: Double, to target: UnsafeMutablePointer<UInt8>) -> Int {
        var text = DecimalText.print(value)
        return text.withUTF8 { bytes in
            memcpy(target, bytes.baseAddress!, bytes.count)
            return bytes.count
        }
    }
}
