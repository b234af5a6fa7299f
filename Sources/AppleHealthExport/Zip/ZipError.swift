/// Bytes of a zip file that do not make sense. The description continues “the zip file is damaged: …”.
public struct ZipError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    /// Makes the error with the end of its sentence.
    public init(_ description: String) {
        self.description = description
    }
}
