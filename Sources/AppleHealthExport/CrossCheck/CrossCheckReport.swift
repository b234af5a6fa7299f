/// How the observations of an archive's clinical document compare with a store. Nothing in it is a health value.
public struct CrossCheckReport: Hashable, Sendable {
    /// What became of one type's observations.
    public struct Count: Hashable, Sendable {
        /// Those with a sample of equal value and instants in the store.
        public var found = 0
        /// Those without.
        public var missing = 0

        /// Makes a count of nothing.
        public init() {}
    }

    /// By type identifier.
    public var types: [String: Count] = [:]
    /// Observations that could not be understood.
    public var unreadable = 0
    /// Whether the document could not be read to its end.
    public var isCutOff = false
    /// What was read: the path, and the entry for a zip file.
    public var file = ""

    /// Makes the report of a check that has done nothing yet.
    public init() {}

    /// How many observations are in the store, of all types together.
    public var found: Int { types.values.reduce(0) { $0 + $1.found } }
    /// How many are not.
    public var missing: Int { types.values.reduce(0) { $0 + $1.missing } }
}
