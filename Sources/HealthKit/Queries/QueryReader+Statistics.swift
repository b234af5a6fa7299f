import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// One result over all matching samples.
    ///
    /// - Throws: ``EngineError/noData`` without any.
    func statistics(
        of type: HKQuantityType, _ part: QueryPart, options: HKStatisticsOptions
    ) throws -> HKStatistics {
        guard let code = try engine.code(of: part.identifier) else { throw EngineError.noData }
        let request = StatisticsRequest(
            type: code, filter: try exactFilter(part),
            options: StatisticsOptions(rawValue: options.rawValue))
        guard let bucket = try engine.statistics(request, as: caller).first else {
            throw EngineError.noData
        }
        return HKStatistics(bucket, of: type)
    }

    /// A result for every interval that has data; the intervals run from the anchor in both directions.
    func statisticsCollection(
        of type: HKQuantityType, _ part: QueryPart, options: HKStatisticsOptions,
        anchorDate: Date, intervalComponents: DateComponents
    ) throws -> HKStatisticsCollection {
        let grid = try IntervalGrid(
            anchor: anchorDate, components: intervalComponents, calendar: calendar)
        var buckets: [StatisticsBucket] = []
        if let code = try engine.code(of: part.identifier) {
            let request = StatisticsRequest(
                type: code, filter: try exactFilter(part),
                options: StatisticsOptions(rawValue: options.rawValue),
                buckets: .bounds { grid.bounds(covering: $0) })
            buckets = try engine.statistics(request, as: caller)
        }
        return HKStatisticsCollection(
            quantityType: type, grid: grid, buckets: buckets,
            isSeparatedBySource: options.contains(.separateBySource))
    }
}
