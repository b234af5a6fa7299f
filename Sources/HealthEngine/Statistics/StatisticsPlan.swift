import Dispatch
import HealthModel
import HealthPages
import HealthStorage
import Synchronization

/// Everything known about a statistics request before a page's body is read.
struct StatisticsPlan: Sendable {
    let aggregates: RequiredAggregates
    let units: UnitConversions
    let sources: SourceTable
    /// Pages that may hold matching rows, in key order.
    let pages: [PageOutline]
    /// The series samples, whose quantities count in their place; `nil` if there are none.
    let series: SeriesRows?
    /// Ascending instants; every two neighbors bound one bucket.
    let bounds: [Double]
    /// Whether there is a single, unbounded bucket.
    let isSingle: Bool

    var bucketCount: Int { max(bounds.count - 1, 0) }

    /// Whether rows of different merge classes occur.
    var mergesSources: Bool { aggregates.sum && sources.classCount > 1 }

    /// Whether no sample of the page overlaps a sample of another page or has the same start.
    private func isIsolated(_ index: Int, reachBefore: Double) -> Bool {
        let header = pages[index].header
        if index > 0 {
            guard reachBefore <= header.firstStart,
                pages[index - 1].header.lastStart < header.firstStart
            else { return false }
        }
        guard index + 1 < pages.count else { return true }
        let next = pages[index + 1].header
        return header.maximumEnd <= next.firstStart && header.lastStart < next.firstStart
    }

    /// The bucket that contains all samples of a page, if there is one.
    private func bucket(holding header: PageHeader) -> Int? {
        let bucket = bounds.upperBound(of: header.firstStart) - 1
        guard bucket >= 0, bucket < bucketCount, header.lastStart < bounds[bucket + 1],
            header.maximumEnd <= bounds[bucket + 1]
        else { return nil }
        return bucket
    }
}

// MARK: - Headers

extension StatisticsPlan {
    /// Adds the pages for which headers suffice, and returns the indexes of those whose bodies must be read.
    func answerFromHeaders(_ totals: inout [BucketTotals]) -> [Int] {
        var rest: [Int] = []
        var reach = -Double.infinity
        for index in pages.indices {
            let isIsolated = isIsolated(index, reachBefore: reach)
            reach = max(reach, pages[index].header.maximumEnd)
            if let bucket = bucket(holding: pages[index].header), canAnswer(pages[index], isIsolated: isIsolated),
                let conversion = units.conversion(pages[index].header.units[0])
            {
                totals[bucket].add(pages[index].header, conversion)
            } else {
                rest.append(index)
            }
        }
        return rest
    }

    /// Whether headers suffice for all pages that the backend has added up.
    var answersGroups: Bool {
        guard pages.contains(where: \.isGroup) else { return true }
        var totals = [BucketTotals](repeating: BucketTotals(), count: bucketCount)
        return !answerFromHeaders(&totals).contains { pages[$0].isGroup }
    }

    private func canAnswer(_ page: PageOutline, isIsolated: Bool) -> Bool {
        let header = page.header
        guard series?.overlaps(header) != true else { return false }
        // A sum that is not finite hides NaN values.
        guard page.isWhole, !aggregates.separate, !aggregates.level, header.units.count == 1, header.sum.isFinite
        else { return false }
        if aggregates.sum, sources.classCount > 1 {
            // An isolated page of one class neither covers other samples nor is covered by them.
            guard isIsolated, !header.hasUserEntered, holdsOneClass(header) else { return false }
        }
        if aggregates.duration || aggregates.recent {
            guard isIsolated else { return false }
        }
        if aggregates.weightedMean {
            // Overlaps are counted once, so a header answers only for samples that don't overlap.
            guard isIsolated, !header.hasZeroLength, header.coveredDuration == header.totalDuration
            else { return false }
        }
        return true
    }

    private func holdsOneClass(_ header: PageHeader) -> Bool {
        let groups = sources.groups(by: .mergeClass)
        let classes = header.revisions.lazy.map { groups[Int($0)] }
        return classes.allSatisfy { $0 == classes.first }
    }
}

