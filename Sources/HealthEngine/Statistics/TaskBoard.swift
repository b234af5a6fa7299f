import Synchronization

/// Hands tasks to threads and holds their results.
// @unchecked: every task writes totals of its own (its buckets, or its own copy of the one bucket), an
// atomic counter gives each task to one thread, and results are collected after all threads are done.
final class TaskBoard: @unchecked Sendable {
    private let tasks: [StatisticsTask]
    private let isShared: Bool
    /// Totals per source, merged totals in front.
    private let rows: Int
    private let columns: Int
    private let totals: UnsafeMutablePointer<BucketTotals>
    private let next = Atomic<Int>(0)
    private let failure = Mutex<(any Error)?>(nil)

    /// - Parameter isShared: whether all tasks work on the same single bucket.
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

    /// Takes tasks until none is left or one has failed.
    func workUntilDone(_ worker: StatisticsWorker, _ bodies: PageBodies) {
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

    /// Adds all results, in order of time.
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
