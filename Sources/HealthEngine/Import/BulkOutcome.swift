/// What a bulk batch did, by type identifier.
public struct BulkOutcome: Hashable, Sendable {
    /// How many samples and objects were written.
    public var added: [String: Int]
    /// How many were left out because the store has them.
    public var alreadyThere: [String: Int]

    /// Makes an outcome of counts.
    public init(added: [String: Int] = [:], alreadyThere: [String: Int] = [:]) {
        self.added = added
        self.alreadyThere = alreadyThere
    }
}
