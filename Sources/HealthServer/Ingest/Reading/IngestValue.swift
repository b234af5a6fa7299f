/// A JSON value of a posted document.
///
/// Numbers are `Double`: a number that is too large is infinite, which no reader of entries accepts.
indirect enum IngestValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([IngestValue])
    case object([String: IngestValue])

    /// The member with a name; `nil` for anything but an object that has it.
    subscript(name: String) -> IngestValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The first member that is present and not null.
    subscript(first names: String...) -> IngestValue? {
        for name in names {
            if let value = self[name], value != .null { return value }
        }
        return nil
    }

    /// A finite number, also one that is written as a string.
    var number: Double? {
        switch self {
        case .number(let number): number.isFinite ? number : nil
        case .string(let text): Self.number(in: text)
        default: nil
        }
    }

    /// A string without surrounding white space; `nil` for an empty one.
    var text: String? {
        guard case .string(let text) = self else { return nil }
        let trimmed = text.drop(while: \.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(trimmed[...last])
    }

    /// A Boolean value, also as 0, 1, “true”, “false”, “yes” or “no”.
    var flag: Bool? {
        switch self {
        case .bool(let flag): return flag
        case .number(let number): return number == 0 ? false : number == 1 ? true : nil
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "1": return true
            case "false", "no", "0": return false
            default: return nil
            }
        default: return nil
        }
    }

    /// The elements of an array; `nil` for anything else.
    var elements: [IngestValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; `nil` for anything else.
    var members: [String: IngestValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Reads a number as people and phones write it, with a decimal point or a single comma.
    private static func number(in text: String) -> Double? {
        let plain = text.filter { !$0.isWhitespace }
        let commas = plain.count { $0 == "," }
        let value = commas == 1 && !plain.contains(".") ? Double(plain.replacing(",", with: ".")) : Double(plain)
        // `Double` also accepts the words for infinity and not a number, and hexadecimal digits.
        guard let value, value.isFinite, plain.allSatisfy({ "+-.,eE0123456789".contains($0) }) else { return nil }
        return value
    }
}
