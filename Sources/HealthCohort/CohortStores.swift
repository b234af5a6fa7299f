public import HealthEngine

/// The stores of the people of a cohort. Called on several threads at the same time.
public protocol CohortStores: Sendable {
    /// Divides people into those who are best read together, by one thread. Those who aren't found may be left out.
    ///
    /// - Throws: The reason why no person can be found.
    func batches(of people: [String]) throws -> [[String]]

    /// Reads the people of a batch.
    ///
    /// - Parameters:
    ///   - request: What is going to be read of each.
    ///   - body: Reads the engine of the person at a place in the batch, which is open for the time of the call. It may
    ///     be called again for a person for whom it threw.
    ///   - failed: Takes the error of a person who couldn't be read.
    func read(
        _ people: [String], for request: CohortRequest, _ body: (_ place: Int, _ engine: HealthEngine) throws -> Void,
        failed: (_ place: Int, _ error: any Error) -> Void)
}
