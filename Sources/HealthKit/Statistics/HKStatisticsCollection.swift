public import Foundation
import HealthEngine
import HealthModel

/// Statistics of a quantity type over consecutive intervals.
///
/// A collection is immutable and may be used from any thread. Statistics are created on demand: most readers of a long
/// collection look at few intervals.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKStatisticsCollection: NSObject, _CVarArgObject, @unchecked Sendable {
    final let quantityType: HKQuantityType
    final let grid: IntervalGrid
    /// The intervals that have samples, ascending.
    private final let buckets: [StatisticsBucket]
    private let isSeparatedBySource: Bool

    init(quantityType: HKQuantityType, grid: IntervalGrid, buckets: [StatisticsBucket], isSeparatedBySource: Bool) {
        self.quantityType = quantityType
        self.grid = grid
        self.buckets = buckets
        self.isSeparatedBySource = isSeparatedBySource
    }

    /// Returns the statistics of the intervals that have samples, in order of time.
    open func statistics() -> [HKStatistics] {
        buckets.map { HKStatistics($0, of: quantityType) }
    }

    /// Returns the statistics of the interval that contains a date; all figures are `nil` if it has no samples.
    open func statistics(for date: Date) -> HKStatistics? {
        let interval = grid.interval(containing: date.timeIntervalSinceReferenceDate)
        return statistics(from: interval.start, to: interval.end)
    }

    /// Calls `block` for every interval, with or without samples, from the one that contains `startDate` to the
    /// one that contains `endDate`. Set the block's second argument to stop.
    open func enumerateStatistics(
        from startDate: Date, to endDate: Date,
        with block: @escaping (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        guard startDate <= endDate else { return }
        let end = endDate.timeIntervalSinceReferenceDate
        var stop: ObjCBool = false
        grid.forEachInterval(from: startDate.timeIntervalSinceReferenceDate, through: end) { start, end in
            block(statistics(from: start, to: end), &stop)
            return !stop.boolValue
        }
    }

    /// Returns every source that contributed; empty unless the query separated by source.
    open func sources() -> Set<HKSource> {
        Set(Set(buckets.flatMap { ($0.bySource ?? [:]).keys }).map { HKSource($0) })
    }

    /// Returns the statistics of intervals that differ from those of an earlier collection over the same grid,
    /// including those that lost all their samples, in order of time.
    final func changes(since earlier: HKStatisticsCollection) -> [HKStatistics] {
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
        return changed.map { HKStatistics($0, of: quantityType) }
    }

    /// Returns the statistics of one interval; without figures if it has no samples.
    private func statistics(from start: Double, to end: Double) -> HKStatistics {
        let index = buckets.partitionPoint { $0.start < start }
        let isFound = index < buckets.count && buckets[index].start == start
        return HKStatistics(isFound ? buckets[index] : empty(from: start, to: end), of: quantityType)
    }

    private func empty(from start: Double, to end: Double) -> StatisticsBucket {
        StatisticsBucket(
            start: start, end: end, values: StatisticsValues(), bySource: isSeparatedBySource ? [:] : nil,
            unit: buckets.first?.unit ?? "")
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
