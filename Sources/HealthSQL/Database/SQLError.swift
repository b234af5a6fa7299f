/// A statement that could not be understood, was refused, or failed as it ran. The text is SQLite's own where it
/// is SQLite that failed; it may repeat words of the statement, and holds nothing of what is stored.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public let description: String

    /// Makes an error with this text.
    public init(_ description: String) {
        self.description = description
    }
}
