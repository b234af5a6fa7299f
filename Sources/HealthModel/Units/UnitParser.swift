/// A parser for the original's unit grammar.
///
///     unit    = "" | null | product [ "/" product ]
///     null    = "()" | "(" null ")"
///     product = factor { ("·" | "*" | ".") factor }
///     factor  = primary [ "^" integer ]
///     primary = "1" | symbol | "(" product ")"
struct UnitParser {
    private let text: String
    private let characters: [Character]
    private var place = 0
    /// The number of open parentheses; limited, because each is a recursive call.
    private var depth = 0
    private static let maximumDepth = 64
    /// The length of a text that is read: far more than a unit needs, and little to gather.
    private static let maximumLength = 1_000
    private static let operators: Set<Character> = ["·", "*", ".", "/", "^", "(", ")"]

    init(_ text: String) {
        self.text = String(text.prefix(Self.maximumLength + 1))
        characters = Array(self.text)
    }

    mutating func unit() throws(UnitParsingError) -> UnitExpression {
        guard characters.count <= Self.maximumLength else { throw error("More than \(Self.maximumLength) characters") }
        if isNullNotation { return .null }
        var result = try product()
        if take("/") {
            let below = try product()
            result = try within(UnitExpression.gather(result.factors + below.reciprocal.factors))
        }
        guard place == characters.count else {
            throw next == "/" ? error("Only one “/” is allowed") : error("Unexpected “\(characters[place])”")
        }
        return result
    }

    /// Whether the text consists of balanced, nested parentheses only.
    private var isNullNotation: Bool {
        let half = characters.count / 2
        return characters.count % 2 == 0
            && characters[..<half].allSatisfy { $0 == "(" } && characters[half...].allSatisfy { $0 == ")" }
    }

    private mutating func product() throws(UnitParsingError) -> UnitExpression {
        var factors = try factor().factors
        while take("·") || take("*") || take(".") {
            factors += try factor().factors
        }
        return try within(UnitExpression.gather(factors))
    }

    private mutating func factor() throws(UnitParsingError) -> UnitExpression {
        let base = try primary()
        guard take("^") else { return base }
        return try within(base.raisedWithinRange(to: exponent()))
    }

    private mutating func primary() throws(UnitParsingError) -> UnitExpression {
        guard take("(") else { return try symbol() }
        depth += 1
        guard depth <= Self.maximumDepth else { throw error("Too many parentheses") }
        let inner = try product()
        guard take(")") else {
            throw next == "/" ? error("“/” is not allowed in parentheses") : error("Missing “)”")
        }
        depth -= 1
        return inner
    }

    private mutating func exponent() throws(UnitParsingError) -> Int {
        let start = place
        _ = take("-")
        while let digit = next, digit.isASCII, digit.isNumber { place += 1 }
        guard let number = Int(String(characters[start..<place])) else {
            throw error("“^” must be followed by an integer")
        }
        return number
    }

    private mutating func symbol() throws(UnitParsingError) -> UnitExpression {
        let start = place
        while let character = next, character != "<", !Self.operators.contains(character) { place += 1 }
        let name = String(characters[start..<place])
        var molarMass: Double?
        if take("<") { molarMass = try molarMassAfterBracket() }
        if name == "1", molarMass == nil { return .null }
        guard !name.isEmpty else {
            throw place < characters.count ? error("Missing unit before “\(characters[place])”") : error("Missing unit")
        }
        guard let (prefix, kind) = UnitSymbols.lookUp(name) else { throw error("Unknown unit “\(name)”") }
        guard let molarMass else { return UnitExpression(UnitAtom(kind, prefix: prefix)) }
        guard kind == .mole else { throw error("Only a mole can have a molar mass") }
        return UnitExpression(UnitAtom(.molarMass, prefix: prefix, molarMass: molarMass))
    }

    private mutating func molarMassAfterBracket() throws(UnitParsingError) -> Double {
        let start = place
        while let character = next, character != ">" { place += 1 }
        let digits = String(characters[start..<place])
        guard take(">"), digits.allSatisfy({ "0123456789.eE+-".contains($0) }), let mass = Double(digits),
            mass.isFinite, mass > 0
        else { throw error("A molar mass must be a positive number between “<” and “>”") }
        return mass
    }

    private var next: Character? { place < characters.count ? characters[place] : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard next == character else { return false }
        place += 1
        return true
    }

    private func within(_ unit: UnitExpression?) throws(UnitParsingError) -> UnitExpression {
        guard let unit else { throw error("Exponent out of range") }
        return unit
    }

    private func error(_ reason: String) -> UnitParsingError {
        UnitParsingError(text: text, reason: reason)
    }
}

/// All spellings of unit symbols, including prefixes.
enum UnitSymbols {
    // Symbols without a prefix take precedence: `min` is the minute, and `ft` is not a femto-unit.
    private static let all: [String: (UnitPrefix, UnitKind)] = {
        var result: [String: (UnitPrefix, UnitKind)] = [:]
        let kinds = UnitKind.allCases.filter { $0 != .molarMass }
        let spellings = kinds.map { ($0.symbol, $0) } + [("l", .liter)]
        for (symbol, kind) in spellings {
            result[symbol] = (.none, kind)
        }
        for (symbol, kind) in spellings where kind.allowsPrefix {
            for prefix in UnitPrefix.allCases where prefix != .none {
                let name = prefix.symbol + symbol
                if result[name] == nil { result[name] = (prefix, kind) }
            }
        }
        return result
    }()

    static func lookUp(_ name: String) -> (UnitPrefix, UnitKind)? {
        all[name]
    }
}

/// An error that describes why a unit string could not be parsed.
package struct UnitParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The unit string.
    package var text: String
    /// The reason, without the text.
    package var reason: String

    package var description: String { "Unable to parse unit string “\(text)”: \(reason)" }
}
