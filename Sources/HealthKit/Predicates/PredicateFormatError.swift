/// A predicate format string that cannot be understood.
public struct PredicateFormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The format string, without its arguments.
    public var format: String
    /// What was found and what was wanted.
    public var reason: String

    /// Makes the error of a format string, with its reason in words.
    public init(format: String, reason: String) {
        self.format = format
        self.reason = reason
    }

    public var description: String { "Unable to parse the format string \"\(format)\": \(reason)" }
}
