/// A unit string that does not follow the grammar.
public struct UnitParsingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The string as it was given.
    public var text: String
    /// What was wrong with it.
    public var reason: String

    /// Makes the error for a string, with the reason in words.
    public init(text: String, reason: String) {
        self.text = text
        self.reason = reason
    }

    public var description: String { "Unable to parse unit string “\(text)”: \(reason)" }
}
