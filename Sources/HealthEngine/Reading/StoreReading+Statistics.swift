import HealthModel

extension StoreReading {
    /// Statistics of a quantity type, sources merged; see ``HealthEngine/statistics(_:as:)``. None for a type the
    /// caller may not read.
    public func statistics(_ request: StatisticsRequest) throws -> [StatisticsBucket] {
        let scope = try scope(of: request.type)
        guard scope != .nothing else { return [] }
        return try engine.statistics(request, scope: scope, caller: caller, in: snapshot)
    }
}
