/// What was added and deleted after a point of the sequence.
public struct ChangesRequest: Sendable {
    /// Types with filters; deletions are reported by type.
    public var parts: [SampleRequest.Part]
    /// The last sequence already seen; 0 from the beginning.
    public var after: Int64
    /// Added and deleted together; 0 for no limit.
    public var limit: Int

    /// Asks for changes of the parts after a sequence.
    public init(parts: [SampleRequest.Part], after: Int64 = 0, limit: Int = 0) {
        self.parts = parts
        self.after = after
        self.limit = limit
    }
}
