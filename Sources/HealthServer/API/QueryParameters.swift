import Foundation
import HealthFormats
import HealthKit
import HealthModel
import Hummingbird

/// The query of a request's URL. Each parameter is read by name; ``finish()`` refuses those that nobody read, so that a
/// misspelled filter doesn't select everything.
struct QueryParameters: Sendable {
    private let values: [String: [String]]
    private var known: Set<String> = ["timeZone", "person"]

    /// - Throws: ``Problem`` `invalidParameter` for text that is not UTF-8.
    init(_ request: Request) throws {
        try self.init(query: request.uri.query ?? "")
    }

    /// - Throws: ``Problem`` `invalidParameter` for text that is not UTF-8.
    init(query: String) throws {
        var values: [String: [String]] = [:]
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count > 1 ? pair[1] : "".utf8[...])
            else {
                throw Problem(.invalidParameter, "The query is not percent-encoded UTF-8.")
            }
            guard !value.unicodeScalars.contains("\0") else {
                throw Problem(.invalidParameter, "\(name): A null character is not allowed.")
            }
            values[name, default: []].append(value)
        }
        self.values = values
    }

    private static func decoded(_ text: Substring.UTF8View) -> String? {
        var bytes: [UInt8] = []
        var place = text.startIndex
        while place < text.endIndex {
            var byte = text[place]
            if byte == UInt8(ascii: "%") {
                let digits = text[place...].dropFirst().prefix(2)
                guard digits.count == 2, let number = UInt8(String(decoding: digits, as: UTF8.self), radix: 16),
                    digits.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") })
                else { return nil }
                byte = number
                place = text.index(place, offsetBy: 2)
            } else if byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
            bytes.append(byte)
            place = text.index(after: place)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// - Throws: ``Problem`` `invalidParameter` if there is a parameter that was not read.
    func finish() throws {
        guard let name = values.keys.sorted().first(where: { !known.contains($0) }) else { return }
        throw Problem(.invalidParameter, "“\(Self.shown(name))” is not a parameter of this route. See /openapi.json.")
    }

    /// The beginning of a text from a request, for a message.
    static func shown(_ text: String) -> String { text.count > 60 ? text.prefix(60) + "…" : text }

    /// The problem with a parameter.
    static func problem(_ name: String, _ value: String, _ wanted: String) -> Problem {
        Problem(.invalidParameter, "\(name): “\(shown(value))” \(wanted)")
    }

    // MARK: Values

    /// A text that is given at most once.
    mutating func text(_ name: String) throws -> String? {
        known.insert(name)
        guard let all = values[name] else { return nil }
        guard all.count == 1 else { throw Problem(.invalidParameter, "\(name): Give it once.") }
        return all[0]
    }

    /// A required text.
    mutating func requiredText(_ name: String) throws -> String {
        guard let text = try text(name), !text.isEmpty else {
            throw Problem(.invalidParameter, "\(name): This parameter is required.")
        }
        return text
    }

    /// A list, separated by commas or given several times; `nil` if it is not given.
    mutating func list(_ name: String) throws -> [String]? {
        known.insert(name)
        guard let all = values[name] else { return nil }
        let parts = all.flatMap { $0.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } } }.map(String.init)
        guard !parts.isEmpty else { throw Problem(.invalidParameter, "\(name): The list is empty.") }
        return parts
    }

    mutating func flag(_ name: String) throws -> Bool {
        switch try text(name) {
        case nil, "false": return false
        case "true": return true
        case let value?: throw Self.problem(name, value, "is not true or false.")
        }
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = try text(name) else { return nil }
        guard let number = Int(value), range.contains(number) else {
            throw Self.problem(name, value, "is not an integer from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    /// An instant in seconds since 2001.
    mutating func instant(_ name: String, _ timeZone: TimeZone) throws -> Double? {
        guard let value = try text(name) else { return nil }
        guard let instant = Self.instant(value, timeZone) else {
            throw Self.problem(name, value, "is not a time. Use a form like 2025-05-01 or 2025-05-01T08:00:00+02:00.")
        }
        return instant
    }

    private static func instant(_ text: String, _ timeZone: TimeZone) -> Double? {
        let reader = InstantReader(timeZone: timeZone)
        if let instant = reader.instant(of: text) { return instant }
        // A + that was not encoded arrives as a space.
        guard let space = text.lastIndex(of: " "), text[..<space].contains("T") else { return nil }
        return reader.instant(of: text.replacingCharacters(in: space...space, with: "+"))
    }

    /// The names and values of parameters with a prefix, without it.
    mutating func entries(prefix: String) -> [(name: String, values: [String])] {
        let found = values.keys.filter { $0.hasPrefix(prefix) && $0.count > prefix.count }.sorted()
        known.formUnion(found)
        return found.map { (String($0.dropFirst(prefix.count)), values[$0] ?? []) }
    }

    // MARK: The model's values

    /// The types of a list of identifiers and short names.
    mutating func types(_ name: String, _ dictionaries: StoreDictionaries) throws -> [TypeDescription]? {
        try list(name)?.map { try Self.type($0, parameter: name, dictionaries) }
    }

    /// One required type.
    mutating func type(_ name: String, _ dictionaries: StoreDictionaries) throws -> TypeDescription {
        try Self.type(requiredText(name), parameter: name, dictionaries)
    }

    private static func type(
        _ text: String, parameter: String, _ dictionaries: StoreDictionaries
    ) throws -> TypeDescription {
        guard let type = dictionaries.type(named: text) else {
            throw problem(parameter, text, "is not a data type. Use an identifier or a short name such as stepCount.")
        }
        return type
    }

    /// A unit string in the form that HealthKit prints.
    mutating func unit(_ name: String) throws -> String? {
        guard let value = try text(name) else { return nil }
        guard let unit = try? UnitExpression(parsing: value) else {
            throw Self.problem(
                name, value, "is not a unit string of HealthKit. Use a form like kg, count/min or mg/dL.")
        }
        return unit.string
    }
}

extension PersonRequestContext {
    /// The parameters of a request and the calendar for them.
    func parameters(of request: Request) throws -> (QueryParameters, Calendar) {
        (try QueryParameters(request), try calendar(of: request))
    }

    /// A UUID in the path.
    ///
    /// - Throws: ``Problem`` `notFound` for a text that is not a UUID: nothing has this name.
    func uuid(_ name: String = "uuid") throws -> UUID {
        guard let text = parameters.get(name), let uuid = UUID(uuidString: text) else {
            throw Problem(.notFound, "No object with this UUID was found, or it’s not accessible.")
        }
        return uuid
    }
}
