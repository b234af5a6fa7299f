/// A JSON value. Numbers are `Double`; in a document that is read leniently, one that is too large is infinite.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object(JSONMembers)

    /// Reads a value and ignores what follows it; `nil` for bytes that aren't JSON.
    ///
    /// - Parameter isLenient: As of ``JSONReader``.
    package init?(_ bytes: [UInt8], isLenient: Bool = false) {
        let value = try? bytes.withUnsafeBufferPointer {
            try JSONReader.scan($0, isLenient: isLenient) { try $0.value() }
        }
        guard let value else { return nil }
        self = value
    }

    /// The member with a name; `nil` for anything but an object that has it.
    package subscript(name: String) -> JSONValue? {
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The first member that is present and not null.
    package subscript(first names: String...) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        for name in names {
            if let value = members[name], !value.isNull { return value }
        }
        return nil
    }

    private var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// A finite number, also one that is written as a string.
    package var number: Double? {
        switch self {
        case .number(let number): number.isFinite ? number : nil
        case .string(let text): Self.number(in: text)
        default: nil
        }
    }

    /// A string without surrounding white space; `nil` for an empty one.
    package var text: String? {
        guard case .string(let text) = self else { return nil }
        if let first = text.utf8.first, let last = text.utf8.last, Self.isGraphic(first), Self.isGraphic(last) {
            return text
        }
        let trimmed = text.drop(while: \.isWhitespace)
        guard let last = trimmed.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(trimmed[...last])
    }

    /// Whether a byte is an ASCII character that is seen.
    private static func isGraphic(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    /// A Boolean value, also as 0, 1, “true”, “false”, “yes” or “no”.
    package var flag: Bool? {
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
    package var elements: [JSONValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; `nil` for anything else.
    package var members: JSONMembers? {
        if case .object(let members) = self { members } else { nil }
    }

    /// Writes the value as JSON, with the members of objects in alphabetical order.
    package func write(to json: inout JSONText) {
        switch self {
        case .null: json.null()
        case .bool(let flag): json.bool(flag)
        case .number(let number): json.number(number)
        case .string(let text): json.string(text)
        case .array(let elements):
            json.array { json in for element in elements { element.write(to: &json) } }
        case .object(let members):
            json.object { json in
                for (name, value) in members.dictionary.sorted(by: { $0.key < $1.key }) {
                    json.key(name)
                    value.write(to: &json)
                }
            }
        }
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

/// The members of an object, in the order of the text. Of two with one name, the last counts.
///
/// A list, because an entry has a few members, among which one is found sooner by comparing than by hashing.
package struct JSONMembers: Hashable, Sendable {
    private var list: [(name: String, value: JSONValue)] = []

    package init() { list.reserveCapacity(6) }

    package init(_ members: [String: JSONValue]) {
        list = members.map { ($0.key, $0.value) }
    }

    /// The member with a name.
    package subscript(name: String) -> JSONValue? {
        list.last { $0.name == name }?.value
    }

    package mutating func append(_ name: String, _ value: JSONValue) {
        list.append((name, value))
    }

    /// The members in the order of the text.
    package var entries: [(name: String, value: JSONValue)] { list }

    /// The members by name.
    package var dictionary: [String: JSONValue] {
        Dictionary(list.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    }

    package static func == (one: JSONMembers, other: JSONMembers) -> Bool { one.dictionary == other.dictionary }

    package func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }
}
