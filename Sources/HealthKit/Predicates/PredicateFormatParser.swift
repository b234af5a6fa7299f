import Foundation

/// Parses a predicate format string by recursive descent: or, and, not, comparison, operand.
struct PredicateFormatParser {
    private let format: String
    private let tokens: [PredicateFormatToken]
    private var position = 0
    private var arguments: [Any?]
    private var nextArgument = 0
    /// The number of open parentheses, lists and negations; limited, because each is a recursive call, also when the
    /// predicate is evaluated and printed, and an archive of it in JSON may have 512 levels, three for each of these.
    private var depth = 0
    private static let maximumDepth = 160

    /// Parses a format string with its arguments.
    static func parse(_ format: String, arguments: [Any?]) throws(PredicateFormatError) -> PredicateNode {
        var lexer = PredicateFormatLexer(format)
        var parser = PredicateFormatParser(format: format, tokens: try lexer.tokens(), arguments: arguments)
        let node = try parser.disjunction()
        guard parser.token == .end else { throw parser.failure("unexpected \(parser.token.printed)") }
        return node
    }

    private var token: PredicateFormatToken { tokens[position] }

    private func failure(_ reason: String) -> PredicateFormatError {
        PredicateFormatError(format: format, reason: reason)
    }

    private mutating func advance() { position = min(position + 1, tokens.count - 1) }

    /// Advances past the token if it is one of these words (in any case) or signs.
    private mutating func accept(_ spellings: String...) -> Bool {
        switch token {
        case .word(let text) where spellings.contains(text.uppercased()): break
        case .sign(let text) where spellings.contains(text): break
        default: return false
        }
        advance()
        return true
    }

    private mutating func expect(_ sign: String) throws(PredicateFormatError) {
        guard accept(sign) else { throw failure("expected “\(sign)”, found \(token.printed)") }
    }

    // MARK: Logic

