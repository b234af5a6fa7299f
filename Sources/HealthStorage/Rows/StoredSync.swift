public import HealthModel

/// The object that now stands for one sync identifier of one source and type.
public struct StoredSync: Hashable, Sendable {
    /// What a sync identifier is unique within.
    public struct Key: Hashable, Sendable {
        /// The source's bundle identifier.
        public var source: String
        /// The type of the sample or object.
        public var type: TypeCode
        /// The application's own name for it.
        public var identifier: String

        /// Makes a key.
        public init(source: String, type: TypeCode, identifier: String) {
            self.source = source
            self.type = type
            self.identifier = identifier
        }
    }

    /// The sync identifier with its source and type.
    public var key: Key
    /// The sync version of what is stored; only a greater one replaces it.
    public var version: Double
    /// Where that is found.
    public var sequence: Int64

    /// Makes the entry of one sync identifier.
    public init(key: Key, version: Double, sequence: Int64) {
        self.key = key
        self.version = version
        self.sequence = sequence
    }
}
