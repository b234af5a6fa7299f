/// Trouble below the engine. The text names what was read or written and where, never health data.
public struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble.
    public enum Kind: Hashable, Sendable {
        /// The file or server cannot be opened or reached.
        case unreachable
        /// What was opened is no store, or one of a newer version.
        case notAStore
        /// Stored bytes do not make sense.
        case damaged
        /// Reading or writing failed, or the disk is full.
        case inputOutput
        /// Another writer held the store too long.
        case busy
        /// The storage was closed.
        case closed
        /// A row with this key is there already.
        case duplicate
    }

    /// What kind of trouble.
    public var kind: Kind
    public var description: String

    /// Makes the error with its text, which must carry no health data.
    public init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
