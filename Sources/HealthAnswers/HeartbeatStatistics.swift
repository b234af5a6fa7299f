import HealthEngine
import HealthInsights
import HealthModel

/// Statistics of heart rate variability from heartbeat series, of which a store can have more than of its samples.
enum HeartbeatStatistics {
    /// The figures that are computed from series, by type.
    static let figures: [String: @Sendable (HeartbeatVariability) -> Double] = [
        "HKQuantityTypeIdentifierHeartRateVariabilityRMSSD": { $0.rmssd },
        "HKQuantityTypeIdentifierHeartRateVariabilitySDNN": { $0.sdnn },
    ]

    /// The statistics of the intervals with series, or of all series.
    static func buckets(
        _ figure: (HeartbeatVariability) -> Double, _ engine: HealthEngine, _ caller: Caller, _ filter: SampleFilter,
        _ intervals: StatisticsIntervals?
    ) throws -> [StatisticsBucket] {
        let types = TypeCatalog.description(for: "HKDataTypeIdentifierHeartbeatSeries").map { [$0] } ?? []
        let parts = try engine.readable(types, as: caller).map { SampleRequest.Part(type: $0.code, filter: filter) }
        guard !parts.isEmpty else { return [] }
        let series = try engine.samples(SampleRequest(parts: parts, sort: [], limit: 0), as: caller).objects
        let values = series.compactMap { object -> (start: Double, value: Double)? in
            guard case .document(let document) = object.body,
                let offsets = document.series[HeartbeatSeriesDocument.offsets],
                let found = HeartbeatVariability(
                    offsets: offsets, gaps: document.series[HeartbeatSeriesDocument.gaps] ?? [])
            else { return nil }
            return (object.start, figure(found))
        }.sorted { $0.start < $1.start }
        guard let first = values.first?.start, let last = values.last?.start else { return [] }
        let bounds = try intervals?.bounds(covering: [first...last]) ?? [first, last.nextUp]
        return zip(bounds, bounds.dropFirst()).compactMap { start, end in
            let part = values.filter { $0.start >= start && $0.start < end }.map(\.value)
            var statistics = StatisticsValues()
            (statistics.minimum, statistics.maximum) = (part.min(), part.max())
            statistics.average = part.reduce(0, +) / Double(part.count)
            return part.isEmpty ? nil : StatisticsBucket(start: start, end: end, values: statistics, unit: "ms")
        }
    }
}
