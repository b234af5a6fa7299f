import Dispatch
import HealthModel
import HealthPages
import HealthStorage

/// Reads what headers leave open and folds it, on all cores where that pays. The reading twin of the
/// save pipeline: pages → flat rows → merged classes → buckets.
struct StatisticsPipeline {
    let plan: StatisticsPlan
    let type: TypeCode
    let snapshot: any StorageSnapshot

    /// Bytes of page bodies held at a time.
    private static let greatestWave = 128 << 20
    /// Pages below which a second thread costs more than it gives.
    private static let fewPages = 32

    /// Merged totals of every bucket, and those of each source if asked for.
    struct Outcome {
        var totals: [BucketTotals]
        var bySource: [[BucketTotals]]
    }

    func run() throws -> Outcome {
        var outcome = Outcome(
            totals: [BucketTotals](repeating: BucketTotals(), count: plan.bucketCount), bySource: [])
        if plan.needs.separate {
            outcome.bySource = .init(repeating: outcome.totals, count: plan.sources.sources.count)
        }
        guard plan.bucketCount > 0 else { return outcome }
        let tasks = plan.tasks(for: plan.answerFromHeaders(&outcome.totals))
        var next = 0
        while next < tasks.count {
            var (end, bytes) = (next, 0)
            while end < tasks.count, bytes < Self.greatestWave {
                bytes += tasks[end].pages.reduce(0) { $0 + plan.pages[$1].header.bodyLength }
                end += 1
            }
            try work(Array(tasks[next..<end]), &outcome)
            next = end
        }
        return outcome
    }

    /// Loads the bodies of some tasks and works on them side by side.
    private func work(_ tasks: [StatisticsTask], _ outcome: inout Outcome) throws {
        let indexes = tasks.count == 1 ? tasks[0].pages : Set(tasks.joined(\.pages)).sorted()
        let bodies = try PageBodies(indexes, of: plan.pages, type: type, in: snapshot)
        let board = TaskBoard(
            tasks: tasks, bucketCount: plan.isSingle ? 1 : plan.bucketCount,
            isShared: plan.isSingle, sourceCount: outcome.bySource.count)
        let threads = indexes.count < Self.fewPages ? 1 : min(tasks.count, 8)
        if threads == 1 {
            board.workUntilDone(StatisticsWorker(plan), bodies)
        } else {
            DispatchQueue.concurrentPerform(iterations: threads) { [plan] _ in
                board.workUntilDone(StatisticsWorker(plan), bodies)
            }
        }
        try board.collect(&outcome)
    }
}

extension Array where Element == StatisticsTask {
    fileprivate func joined(_ list: (StatisticsTask) -> [Int]) -> [Int] {
        flatMap(list)
    }
}
