/// What a query does while it runs. The closures hold the query; a run drops them when it ends.
struct QueryWork: Sendable {
    /// The first reading. A query without ``update`` ends after it.
    var start: @Sendable (QueryRun) throws -> Void
    /// Called after commits, for queries that stay.
    var update: (@Sendable (QueryRun, CommitDigest) throws -> Void)?
    /// Hands an error of ``start`` or ``update`` to a handler.
    var fail: @Sendable (any Error) -> Void
}
