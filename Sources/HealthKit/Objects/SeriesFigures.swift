import Foundation
import HealthEngine
import HealthModel

/// Figures of the quantities of a series sample, available without reading them. They are stored in the sample's
/// metadata, so that they stay with the sample.
struct SeriesFigures: Equatable {
    /// More than 1.
    var count: Int
    // In the unit of the sample; for discrete samples only.
    var minimum: Double?
    var maximum: Double?
    var latest: Double?
    /// Seconds since 2001-01-01 00:00:00 UTC, the end at or after the start.
    var latestStart: Double?
    var latestEnd: Double?

    /// The figures of a sample; `nil` for a sample with a single quantity.
    init?(_ context: ObjectContext) {
        let metadata = context.metadata
        // Few samples have metadata, and fewer are series.
        guard !metadata.isEmpty, case .integer(let stored)? = metadata[MetadataKey.seriesCount],
            let count = Int(exactly: stored), count > 1
        else { return nil }
        self.count = count
        minimum = metadata[MetadataKey.seriesMinimum]?.number
        maximum = metadata[MetadataKey.seriesMaximum]?.number
        latest = metadata[MetadataKey.seriesLatest]?.number
        let (start, end) = (
            metadata[MetadataKey.seriesLatestStart]?.number, metadata[MetadataKey.seriesLatestEnd]?.number
        )
        if let start, let end, start.isFinite, end.isFinite, start <= end {
            latestStart = start
            latestEnd = end
        }
    }

    /// The figures of quantities in order of start; `nil` for fewer than two.
    init?(_ series: QuantitySeries, style: HKQuantityAggregationStyle) {
        guard series.count > 1 else { return nil }
        count = series.count
        guard style != .cumulative else { return }
        minimum = series.values.min()
        maximum = series.values.max()
        // The latest is the one that ends last; of several the one that starts last.
        let last = series.ends.indices.max {
            (series.ends[$0], series.starts[$0]) < (series.ends[$1], series.starts[$1])
        }
        guard let last else { return }
        latest = series.values[last]
        latestStart = series.starts[last]
        latestEnd = series.ends[last]
    }

    /// The figures as metadata.
    var entries: [Metadata.Entry] {
        let numbers = [
            (MetadataKey.seriesMinimum, minimum), (MetadataKey.seriesMaximum, maximum),
            (MetadataKey.seriesLatest, latest), (MetadataKey.seriesLatestStart, latestStart),
            (MetadataKey.seriesLatestEnd, latestEnd),
        ]
        return [Metadata.Entry(key: MetadataKey.seriesCount, value: .integer(Int64(count)))]
            + numbers.compactMap { key, number in
                number.map { Metadata.Entry(key: key, value: .double($0)) }
            }
    }
}
