/// A query that is awaited for one result.
public protocol HKAsyncQuery {
    /// What the query gives.
    associatedtype Output

    /// Runs the query once. It may be run again, on this or another store.
    ///
    /// - Throws: ``HKError``, or `CancellationError` when the task was cancelled before it began.
    func result(for healthStore: HKHealthStore) async throws -> Output
}
