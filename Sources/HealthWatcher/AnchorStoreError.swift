/// An anchor that cannot be kept or read back.
public struct AnchorStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was read or written, where, and what went wrong.
    public var description: String

    /// Makes the error with its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
