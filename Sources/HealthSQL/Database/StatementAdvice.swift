/// Advice about a statement that is valid, but probably doesn't mean what its author intended.
public struct StatementAdvice: Hashable, Sendable {
    /// Calls of SQLite's date functions that give the day or time in UTC, such as `date(start_date)`.
    public private(set) var callsInUTC: [String] = []
    /// Texts that a column `type` is compared with and that are not the short name of a type.
    public private(set) var unknownTypes: [String] = []

    private static let dateFunctions: Set<String> = ["date", "time", "datetime", "strftime"]
    private static let dateColumns: Set<String> = [
        "start_date", "end_date", "creation_date", "first_date", "last_date", "start_time", "end_time",
    ]
    /// Tables of SQLite with a column `type` that holds other words.
    private static let tablesWithOtherTypes: Set<String> = [
        "json_each", "json_tree", "sqlite_schema", "sqlite_master", "sqlite_temp_schema", "pragma_table_info",
        "pragma_table_xinfo", "pragma_table_list", "pragma_function_list",
    ]

    /// Reads a statement.
    ///
    /// - Parameter typeNames: The short names of all types, in lowercase.
    public init(_ sql: String, typeNames: Set<String>) {
        let tokens = StatementToken.tokens(of: sql)
        for index in tokens.indices {
            guard let word = tokens[index].name else { continue }
            if Self.dateFunctions.contains(word), let call = Self.call(in: tokens, at: index) {
                if !callsInUTC.contains(call) { callsInUTC.append(call) }
            } else if word == "type" {
                for name in Self.texts(in: tokens, comparedAt: index + 1)
                where !typeNames.contains(name.lowercased()) && !unknownTypes.contains(name) {
                    unknownTypes.append(name)
                }
            }
        }
        let hasOtherTypes = tokens.contains { token in
            if case .word(let word) = token { Self.tablesWithOtherTypes.contains(word) } else { false }
        }
        if hasOtherTypes { unknownTypes = [] }
    }

    /// The call at a function’s name if an argument is a date of a sample and none of them is the modifier `localtime`.
    private static func call(in tokens: [StatementToken], at index: Int) -> String? {
        guard index + 1 < tokens.count, tokens[index + 1] == .symbol("(") else { return nil }
        var depth = 0
        var column: String?
        for token in tokens[(index + 1)...] {
            switch token {
            case .symbol("("): depth += 1
            case .symbol(")"):
                depth -= 1
                guard depth == 0 else { continue }
                guard let column, let function = tokens[index].name else { return nil }
                return function == "strftime" ? "strftime(…, \(column))" : "\(function)(\(column))"
            case .text(let text) where text.lowercased() == "localtime": return nil
            // What a function of this module returns is local already.
            case .word("local"), .word("local_date"): return nil
            default:
                if let word = token.name, dateColumns.contains(word) { column = column ?? word }
            }
        }
        return nil
    }

    /// The texts of `= 'a'` or `IN ('a', 'b')`.
    private static func texts(in tokens: [StatementToken], comparedAt index: Int) -> [String] {
        guard index < tokens.count else { return [] }
        switch tokens[index] {
        case .symbol("="):
            let next = index + 1 < tokens.count && tokens[index + 1] == .symbol("=") ? index + 2 : index + 1
            return next < tokens.count ? tokens[next].literal.map { [$0] } ?? [] : []
        case .word("in"):
            guard index + 1 < tokens.count, tokens[index + 1] == .symbol("(") else { return [] }
            var texts: [String] = []
            for token in tokens[(index + 2)...] {
                if let text = token.literal {
                    texts.append(text)
                } else if token != .symbol(",") {
                    return token == .symbol(")") ? texts : []
                }
            }
            return []
        default: return []
        }
    }
}

/// A token of SQL, as far as advice needs it.
enum StatementToken: Hashable {
    /// A keyword, a name or a number, in lowercase.
    case word(String)
    /// A text between single quotes.
    case text(String)
    /// A text between double quotes: the name of a column, or a text if there is no such column.
    case quoted(String)
    /// Any other character.
    case symbol(Character)

    /// The keyword or name in lowercase.
    var name: String? {
        switch self {
        case .word(let word): word
        case .quoted(let text): text.lowercased()
        case .text, .symbol: nil
        }
    }

    /// The text, if the token can be one.
    var literal: String? {
        switch self {
        case .text(let text), .quoted(let text): text
        case .word, .symbol: nil
        }
    }

    /// The tokens of a text. Comments have none.
    static func tokens(of sql: String) -> [StatementToken] {
        var tokens: [StatementToken] = []
        var rest = Substring(sql)
        while let first = rest.first {
            if first == "'" || first == "\"" || first == "`" || first == "[" {
                let text = quoted(first == "[" ? "]" : first, &rest)
                tokens.append(first == "'" ? .text(text) : first == "\"" ? .quoted(text) : .word(text.lowercased()))
            } else if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest.removeFirst() }
                rest = rest.dropFirst(2)
            } else if first.isLetter || first.isNumber || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                tokens.append(.word(word.lowercased()))
                rest = rest.dropFirst(word.count)
            } else {
                if !first.isWhitespace { tokens.append(.symbol(first)) }
                rest.removeFirst()
            }
        }
        return tokens
    }

    /// The text up to the closing quote, which is doubled inside a text.
    private static func quoted(_ quote: Character, _ rest: inout Substring) -> String {
        var text = ""
        rest.removeFirst()
        while let character = rest.popFirst() {
            if character == quote {
                guard rest.first == quote, quote != "]" else { return text }
                rest.removeFirst()
            }
            text.append(character)
        }
        return text
    }
}
