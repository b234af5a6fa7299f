/// An error in a statement: it is invalid, it isn't allowed, or it failed while running.
///
/// The description is SQLite's where SQLite failed. It can repeat words of the statement, and contains no stored data.
public struct SQLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the error.
    public let description: String

    /// Creates an error with a description.
    public init(_ description: String) {
        self.description = description
    }
}
