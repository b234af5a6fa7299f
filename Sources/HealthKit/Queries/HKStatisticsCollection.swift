public import Foundation
import HealthEngine
import HealthModel

/// Statistics of a quantity type over consecutive intervals.
///
/// A collection never changes and may be used from any thread.
// Unchecked: every stored property is constant and Sendable.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
    let quantityType: HKQuantityType
    let grid: IntervalGrid
    /// Populated intervals, ascending.
    let buckets: [StatisticsBucket]
    private let isSeparatedBySource: Bool

    init(
        quantityType: HKQuantityType, grid: IntervalGrid, buckets: [StatisticsBucket],
        isSeparatedBySource: Bool
    ) {
        self.quantityType = quantityType
        self.grid = grid
        self.buckets = buckets
        self.isSeparatedBySource = isSeparatedBySource
        super.init()
    }

    /// Figures of the intervals that have samples, in order of time.
    public func statistics() -> [HKStatistics] {
        buckets.map { HKStatistics($0, of: quantityType) }
    }

    /// Figures of the interval that contains a date; all of them `nil` when it has no sample.
    public func statistics(for date: Date) -> HKStatistics? {
        let interval = grid.interval(containing: date.timeIntervalSinceReferenceDate)
        return statistics(from: interval.start, to: interval.end)
    }

    /// Calls `block` for every interval, with samples or without, from the one that contains
    /// `startDate` to the one that contains `endDate`. Setting the block's second argument ends it.
    public func enumerateStatistics(
        from startDate: Date, to endDate: Date,
        with block: @escaping (HKStatistics, UnsafeMutablePointer<ObjCBool>) -> Void
    ) {
        guard startDate <= endDate else { return }
        let bounds = grid.bounds(
            covering: startDate.timeIntervalSinceReferenceDate...endDate.timeIntervalSinceReferenceDate)
        var stop: ObjCBool = false
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            block(statistics(from: start, to: end), &stop)
            if stop.boolValue { return }
        }
    }

    /// Every source that contributed; empty unless the query separated by source.
    public func sources() -> Set<HKSource> {
        guard isSeparatedBySource else { return [] }
        var records: Set<SourceRecord> = []
        for bucket in buckets {
            records.formUnion((bucket.bySource ?? [:]).keys)
        }
        return Set(records.map { HKSource($0) })
    }

    /// The figures between two bounds of the grid.
    private func statistics(from start: Double, to end: Double) -> HKStatistics {
        if let bucket = bucket(from: start) {
            return HKStatistics(bucket, of: quantityType)
        }
        return HKStatistics(empty(from: start, to: end), of: quantityType)
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
            start: start, end: end, values: StatisticsValues(),
            bySource: isSeparatedBySource ? [:] : nil,
            unit: buckets.first?.unit ?? "")
    }

    /// Intervals whose figures differ from those of an earlier collection over the same grid, those that
    /// lost all their samples included, in order of time.
    func changes(since earlier: HKStatisticsCollection) -> [HKStatistics] {
        var changed: [StatisticsBucket] = []
        var before = earlier.buckets[...]
        for bucket in buckets {
            while let lost = before.first, lost.start < bucket.start {
                changed.append(empty(from: lost.start, to: lost.end))
                before.removeFirst()
            }
            if let same = before.first, same.start == bucket.start {
                before.removeFirst()
                if same == bucket { continue }
            }
            changed.append(bucket)
        }
        changed += before.map { empty(from: $0.start, to: $0.end) }
        return changed.map { HKStatistics($0, of: quantityType) }
    }
}
