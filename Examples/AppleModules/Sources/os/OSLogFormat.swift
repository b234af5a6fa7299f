import Foundation

/// A format of `os_log`, such as `%{public}@ has %d`: that of `printf`, with objects and with privacy in braces.
struct OSLogFormat {
    private let format: String

    init(_ format: String) {
        self.format = format
    }

    /// The text with arguments. A conversion without an argument is `<decode: missing data>`, as on Apple's systems.
    func text(_ arguments: [any CVarArg]) -> String {
        var text = ""
        var rest = format[...]
        var arguments = arguments[...]
        let conversion = /%(?:\{([^}]*)\})?([-+ #0']*)(\*|\d+)?(\.(?:\*|\d+)?)?(?:hh|h|ll|l|q|z|t|j|L)?([@a-zA-Z%])/
        while let match = rest.firstMatch(of: conversion) {
            text += rest[..<match.range.lowerBound]
            rest = rest[match.range.upperBound...]
            if match.5 == "%" {
                text += "%"
                continue
            }
            func number(_ digits: Substring?) -> Int? {
                digits == "*" ? arguments.popFirst() as? Int : digits.flatMap { Int($0) }
            }
            let width = number(match.3).map(String.init) ?? ""
            let precision = match.4.map { number($0.dropFirst()) ?? 0 }
            let specification = "%\(match.2)\(width)\(precision.map { ".\($0)" } ?? "")"
            guard let argument = arguments.popFirst() else {
                text += "<decode: missing data>"
                continue
            }
            text += Self.privacy(match.1).text(
                Self.text(argument, specification, precision, match.5), isPublic: match.5 != "@" && match.5 != "s")
        }
        return text + rest
    }

    /// The words in braces: `public`, `private` or `sensitive`, and `mask.hash`.
    private static func privacy(_ words: Substring?) -> OSLogPrivacy {
        let words = (words ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let mask: OSLogPrivacy.Mask = words.contains("mask.hash") ? .hash : .none
        if words.contains("public") { return .public }
        return words.contains("private") || words.contains("sensitive") || mask == .hash
            ? .private(mask: mask) : .auto
    }

    /// The text of an argument, whose own type decides: an argument of another type than the conversion expects is never read as one.
    private static func text(
        _ argument: any CVarArg, _ specification: String, _ precision: Int?, _ kind: Substring
    ) -> String {
        switch argument {
        case let value as any BinaryInteger where "xXou".contains(kind):
            let bits = UInt64(truncatingIfNeeded: value) & (~0 >> UInt64(max(0, 64 - value.bitWidth)))
            return String(format: "\(specification)ll\(kind)", bits)
        case let value as any BinaryInteger:
            return String(format: specification + "lld", Int64(truncatingIfNeeded: value))
        case let value as any BinaryFloatingPoint:
            return String(format: "\(specification)\("aAeEfFgG".contains(kind) ? kind : "f")", Double(value))
        default:
            let text = "\(argument)"
            return precision.map { String(text.prefix($0)) } ?? text
        }
    }
}
