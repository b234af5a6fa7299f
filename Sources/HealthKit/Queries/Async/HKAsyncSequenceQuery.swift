/// A query that goes on giving results.
public protocol HKAsyncSequenceQuery {
    /// The results as they come.
    associatedtype Sequence: AsyncSequence

    /// Runs the query for as long as its results are iterated.
    func results(for healthStore: HKHealthStore) -> Sequence
}
