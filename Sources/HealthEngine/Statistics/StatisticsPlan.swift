import HealthModel
import HealthPages
import HealthStorage

/// Everything known about a statistics request before a page's body is read.
struct StatisticsPlan: Sendable {
    let aggregates: RequiredAggregates
    let units: CanonicalUnits
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
