package import Foundation
import HealthFormats
import HealthJSON
package import HealthModel

/// The named parameters of a question, as text: of a command line, a URL's query or a tool's arguments.
///
/// Each is read by name; ``finish()`` rejects those that were not read, so that a misspelled filter doesn't select
/// everything.
package struct QueryParameters: Sendable {
    private var values: [String: [String]]
    private var known: Set<String> = ["timeZone", "person"]

    /// Creates parameters that are given once each, or not at all.
    package init(_ values: [String: String?]) {
        self.values = values.compactMapValues { $0.map { [$0] } }
    }

    /// Reads the query of a URL.
    ///
    /// - Throws: ``ParameterError`` for text that is not percent-encoded UTF-8.
    package init(query: String) throws {
        var values: [String: [String]] = [:]
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map {
                String(decoding: $0.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
                    .removingPercentEncoding
            }
            guard let name = pair[0], let value = pair.count > 1 ? pair[1] : "" else {
                throw ParameterError(nil, "The query is not percent-encoded UTF-8.")
            }
            guard !value.unicodeScalars.contains("\0") else {
                throw ParameterError(name, "A null character is not allowed.")
            }
            values[name, default: []].append(value)
        }
        self.values = values
    }

    /// - Throws: ``ParameterError`` if there is a parameter that was not read.
    package func finish() throws {
        guard let name = values.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw ParameterError(nil, "“\(Self.shown(name))” is not a parameter of this route. See /openapi.json.")
    }

    /// The beginning of a text from a request, for a message.
    package static func shown(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }

    /// The error about a parameter's value.
    package static func problem(_ name: String, _ value: String, _ wanted: String) -> ParameterError {
        ParameterError(name, "“\(shown(value))” \(wanted)")
    }

    // MARK: Values

    /// Adds a parameter that is given elsewhere, such as in a path.
    package mutating func set(_ name: String, to value: String) {
        values[name] = [value]
    }

    /// A text that is given at most once.
    package mutating func text(_ name: String) throws -> String? {
        known.insert(name)
        guard let all = values[name] else { return nil }
        guard all.count == 1 else { throw ParameterError(name, "Give it once.") }
        return all[0]
    }

    /// A required text.
    package mutating func requiredText(_ name: String) throws -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw ParameterError(name, "This parameter is required.")
        }
        return text
    }

    /// A list, separated by commas or given several times; `nil` if it is not given.
    package mutating func list(_ name: String) throws -> [String]? {
        try lists(name).map { Array($0.joined()) }
    }

    /// The lists of a parameter, one for each time that it is given; `nil` if it is not given.
    package mutating func lists(_ name: String) throws -> [[String]]? {
        known.insert(name)
        guard let all = values[name] else { return nil }
        let lists = all.map(Self.elements)
        guard lists.contains(where: { !$0.isEmpty }) else { throw ParameterError(name, "The list is empty.") }
        return lists.filter { !$0.isEmpty }
    }

    /// The elements of a list that is separated by commas. A comma after a backslash belongs to a name.
    private static func elements(_ list: String) -> [String] {
        var elements: [String] = []
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            if let last = elements.last, last.hasSuffix("\\") {
                elements[elements.count - 1] = last.dropLast() + "," + part
            } else {
                elements.append(String(part))
            }
        }
        return elements.filter { !$0.isEmpty }.map { String($0.trimmingPrefix { $0 == " " }) }
    }

    package mutating func flag(_ name: String, default usual: Bool = false) throws -> Bool {
        switch try text(name) {
        case nil: return usual
        case "false": return false
        case "true": return true
        case let value?: throw Self.problem(name, value, "is not true or false.")
        }
    }

    package mutating func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = try text(name) else { return nil }
        guard let number = Int(value), range.contains(number) else {
            throw Self.problem(name, value, "is not an integer from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// An integer within the bounds of a question's parameter.
    mutating func integer(_ parameter: QuestionDescription.Parameter) throws -> Int? {
        guard case .integer(let range) = parameter.kind else { return nil }
        return try integer(parameter.name, in: range)
    }

    /// One of the names of a question's parameter.
    ///
    /// - Throws: ``ParameterError``, which says what is wanted.
    mutating func choice(_ parameter: QuestionDescription.Parameter, _ wanted: String) throws -> String? {
        guard let name = try text(parameter.name) else { return nil }
        guard parameter.choices.contains(name) else { throw Self.problem(parameter.name, name, wanted) }
        return name
    }

    package mutating func number(_ name: String) throws -> Double? {
        guard let value = try text(name) else { return nil }
        guard let number = Double(value), number.isFinite else { throw Self.problem(name, value, "is not a number.") }
        return number
    }

    /// An instant in seconds since 2001.
    package mutating func instant(_ name: String, _ timeZone: TimeZone) throws -> Double? {
        guard let value = try text(name) else { return nil }
        guard let instant = Self.instant(value, timeZone) else {
            throw Self.problem(name, value, "is not a time. Use a form like 2025-05-01 or 2025-05-01T08:00:00+02:00.")
        }
        return instant
    }

    private static func instant(_ text: String, _ timeZone: TimeZone) -> Double? {
        let reader = LocalClock(timeZone: timeZone)
        if let instant = reader.instant(of: text) { return instant }
        // A + that was not encoded arrives as a space.
        guard let space = text.lastIndex(of: " "), text[..<space].contains("T") else { return nil }
        return reader.instant(of: text.replacingCharacters(in: space...space, with: "+"))
    }

    /// The names and values of parameters with a prefix, without it.
    package mutating func entries(prefix: String) -> [(name: String, values: [String])] {
        let found = values.keys.filter { $0.hasPrefix(prefix) && $0.count > prefix.count }.sorted()
        known.formUnion(found)
        return found.map { (String($0.dropFirst(prefix.count)), values[$0] ?? []) }
    }

    // MARK: The model's values

    /// The types of a list of names.
    package mutating func types(_ name: String, _ dictionaries: StoreDictionaries) throws -> [TypeDescription]? {
        try list(name)?.map { try Self.type($0, parameter: name, dictionaries) }
    }

    /// One required type.
    package mutating func type(_ name: String, _ dictionaries: StoreDictionaries) throws -> TypeDescription {
        try Self.type(requiredText(name), parameter: name, dictionaries)
    }

    /// The type that a parameter names.
    package static func type(
        _ text: String, parameter: String, _ dictionaries: StoreDictionaries
    ) throws -> TypeDescription {
        guard let type = dictionaries.type(named: text) else {
            // Of the catalog only: other types of the store may be hidden from the caller.
            let near = TypeSearch(text, in: StoreDictionaries()).suggestions
            throw problem(
                parameter, text,
                near.isEmpty
                    ? "is not a data type. Use an identifier, a short name such as stepCount, or the Health app’s name."
                    : "is not a data type. Did you mean \(near.joined(separator: ", "))?")
        }
        return type
    }

    /// A unit string of HealthKit, also from what people write, such as bpm or lbs.
    package mutating func unit(_ name: String, of type: TypeDescription? = nil) throws -> String? {
        guard let value = try text(name) else { return nil }
        guard let unit = try? UnitExpression(words: value, of: type) else {
            throw Self.problem(
                name, value, "is not a unit string of HealthKit. Use a form like kg, count/min or mg/dL.")
        }
        return unit.string
    }
}

/// A parameter that is missing or invalid.
package struct ParameterError: Error, CustomStringConvertible {
    /// The parameter; `nil` for an error about several.
    package let name: String?
    /// The reason, and what to write instead.
    package let reason: String

    /// Creates an error about a parameter.
    package init(_ name: String?, _ reason: String) {
        (self.name, self.reason) = (name, reason)
    }

    /// The reason behind the name of the parameter.
    package var description: String { name.map { "\($0): \(reason)" } ?? reason }
}
