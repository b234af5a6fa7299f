/// A picture that could not be drawn.
public struct ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What failed, as the drawing library says it.
    public var description: String

    /// Makes the error with its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
