/// What a bulk batch did, by type identifier.
public struct BulkOutcome: Hashable, Sendable {
    /// How many samples and objects were written.
    public var added: [String: Int]
    /// How many were left out because the store has them.
    public var alreadyThere: [String: Int]

    /// How many additions were left out because what they are told of is not stored, or does not take them.
    public var strayAdditions: Int

    /// Makes an outcome of counts.
    public init(added: [String: Int] = [:], alreadyThere: [String: Int] = [:], strayAdditions: Int = 0) {
        self.added = added
        self.alreadyThere = alreadyThere
        self.strayAdditions = strayAdditions
    }
}
