import Foundation

/// Whether a value may be written to the log.
public struct OSLogPrivacy: Sendable {
    /// How a value that isn't written is represented.
    public enum Mask: Sendable {
        /// By a hash, which is equal for equal values within a process.
        case hash
        /// By `<private>`.
        case none
    }

    enum Rule { case automatic, open, hidden }

    let rule: Rule
    let mask: Mask

    /// Numbers, truth values and types are written; strings and descriptions are not.
    public static var auto: OSLogPrivacy { auto(mask: .none) }
    /// The value is written.
    public static var `public`: OSLogPrivacy { OSLogPrivacy(rule: .open, mask: .none) }
    /// The value is not written.
    public static var `private`: OSLogPrivacy { `private`(mask: .none) }
    /// The value is not written.
    public static var sensitive: OSLogPrivacy { sensitive(mask: .none) }

    /// As ``auto``, with a representation of what is not written.
    public static func auto(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .automatic, mask: mask) }
    /// As ``private``, with a representation of the value.
    public static func `private`(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }
    /// As ``sensitive``, with a representation of the value.
    public static func sensitive(mask: Mask) -> OSLogPrivacy { OSLogPrivacy(rule: .hidden, mask: mask) }

    /// What is written of a value.
    func text(_ value: String, isPublic: Bool) -> String {
        if rule == .open || rule == .automatic && isPublic { return value }
        guard mask == .hash else { return "<private>" }
        // Seeded for each process, so that short values can't be found by trying.
        return "<mask.hash: '\(String(UInt(bitPattern: value.hashValue), radix: 16))'>"
    }
}

/// How many columns a value takes at least, and on which side.
public struct OSLogStringAlignment: Sendable {
    /// Columns; negative if the value is at the left.
    let columns: Int

    /// The value takes the columns that it has.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(columns: 0) }
    /// The value is at the right of the columns.
    public static func right(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columns: columns) }
    /// The value is at the left of the columns.
    public static func left(columns: Int) -> OSLogStringAlignment { OSLogStringAlignment(columns: -columns) }

    func text(_ value: String) -> String {
        let padding = String(repeating: " ", count: max(0, abs(columns) - value.count))
        return columns < 0 ? value + padding : padding + value
    }
}

/// The digits of an integer.
public struct OSLogIntegerFormatting: Sendable {
    var radix = 10
    var hasSign = false
    var prefix = ""
    var isUppercase = false
    var minDigits = 1

    /// Decimal digits.
    public static var decimal: OSLogIntegerFormatting { OSLogIntegerFormatting() }
    /// Hexadecimal digits.
    public static var hex: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 16) }
    /// Octal digits.
    public static var octal: OSLogIntegerFormatting { OSLogIntegerFormatting(radix: 8) }

    /// At least `minDigits` decimal digits, with `+` if wanted.
    public static func decimal(
        explicitPositiveSign: Bool = false, minDigits: @autoclosure () -> Int = 1
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(hasSign: explicitPositiveSign, minDigits: minDigits())
    }

    /// At least `minDigits` hexadecimal digits, with `+` and `0x` if wanted.
    public static func hex(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 1
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 16, hasSign: explicitPositiveSign, prefix: includePrefix ? "0x" : "", isUppercase: uppercase,
            minDigits: minDigits())
    }

    /// At least `minDigits` octal digits, with `+` and `0o` if wanted.
    public static func octal(
        explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false,
        minDigits: @autoclosure () -> Int = 1
    ) -> OSLogIntegerFormatting {
        OSLogIntegerFormatting(
            radix: 8, hasSign: explicitPositiveSign, prefix: includePrefix ? "0o" : "", minDigits: minDigits())
    }

    func text<Value: FixedWidthInteger>(_ value: Value) -> String {
        let digits = String(value.magnitude, radix: radix, uppercase: isUppercase)
        let zeros = String(repeating: "0", count: max(0, minDigits - digits.count))
        return (value < 0 ? "-" : hasSign ? "+" : "") + prefix + zeros + digits
    }
}

/// The digits of a number with a fraction.
public struct OSLogFloatFormatting: Sendable {
    /// A conversion of `printf`.
    let conversion: String

    /// Six digits after the decimal point.
    public static var fixed: OSLogFloatFormatting { fixed() }
    /// Hexadecimal digits and a binary exponent.
    public static var hex: OSLogFloatFormatting { hex() }
    /// One digit before the decimal point, and an exponent.
    public static var exponential: OSLogFloatFormatting { exponential() }
    /// The shorter of the others.
    public static var hybrid: OSLogFloatFormatting { hybrid() }

    /// A number of digits after the decimal point, with `+` if wanted.
    public static func fixed(
        precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting("f", precision(), explicitPositiveSign, uppercase)
    }

    /// Hexadecimal digits and a binary exponent, with `+` if wanted.
    public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
        OSLogFloatFormatting("a", nil, explicitPositiveSign, uppercase)
    }

    /// A number of digits after the decimal point and an exponent, with `+` if wanted.
    public static func exponential(
        precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting("e", precision(), explicitPositiveSign, uppercase)
    }

    /// A number of significant digits, with `+` if wanted.
    public static func hybrid(
        precision: @autoclosure () -> Int = 6, explicitPositiveSign: Bool = false, uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        OSLogFloatFormatting("g", precision(), explicitPositiveSign, uppercase)
    }

    private init(_ kind: String, _ precision: Int?, _ hasSign: Bool, _ isUppercase: Bool) {
        let digits = precision.map { ".\(max(0, $0))" } ?? ""
        conversion = "%\(hasSign ? "+" : "")\(digits)\(isUppercase ? kind.uppercased() : kind)"
    }

    func text(_ value: Double) -> String {
        String(format: conversion, value)
    }
}

/// The words of a truth value.
public enum OSLogBoolFormat: Sendable {
    /// `true` and `false`.
    case truth
    /// `yes` and `no`.
    case answer
}
