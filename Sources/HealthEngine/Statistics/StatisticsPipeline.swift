import Dispatch
import HealthModel
import HealthPages
import HealthStorage
import Synchronization

/// Reads the pages that headers cannot answer and folds their rows, on several threads if that is worthwhile.
/// Pages → flat rows → merged classes → buckets.
struct StatisticsPipeline {
    let plan: StatisticsPlan
    let type: TypeCode
    let snapshot: any StorageSnapshot

    /// The maximum size of page bodies in memory, in bytes.
    private static let maximumWaveSize = 128 << 20
    /// The number of pages below which a second thread costs more than it saves.
    private static let minimumParallelPages = 32

    /// The merged totals of every bucket and, if requested, those of each source.
    struct Outcome {
        var totals: [BucketTotals]
        var bySource: [[BucketTotals]]
    }

    func run() throws -> Outcome {
        var outcome = Outcome(totals: [BucketTotals](repeating: BucketTotals(), count: plan.bucketCount), bySource: [])
        if plan.aggregates.separate {
            outcome.bySource = .init(repeating: outcome.totals, count: plan.sources.sources.count)
        }
        guard plan.bucketCount > 0 else { return outcome }
        let tasks = plan.tasks(for: plan.answerFromHeaders(&outcome.totals))
        var next = 0
        while next < tasks.count {
            var (end, bytes) = (next, 0)
            while end < tasks.count, bytes < Self.maximumWaveSize {
                bytes += tasks[end].pages.reduce(0) { $0 + plan.pages[$1].header.bodyLength }
                end += 1
            }
            try work(Array(tasks[next..<end]), &outcome)
            next = end
        }
        return outcome
    }

    /// Loads the bodies for some tasks and performs these in parallel.
    private func work(_ tasks: [StatisticsTask], _ outcome: inout Outcome) throws {
        let indexes = tasks.count == 1 ? tasks[0].pages : Set(tasks.flatMap(\.pages)).sorted()
        let bodies = try PageBodies(indexes, of: plan.pages, type: type, in: snapshot)
        let queue = TaskQueue(
            tasks: tasks, bucketCount: plan.isSingle ? 1 : plan.bucketCount,
            isShared: plan.isSingle, sourceCount: outcome.bySource.count)
        let threads = indexes.count < Self.minimumParallelPages ? 1 : min(tasks.count, 8)
        if threads == 1 {
            queue.run(StatisticsWorker(plan), bodies)
        } else {
            DispatchQueue.concurrentPerform(iterations: threads) { [plan] _ in
                queue.run(StatisticsWorker(plan), bodies)
            }
        }
        try queue.collect(&outcome)
    }
}

/// Distributes tasks to threads and stores their results.
// Unchecked: every task writes its own totals (its buckets, or its own copy of the single bucket), an
// atomic counter gives each task to one thread, and results are collected after all threads have finished.
private final class TaskQueue: @unchecked Sendable {
    private let tasks: [StatisticsTask]
    private let isShared: Bool
    /// The number of rows of totals: the merged ones, then those of each source.
    private let rows: Int
    private let columns: Int
    private let totals: UnsafeMutablePointer<BucketTotals>
    private let next = Atomic<Int>(0)
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameter isShared: Whether all tasks work on the same single bucket.
    init(tasks: [StatisticsTask], bucketCount: Int, isShared: Bool, sourceCount: Int) {
        self.tasks = tasks
        self.isShared = isShared
        rows = sourceCount + 1
        columns = isShared ? tasks.count : bucketCount
        totals = .allocate(capacity: rows * columns)
        totals.initialize(repeating: BucketTotals(), count: rows * columns)
    }

    deinit {
        totals.deinitialize(count: rows * columns)
        totals.deallocate()
    }

    /// Performs tasks until none is left or one has failed.
    func run(_ worker: StatisticsWorker, _ bodies: PageBodies) {
        while true {
            let task = next.wrappingAdd(1, ordering: .relaxed).oldValue
            guard task < tasks.count, failure.withLock({ $0 == nil }) else { return }
            let column = isShared ? task : tasks[task].buckets.lowerBound
            do {
                try worker.work(
                    on: tasks[task], bodies, totals: totals + column,
                    bySource: (1..<rows).map { totals + $0 * columns + column })
            } catch {
                failure.withLock { if $0 == nil { $0 = error } }
            }
        }
    }

    /// Adds all results, ordered by time.
    func collect(_ outcome: inout StatisticsPipeline.Outcome) throws {
        if let error = failure.withLock({ $0 }) { throw error }
        for column in 0..<columns {
            let bucket = isShared ? 0 : column
            outcome.totals[bucket].merge(totals[column])
            for source in 0..<rows - 1 {
                outcome.bySource[source][bucket].merge(totals[(source + 1) * columns + column])
            }
        }
    }
}

/// Performs tasks one after the other, reusing its memory. Used by one thread at a time.
private final class StatisticsWorker {
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
    ///   - bodies: The bytes of the task's pages.
    ///   - totals: The merged totals, starting with the task's first bucket.
    ///   - bySource: The totals of each source, if requested.
    func work(
        on task: StatisticsTask, _ bodies: PageBodies, totals: UnsafeMutablePointer<BucketTotals>,
        bySource: [UnsafeMutablePointer<BucketTotals>]
    ) throws {
        buffer.count = 0
        var expansions: [SeriesExpansion] = []
        for index in task.pages {
            expansions += try buffer.append(
                plan.pages[index], body: bodies[index], units: plan.units,
                separatesEntriesByHand: plan.mergesSources, series: plan.series)
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
                plan.aggregates.addFigures(of: buffer.rows, to: totals, grid, withSum: false)
            } else {
                plan.aggregates.addFigures(of: buffer.rows, to: totals, grid, withSum: true)
            }
            guard plan.aggregates.separate else { return }
            groups.fill(from: buffer, by: .source, plan.sources)
            for group in 0..<groups.count where groups[group].count > 0 {
                plan.aggregates.addFigures(of: groups[group], to: bySource[group], grid, withSum: true)
            }
        }
    }

    /// The best class counts in full, each further one where no better one has samples.
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
