import HealthJSON

/// The members of an object in a mapping. One that isn't read is a mistake, usually of spelling.
final class MappingMembers {
    /// The place of the object in the mapping.
    let place: String
    private let values: JSONMembers
    private var unread: Set<String>

    init(_ json: JSONValue, _ place: String) throws {
        guard let members = json.members else { throw ColumnMappingError("“\(place)” must be an object") }
        (self.place, values) = (place, members)
        unread = Set(members.entries.map(\.name))
        // What people write for themselves.
        unread.remove("comment")
    }

    subscript(name: String) -> JSONValue? {
        unread.remove(name)
        guard let value = values[name], value != .null else { return nil }
        return value
    }

    func missing(_ name: String, _ required: String) -> ColumnMappingError {
        ColumnMappingError("“\(place)” has no “\(name)”; it must be \(required)")
    }

    /// A member of a kind; `nil` without it.
    private func read<Value>(_ name: String, _ kind: String, _ parse: (JSONValue) -> Value?) throws -> Value? {
        try self[name].map {
            guard let value = parse($0) else { throw ColumnMappingError("“\(place).\(name)” must be \(kind)") }
            return value
        }
    }

    func text(_ name: String) throws -> String? { try read(name, "a text", \.text) }

    /// A text that may be white space.
    func string(_ name: String) throws -> String? {
        try read(name, "a text") { if case .string(let text) = $0 { text } else { nil } }
    }

    func number(_ name: String) throws -> Double? {
        try read(name, "a number") { if case .number(let number) = $0, number.isFinite { number } else { nil } }
    }

    func flag(_ name: String) throws -> Bool? {
        try read(name, "true or false") { if case .bool(let flag) = $0 { flag } else { nil } }
    }

    func members(_ name: String) throws -> MappingMembers? {
        try self[name].map { try MappingMembers($0, "\(place).\(name)") }
    }

    func elements(_ name: String) throws -> [JSONValue] { try read(name, "an array", \.elements) ?? [] }

    /// A text or an array of them.
    func texts(_ name: String) throws -> [String] {
        try self[name].map { try Self.texts($0, "\(place).\(name)") } ?? []
    }

    static func texts(_ json: JSONValue, _ place: String) throws -> [String] {
        if let text = json.text { return [text] }
        return try (json.elements ?? [.null]).map {
            guard case .string(let text) = $0 else {
                throw ColumnMappingError("“\(place)” must be a text or an array of texts")
            }
            return text
        }
    }

    /// All members, whose names are the mapping's own.
    func all() throws -> [(name: String, value: JSONValue)] {
        unread = []
        return values.entries
    }

    /// - Throws: ``ColumnMappingError`` for a member that has no meaning.
    func end() throws {
        guard let name = unread.min() else { return }
        throw ColumnMappingError("“\(place)” has an unknown member “\(name)”")
    }
}
