import Foundation
import HealthEngine
import HealthModel

// The engine's statistics ⇄ HKStatistics, and statistics in archives.

extension HKStatistics {
    /// Creates statistics from the engine's figures of one interval.
    convenience init(_ bucket: StatisticsBucket, of quantityType: HKQuantityType) {
        self.init(
            quantityType: quantityType,
            startDate: Date(timeIntervalSinceReferenceDate: bucket.start),
            endDate: Date(timeIntervalSinceReferenceDate: bucket.end),
            unit: bucket.unit, figures: Figures(bucket.values),
            sourceFigures: bucket.bySource.map { bySource in
                bySource.sorted { $0.key < $1.key }.map {
                    SourceFigures(source: HKSource($0.key), figures: Figures($0.value))
                }
            })
    }
}

extension HKStatistics.Figures {
    init(_ values: StatisticsValues) {
        self.init(
            sum: values.sum, average: values.average, minimum: values.minimum, maximum: values.maximum,
            mostRecent: values.mostRecent.map { Recent(value: $0.value, start: $0.start, end: $0.end) },
            duration: values.duration)
    }
}

extension SourceRecord {
    fileprivate static func < (a: SourceRecord, b: SourceRecord) -> Bool {
        (a.bundleIdentifier, a.name) < (b.bundleIdentifier, b.name)
    }
}

/// The intervals of a collection that have samples, ascending, as the engine computed them.
///
/// Objects are made on demand: most readers of a long collection look at few intervals.
struct StatisticsIntervals: Sendable {
    private let buckets: [StatisticsBucket]
    private let isSeparatedBySource: Bool

    init(_ buckets: [StatisticsBucket], isSeparatedBySource: Bool) {
        self.buckets = buckets
        self.isSeparatedBySource = isSeparatedBySource
    }

    /// The statistics of every interval.
    func statistics(of type: HKQuantityType) -> [HKStatistics] {
        buckets.map { HKStatistics($0, of: type) }
    }

    /// The statistics of one interval; without figures if it has no samples.
    func statistics(from start: Double, to end: Double, of type: HKQuantityType) -> HKStatistics {
        HKStatistics(bucket(from: start) ?? empty(from: start, to: end), of: type)
    }

    /// Every source that contributed; empty unless the query separated by source.
    var sources: Set<HKSource> {
        guard isSeparatedBySource else { return [] }
        var records: Set<SourceRecord> = []
        for bucket in buckets {
            records.formUnion((bucket.bySource ?? [:]).keys)
        }
        return Set(records.map { HKSource($0) })
    }

    /// The statistics of intervals that differ from earlier ones over the same grid, including those that lost
    /// all their samples, in order of time.
    func changes(since earlier: StatisticsIntervals, of type: HKQuantityType) -> [HKStatistics] {
        var changed: [StatisticsBucket] = []
        var before = earlier.buckets[...]
        for bucket in buckets {
            while let lost = before.first, lost.start < bucket.start {
                changed.append(empty(from: lost.start, to: lost.end))
                before.removeFirst()
            }
            if let same = before.first, same.start == bucket.start {
                before.removeFirst()
                if same.isEqual(to: bucket) { continue }
            }
            changed.append(bucket)
        }
        changed += before.map { empty(from: $0.start, to: $0.end) }
        return changed.map { HKStatistics($0, of: type) }
    }

    private func bucket(from start: Double) -> StatisticsBucket? {
        var low = 0
        var high = buckets.count
        while low < high {
            let middle = (low + high) / 2
            if buckets[middle].start < start { low = middle + 1 } else { high = middle }
        }
        return low < buckets.count && buckets[low].start == start ? buckets[low] : nil
    }

    private func empty(from start: Double, to end: Double) -> StatisticsBucket {
        StatisticsBucket(
            start: start, end: end, values: StatisticsValues(), bySource: isSeparatedBySource ? [:] : nil,
            unit: buckets.first?.unit ?? "")
    }
}

/// The archived form of statistics.
struct StatisticsArchive: Codable {
    struct Values: Codable {
        var sum, average, minimum, maximum, duration: Double?
        /// Value, start and end of the most recent sample.
        var mostRecent: [Double]?

        init(_ figures: HKStatistics.Figures) {
            sum = figures.sum
            average = figures.average
            minimum = figures.minimum
            maximum = figures.maximum
            duration = figures.duration
            mostRecent = figures.mostRecent.map { [$0.value, $0.start, $0.end] }
        }

        var figures: HKStatistics.Figures {
            var recent: HKStatistics.Figures.Recent?
            if let mostRecent, mostRecent.count == 3 {
                recent = .init(value: mostRecent[0], start: mostRecent[1], end: mostRecent[2])
            }
            return HKStatistics.Figures(
                sum: sum, average: average, minimum: minimum, maximum: maximum, mostRecent: recent,
                duration: duration)
        }
    }

    struct Separate: Codable {
        var source: SourceRecord
        var values: Values
    }

    var type: String
    var start: Double
    var end: Double
    var unit: String
    var values: Values
    var separate: [Separate]?

    init(_ statistics: HKStatistics) {
        type = statistics.quantityType.identifier
        start = statistics.startDate.timeIntervalSinceReferenceDate
        end = statistics.endDate.timeIntervalSinceReferenceDate
        unit = statistics.unit
        values = Values(statistics.figures)
        separate = statistics.sourceFigures?.map {
            Separate(source: $0.source.record, values: Values($0.figures))
        }
    }

    /// A Boolean value that indicates whether statistics can be made of the archive.
    var isValid: Bool {
        HKObjectType.quantityType(forIdentifier: .init(rawValue: type)) != nil
            && HKUnit.parsed(unit) != nil
            // Foundation ends the process when it prints a date far beyond its own distant past and future.
            && abs(start) < 1e12 && abs(end) < 1e12
    }

    var quantityType: HKQuantityType { HKQuantityType(.init(rawValue: type)) }

    var figures: HKStatistics.Figures { values.figures }

    var sourceFigures: [HKStatistics.SourceFigures]? {
        guard let separate else { return nil }
        let bySource = Dictionary(separate.map { ($0.source, $0.values.figures) }) { first, _ in first }
        return bySource.sorted { $0.key < $1.key }.map { .init(source: HKSource($0.key), figures: $0.value) }
    }
}

extension StatisticsBucket {
    /// Whether the figures are the same. A figure that isn't a number equals itself here.
    fileprivate func isEqual(to other: StatisticsBucket) -> Bool {
        guard start == other.start, end == other.end, unit == other.unit, values.isEqual(to: other.values) else {
            return false
        }
        guard let bySource, let others = other.bySource else { return self.bySource == nil && other.bySource == nil }
        return bySource.count == others.count
            && bySource.allSatisfy { source, values in others[source].map(values.isEqual) ?? false }
    }
}

extension StatisticsValues {
    private var figures: [UInt64?] {
        [sum, average, minimum, maximum, mostRecent?.value, mostRecent?.start, mostRecent?.end, duration].map {
            figure in
            // Zeros are equal whatever their sign.
            figure.map { $0 == 0 ? 0 : $0.bitPattern }
        }
    }

    fileprivate func isEqual(to other: StatisticsValues) -> Bool { figures == other.figures }
}
