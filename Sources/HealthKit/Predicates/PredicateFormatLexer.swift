/// Splits a predicate format string into tokens.
struct PredicateFormatLexer {
    private let format: String
    private let characters: [Character]
    private var index = 0

    init(_ format: String) {
        self.format = format
        characters = Array(format)
    }

    /// All tokens, with ``PredicateFormatToken/end`` last.
    mutating func tokens() throws(PredicateFormatError) -> [PredicateFormatToken] {
        var result: [PredicateFormatToken] = []
        while true {
            let token = try next()
            result.append(token)
            if token == .end { return result }
        }
    }

    private func peek(_ offset: Int = 0) -> Character? {
        index + offset < characters.count ? characters[index + offset] : nil
    }

    private func failure(_ reason: String) -> PredicateFormatError {
        PredicateFormatError(format: format, reason: reason)
    }

    private mutating func next() throws(PredicateFormatError) -> PredicateFormatToken {
        while let character = peek(), character.isWhitespace { index += 1 }
        guard let character = peek() else { return .end }
        switch character {
        case "'", "\"": return try quoted(character)
        case "%": return try argument()
        case "0"..."9": return number()
        case "-" where peek(1)?.isNumber == true: return number()
        case _ where character.isLetter || character == "_" || character == "#" || character == "$": return word()
        default: return try sign()
        }
    }

    private mutating func quoted(_ quote: Character) throws(PredicateFormatError) -> PredicateFormatToken {
        var text = ""
        index += 1
        while let character = peek() {
            index += 1
            if character == quote { return .string(text) }
            if character == "\\", let escaped = peek() {
                index += 1
                text.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
            } else {
                text.append(character)
            }
        }
        throw failure("missing closing quote")
    }

    private mutating func argument() throws(PredicateFormatError) -> PredicateFormatToken {
        index += 1
        guard peek() != "K" else {
            index += 1
            return .keyPathArgument
        }
        var letters = ""
        while let character = peek(), "lqhzt".contains(character), letters.count < 2 {
            letters.append(character)
            index += 1
        }
        guard let conversion = peek(), "@diuoxXcfgeGEF".contains(conversion) else {
            throw failure("unknown conversion “%\(letters)\(peek().map(String.init) ?? "")”")
        }
        index += 1
        return .valueArgument
    }

    private mutating func number() -> PredicateFormatToken {
        var text = String(characters[index])
        index += 1
        while let character = peek() {
            let isExponentSign = (character == "-" || character == "+") && "eE".contains(text.last ?? " ")
            guard character.isNumber || character == "." || character == "e" || character == "E" || isExponentSign
            else { break }
            text.append(character)
            index += 1
        }
        return Double(text).map { .number($0) } ?? .word(text)
    }

    private mutating func word() -> PredicateFormatToken {
        var text = ""
        if peek() == "#" { index += 1 }
        while let character = peek(), character.isLetter || character.isNumber || "_$".contains(character) {
            text.append(character)
            index += 1
        }
        return .word(text)
    }

    private mutating func sign() throws(PredicateFormatError) -> PredicateFormatToken {
        for sign in [
            "&&", "||", "==", "!=", "<>", "<=", "=<", ">=", "=>", "=", "<", ">", "!", "(", ")", "{", "}", ",", ".", "[",
            "]",
        ]
        where characters[index...].starts(with: sign) {
            index += sign.count
            return .sign(sign)
        }
        throw failure("unexpected “\(characters[index])”")
    }
}

/// A token of a predicate format string.
enum PredicateFormatToken: Hashable, Sendable {
    /// An unquoted word: a key path, the name of an operator or a constant.
    case word(String)
    /// Quoted text.
    case string(String)
    case number(Double)
    /// An operator or a bracket.
    case sign(String)
    /// `%K`.
    case keyPathArgument
    /// `%@`, `%d` and so on.
    case valueArgument
    case end

    /// The token in an error message.
    var printed: String {
        switch self {
        case .word(let text), .sign(let text): "“\(text)”"
        case .string: "quoted text"
        case .number: "a number"
        case .keyPathArgument: "“%K”"
        case .valueArgument: "an argument"
        case .end: "the end"
        }
    }
}