    private mutating func disjunction() throws(PredicateFormatError) -> PredicateNode {
        var nodes = [try conjunction()]
        while accept("OR", "||") { nodes.append(try conjunction()) }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction() throws(PredicateFormatError) -> PredicateNode {
        var nodes = [try negation()]
        while accept("AND", "&&") { nodes.append(try negation()) }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func enter() throws(PredicateFormatError) {
        depth += 1
        guard depth <= Self.maximumDepth else { throw failure("more than \(Self.maximumDepth) levels") }
    }

    private mutating func negation() throws(PredicateFormatError) -> PredicateNode {
        try enter()
        defer { depth -= 1 }
        if accept("NOT", "!") { return .not(try negation()) }
        if accept("TRUEPREDICATE") { return .constant(true) }
        if accept("FALSEPREDICATE") { return .constant(false) }
        if accept("(") {
            let node = try disjunction()
            try expect(")")
            return node
        }
        return try comparison()
    }

    // MARK: Comparison

    private mutating func comparison() throws(PredicateFormatError) -> PredicateNode {
        // For a single object these quantifiers make no difference.
        _ = accept("ANY", "SOME", "ALL")
        let left = try operand()
        guard let operation = try comparisonOperator() else {
            throw failure("expected a comparison, found \(token.printed)")
        }
        var result = PredicateComparison(left: left, operation: operation, right: .object)
        if accept("[") {
            guard case .word(let flags) = token else { throw failure("expected “c” or “d” after “[”") }
            advance()
            result.isCaseInsensitive = flags.contains("c")
            result.isDiacriticInsensitive = flags.contains("d")
            try expect("]")
        }
        result.right = try operand()
        if operation == .between, case .value(.list(let bounds)) = result.right, bounds.count == 2 {
            return .comparison(result)
        }
        guard operation != .between else { throw failure("BETWEEN requires two bounds") }
        return .comparison(result)
    }

    private mutating func comparisonOperator() throws(PredicateFormatError) -> PredicateComparison.Operator? {
        let spelled: PredicateComparison.Operator?
        switch token {
        case .sign("="), .sign("=="): spelled = .equal
        case .sign("!="), .sign("<>"): spelled = .notEqual
        case .sign("<"): spelled = .lessThan
        case .sign("<="), .sign("=<"): spelled = .lessThanOrEqual
        case .sign(">"): spelled = .greaterThan
        case .sign(">="), .sign("=>"): spelled = .greaterThanOrEqual
        case .word(let text):
            let named = PredicateComparison.Operator(rawValue: text.uppercased())
            spelled = named.flatMap { $0.rawValue.first?.isLetter == true ? $0 : nil }
        default: spelled = nil
        }
        if spelled != nil { advance() }
        return spelled
    }

    // MARK: Operands

    private mutating func operand() throws(PredicateFormatError) -> PredicateOperand {
        try enter()
        defer { depth -= 1 }
        switch token {
        case .string(let text):
            advance()
            return .value(.string(text))
        case .number(let value):
            advance()
            return .value(.number(value))
        case .valueArgument:
            advance()
            return .value(try argumentValue())
        case .sign("{"), .sign("("):
            return .value(
                .list(
                    try aggregate(
                        closing: accept("{")
                            ? "}"
                            : {
                                advance(); return ")"
                            }())))
        case .keyPathArgument:
            return try keyPath()
        case .word(let text):
            switch text.uppercased() {
            case "NIL", "NULL":
                advance()
                return .value(.null)
            case "YES", "TRUE":
                advance()
                return .value(.bool(true))
            case "NO", "FALSE":
                advance()
                return .value(.bool(false))
            case "CAST":
                advance()
                return .value(try cast())
            default:
                return try keyPath()
            }
        default:
            throw failure("expected a key path or a value, found \(token.printed)")
        }
    }

    private mutating func aggregate(closing: String) throws(PredicateFormatError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        while !accept(closing) {
            guard case .value(let value) = try operand() else { throw failure("a list can only contain values") }
            values.append(value)
            if !accept(",") {
                try expect(closing)
                break
            }
        }
        return values
    }

    /// `CAST(seconds, "NSDate")`: seconds since 2001 as a date.
    private mutating func cast() throws(PredicateFormatError) -> PredicateValue {
        try expect("(")
        guard case .value(let inner) = try operand(), let number = inner.asNumber else {
            throw failure("CAST requires a number")
        }
        try expect(",")
        guard case .value(.string("NSDate")) = try operand() else { throw failure("CAST supports only “NSDate”") }
        try expect(")")
        return .date(Date(timeIntervalSinceReferenceDate: number))
    }

    private mutating func keyPath() throws(PredicateFormatError) -> PredicateOperand {
        var parts: [String] = []
        repeat {
            switch token {
            case .word(let text):
                parts.append(text)
                advance()
            case .keyPathArgument:
                advance()
                let text = try argumentKeyPath()
                // After “metadata” the text is a key, even if it contains dots.
                parts += parts.first == "metadata" ? [text] : Self.split(text)
            default:
                throw failure("expected a key path, found \(token.printed)")
            }
        } while accept(".")
        if parts.first?.uppercased() == "SELF" { parts.removeFirst() }
        return parts.isEmpty ? .object : .keyPath(Self.joinMetadataKey(parts))
    }

    private static func split(_ text: String) -> [String] {
        guard text.hasPrefix("metadata.") else { return text.split(separator: ".").map(String.init) }
        return ["metadata", String(text.dropFirst("metadata.".count))]
    }

    private static func joinMetadataKey(_ parts: [String]) -> [String] {
        guard parts.first == "metadata", parts.count > 2 else { return parts }
        return ["metadata", parts.dropFirst().joined(separator: ".")]
    }

    // MARK: Arguments

    private mutating func nextArgumentValue() throws(PredicateFormatError) -> Any? {
        guard nextArgument < arguments.count else {
            throw failure("the format requires more than the \(arguments.count) arguments passed")
        }
        defer { nextArgument += 1 }
        return arguments[nextArgument]
    }

    private mutating func argumentKeyPath() throws(PredicateFormatError) -> String {
        guard case .string(let text)? = PredicateValue(try nextArgumentValue()), !text.isEmpty else {
            throw failure("the argument of %K is not a key path")
        }
        return text
    }

    private mutating func argumentValue() throws(PredicateFormatError) -> PredicateValue {
        let argument = try nextArgumentValue()
        guard let value = PredicateValue(argument) else {
            throw failure("an argument of type \(type(of: argument)) cannot be compared")
        }
        return value
    }
}

/// A predicate format string that does not parse.
public struct PredicateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The format string, without its arguments.
    public var format: String
    /// The text that was found, and what was expected.
    public var reason: String

    /// Creates the error of a format string.
    public init(format: String, reason: String) {
        self.format = format
        self.reason = reason
    }

    public var description: String { "Unable to parse the format string \"\(format)\": \(reason)" }
}
