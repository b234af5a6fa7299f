import HealthEngine
import HealthModel

/// What a sample made of several quantities says of them without their being read. Kept in the sample's
/// metadata, so that it goes wherever the sample goes.
struct SeriesFigures: Equatable {
    /// More than 1.
    var count: Int
    // In the unit of the sample; only discrete samples have them.
    var minimum: Double?
    var maximum: Double?
    var latest: Double?
    /// Seconds since 2001-01-01 00:00:00 UTC, the end at or after the start.
    var latestStart: Double?
    var latestEnd: Double?

    /// The figures in a sample's metadata; `nil` for a sample with one quantity.
    init?(_ metadata: Metadata) {
        // Hardly any sample has metadata, and fewer have a series.
        guard !metadata.isEmpty, case .integer(let stored)? = metadata[MetadataKey.seriesCount],
            let count = Int(exactly: stored), count > 1
        else { return nil }
        self.count = count
        minimum = metadata[MetadataKey.seriesMinimum]?.number
        maximum = metadata[MetadataKey.seriesMaximum]?.number
        latest = metadata[MetadataKey.seriesLatest]?.number
        let (start, end) = (metadata[MetadataKey.seriesLatestStart]?.number, metadata[MetadataKey.seriesLatestEnd]?.number)
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
        // The latest is the one that ends last; of those the one that began last.
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
