/// Asks for figures over all matching samples, and is awaited.
public struct HKStatisticsQueryDescriptor: HKAsyncQuery, Sendable {
    public typealias Output = HKStatistics?

    /// The quantity type and its samples.
    public var predicate: HKSamplePredicate<HKQuantitySample>
    /// Which figures are asked for.
    public var options: HKStatisticsOptions

    /// Asks for figures of all matching samples; options that do not go with the type end the process when it
    /// runs.
    public init(predicate: HKSamplePredicate<HKQuantitySample>, options: HKStatisticsOptions) {
        self.predicate = predicate
        self.options = options
    }

    /// The figures. An option of the other family ends the process.
    ///
    /// - Throws: ``HKError/errorNoData`` when no sample matches, as the form with a handler gives it.
    public func result(for healthStore: HKHealthStore) async throws -> HKStatistics? {
        let type = QuantityTypeOfPredicate.type(of: predicate)
        StatisticsOptionRule.require(options, for: type)
        let parts = QueryValidation.parts([predicate], of: "HKStatisticsQuery")
        let options = options
        return try await healthStore.connection.read { reader in
            try reader.statistics(of: type, parts[0], options: options)
        }
    }
}
