/// What can go wrong as a store is written in another format: only ever the target.
public struct FormatError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, with the path.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
