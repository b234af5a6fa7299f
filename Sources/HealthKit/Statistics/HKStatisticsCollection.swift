public import Foundation

/// Statistics of a quantity type over consecutive intervals.
///
/// A collection is immutable and may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKStatisticsCollection: NSObject, @unchecked Sendable {
    final let quantityType: HKQuantityType
    final let grid: IntervalGrid
    /// The intervals that have samples.
    final let intervals: StatisticsIntervals

    init(quantityType: HKQuantityType, grid: IntervalGrid, intervals: StatisticsIntervals) {
        self.quantityType = quantityType
        self.grid = grid
        self.intervals = intervals
        super.init()
    }

    /// Returns the statistics of the intervals that have samples, in order of time.
    open func statistics() -> [HKStatistics] {
        intervals.statistics(of: quantityType)
    }

    /// Returns the statistics of the interval that contains a date; all figures are `nil` if it has no samples.
    open func statistics(for date: Date) -> HKStatistics? {
        let interval = grid.interval(containing: date.timeIntervalSinceReferenceDate)
        return intervals.statistics(from: interval.start, to: interval.end, of: quantityType)
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
            block(intervals.statistics(from: start, to: end, of: quantityType), &stop)
            return !stop.boolValue
        }
    }

    /// Returns every source that contributed; empty unless the query separated by source.
    open func sources() -> Set<HKSource> { intervals.sources }

    /// Returns the statistics of intervals that differ from those of an earlier collection over the same grid.
    final func changes(since earlier: HKStatisticsCollection) -> [HKStatistics] {
        intervals.changes(since: earlier.intervals, of: quantityType)
    }
}
