import HealthModel
import HealthPages

/// Works on tasks one after the other with the same memory. Used by one thread at a time.
final class StatisticsWorker {
    private let plan: StatisticsPlan
    private let buffer = RowBuffer()
    private let groups = RowGroups()
    private var covered = CoveredTime()
    private var scratch = CoveredTime()

    init(_ plan: StatisticsPlan) {
        self.plan = plan
    }

    /// Adds a task's rows.
    ///
    /// - Parameters:
    ///   - bodies: bytes of the task's pages.
    ///   - totals: merged totals of the task's buckets, the first one first.
    ///   - bySource: the same of each source, if they are asked for.
    func work(
        on task: StatisticsTask, _ bodies: PageBodies, totals: UnsafeMutablePointer<BucketTotals>,
        bySource: [UnsafeMutablePointer<BucketTotals>]
    ) throws {
        buffer.count = 0
        var expansions: [SeriesExpansion] = []
        for index in task.pages {
            expansions += try buffer.append(
                plan.pages[index], body: bodies[index], units: plan.units,
                handEntriesMatter: plan.mergesSources, series: plan.series)
        }
        if !expansions.isEmpty {
            buffer.append(expansions)
            buffer.sortByStart()
        }
        plan.bounds.withUnsafeBufferPointer { bounds in
            guard let base = bounds.baseAddress else { return }
            let grid = BucketGrid(bounds: base + task.buckets.lowerBound, count: task.buckets.count)
            if plan.mergesSources {
                addMergedSums(totals, grid)
                plan.needs.addFigures(of: buffer.rows, to: totals, grid, withSum: false)
            } else {
                plan.needs.addFigures(of: buffer.rows, to: totals, grid, withSum: true)
            }
            guard plan.needs.separate else { return }
            groups.fill(from: buffer, by: .source, plan.sources)
            for group in 0..<groups.count where groups[group].count > 0 {
                plan.needs.addFigures(of: groups[group], to: bySource[group], grid, withSum: true)
            }
        }
    }

    /// The best class counts in full; each class after it where no better one has samples.
    private func addMergedSums(_ totals: UnsafeMutablePointer<BucketTotals>, _ grid: BucketGrid) {
        groups.fill(from: buffer, by: .mergeClass, plan.sources)
        covered.removeAll()
        for group in 0..<groups.count {
            let rows = groups[group]
            guard rows.count > 0 else { continue }
            if covered.isEmpty {
                var fold = SumFold(totals: totals)
                grid.walk(rows, &fold)
            } else {
                CoveredSumFold.add(rows, outside: covered, to: totals, on: grid)
            }
            if group + 1 < groups.count { covered.formUnion(rows, scratch: &scratch) }
        }
    }
}
