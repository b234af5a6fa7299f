import HealthPages

/// A part of the work that no other part touches: some neighbouring buckets and the pages that reach
/// into them; or, of the one bucket of a single result, some neighbouring pages.
struct StatisticsTask: Sendable {
    var buckets: Range<Int>
    /// Indexes into the plan's pages, ascending.
    var pages: [Int]

    /// Pages a task has at least, where there are so many: enough that pages two tasks must both decode
    /// do not count, few enough that the rows stay in the processor's cache.
    static let usualPageCount = 24
}

extension StatisticsPlan {
    /// Cuts the work on these pages into tasks, in order of time.
    func tasks(for indexes: [Int]) -> [StatisticsTask] {
        guard !indexes.isEmpty, bucketCount > 0 else { return [] }
        if isSingle { return tasksOfOneBucket(indexes) }
        let tasks = tasksByBuckets(indexes)
        // Samples that last through many tasks would be decoded over and over.
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
            while task < tasks.count, bounds[tasks[task].buckets.lowerBound] <= pages[index].header.greatestEnd {
                tasks[task].pages.append(index)
                task += 1
            }
        }
        return tasks.filter { !$0.pages.isEmpty }
    }

    /// Cuts between pages that nothing reaches across.
    private func tasksOfOneBucket(_ indexes: [Int]) -> [StatisticsTask] {
        var tasks = [StatisticsTask(buckets: 0..<1, pages: [])]
        var reach = -Double.infinity
        for index in indexes {
            let header = pages[index].header
            let last = tasks[tasks.count - 1].pages
            if last.count >= StatisticsTask.usualPageCount, !needs.joinsNeighbours,
                reach <= header.firstStart, pages[last[last.count - 1]].header.lastStart < header.firstStart
            {
                tasks.append(StatisticsTask(buckets: 0..<1, pages: []))
            }
            tasks[tasks.count - 1].pages.append(index)
            reach = max(reach, header.greatestEnd)
        }
        return tasks
    }
}