extension BucketTotals {
    /// Adds a whole page of one unit.
    fileprivate mutating func add(_ header: PageHeader, _ conversion: UnitConversion) {
        // Converts the sum of `weight` values.
        func converted(_ sum: Double, weight: Double) -> Double {
            guard !conversion.isIdentity else { return sum }
            return (sum * conversion.multiplier + conversion.offset * weight) / conversion.divisor
        }
        let total = converted(header.sum, weight: Double(header.count))
        hasSamples = true
        sum += total
        valueSum += total
        count += header.count
        minimum = min(minimum, conversion(header.minimum))
        maximum = max(maximum, conversion(header.maximum))
        integral += converted(header.weightedSum, weight: header.totalDuration)
        integralTime += header.totalDuration
        duration += header.coveredDuration
        offerRecent(value: conversion(header.latest.value), start: header.latest.start, end: header.latest.end)
    }
}

// MARK: - Tasks

/// An independent part of the work: some neighboring buckets and the pages with samples in them or, for a single
/// bucket, some neighboring pages.
struct StatisticsTask: Sendable {
    var buckets: Range<Int>
    /// Indexes into the plan's pages, ascending.
    var pages: [Int]

    /// The usual minimum number of pages: enough that pages decoded by two tasks do not matter, few enough that the
    /// rows stay in the processor's cache.
    fileprivate static let usualPageCount = 24
}

extension StatisticsPlan {
    /// Divides the work on these pages into tasks, ordered by time.
    func tasks(for indexes: [Int]) -> [StatisticsTask] {
        guard !indexes.isEmpty, bucketCount > 0 else { return [] }
        if isSingle { return tasksOfOneBucket(indexes) }
        let tasks = tasksByBuckets(indexes)
        // Samples that span many tasks would be decoded in each of them.
        guard tasks.reduce(0, { $0 + $1.pages.count }) <= 3 * indexes.count + 16 else {
            return [StatisticsTask(buckets: 0..<bucketCount, pages: indexes)]
        }
        return tasks
    }

    private func tasksByBuckets(_ indexes: [Int]) -> [StatisticsTask] {
        var startsByBucket: [Int] = []
        startsByBucket.reserveCapacity(indexes.count)
        for index in indexes {
            startsByBucket.append(max(bounds.upperBound(of: pages[index].header.firstStart) - 1, 0))
        }
        var tasks: [StatisticsTask] = []
        var first = 0
        var pageCount = 0
        for (place, bucket) in startsByBucket.enumerated() where bucket < bucketCount {
            pageCount += 1
            let next = place + 1 < startsByBucket.count ? startsByBucket[place + 1] : bucketCount
            if pageCount >= StatisticsTask.usualPageCount, next > bucket {
                tasks.append(StatisticsTask(buckets: first..<bucket + 1, pages: []))
                first = bucket + 1
                pageCount = 0
            }
        }
        if first < bucketCount { tasks.append(StatisticsTask(buckets: first..<bucketCount, pages: [])) }
        let ends = tasks.map(\.buckets.upperBound)
        for (place, index) in indexes.enumerated() {
            var task = ends.upperBound(of: min(startsByBucket[place], bucketCount - 1))
            while task < tasks.count, bounds[tasks[task].buckets.lowerBound] <= pages[index].header.maximumEnd {
                tasks[task].pages.append(index)
                task += 1
            }
        }
        return tasks.filter { !$0.pages.isEmpty }
    }

    /// Divides the work between pages that no sample spans.
    private func tasksOfOneBucket(_ indexes: [Int]) -> [StatisticsTask] {
        var tasks = [StatisticsTask(buckets: 0..<1, pages: [])]
        var reach = -Double.infinity
        for index in indexes {
            let header = pages[index].header
            let last = tasks[tasks.count - 1].pages
            if last.count >= StatisticsTask.usualPageCount, !aggregates.joinsNeighbors,
                reach <= header.firstStart, pages[last[last.count - 1]].header.lastStart < header.firstStart
            {
                tasks.append(StatisticsTask(buckets: 0..<1, pages: []))
            }
            tasks[tasks.count - 1].pages.append(index)
            reach = max(reach, header.maximumEnd)
        }
        return tasks
    }
}

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
        var outcome = Outcome(
            totals: [BucketTotals](repeating: BucketTotals(), count: plan.bucketCount), bySource: [])
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

/// Performs tasks sequentially, reusing its memory. Used by one thread at a time.
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
