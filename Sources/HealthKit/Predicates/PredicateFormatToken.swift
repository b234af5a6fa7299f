/// One word of a predicate format string.
enum PredicateFormatToken: Hashable, Sendable {
    /// A bare word: a key path, an operator's name, a constant.
    case word(String)
    /// Text in quotes.
    case string(String)
    case number(Double)
    /// An operator or bracket made of signs.
    case sign(String)
    /// `%K`.
    case keyPathArgument
    /// `%@`, `%d` and their like.
    case valueArgument
    case end

    /// How the token is named in an error.
    var printed: String {
        switch self {
        case .word(let text), .sign(let text): "“\(text)”"
        case .string: "a text in quotes"
        case .number: "a number"
        case .keyPathArgument: "“%K”"
        case .valueArgument: "an argument"
        case .end: "the end"
        }
    }
}
