import Foundation
import HealthEngine
import HealthModel

extension QueryReader {
    /// Returns the statistics of all matching samples.
    ///
    /// - Throws: ``EngineError/noData`` if there are none.
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

    /// Returns the statistics of every interval that has samples; the intervals extend in both directions from
    /// the anchor. With `range`, in seconds since 2001, intervals outside of it are left out.
    func statisticsCollection(
        of type: HKQuantityType, _ part: QueryPart, options: HKStatisticsOptions,
        anchorDate: Date, intervalComponents: DateComponents, within range: ClosedRange<Double>? = nil
    ) throws -> HKStatisticsCollection {
        let grid: IntervalGrid
        do {
            grid = try IntervalGrid(anchor: anchorDate, components: intervalComponents, calendar: calendar)
        } catch {
            throw HKError.make(.errorInvalidArgument, error.reason)
        }
        var buckets: [StatisticsBucket] = []
        if let code = try engine.code(of: part.identifier) {
            let request = StatisticsRequest(
                type: code, filter: try exactFilter(part), options: StatisticsOptions(rawValue: options.rawValue),
                buckets: .intervals(length: grid.approximateLength, within: range) { stretches in
                    guard let bounds = grid.bounds(covering: stretches) else {
                        throw HKError.make(
                            .errorInvalidArgument, "The dates of the samples are too remote for the intervals.")
                    }
                    return bounds
                })
            buckets = try engine.statistics(request, as: caller)
        }
        return HKStatisticsCollection(
            quantityType: type, grid: grid, buckets: buckets, isSeparatedBySource: options.contains(.separateBySource))
    }
}
