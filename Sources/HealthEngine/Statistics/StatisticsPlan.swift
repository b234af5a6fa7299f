import HealthModel
import HealthPages
import HealthStorage

/// Everything a statistics request needs to know before a page's body is read.
struct StatisticsPlan: Sendable {
    let needs: StatisticsNeeds
    let units: CanonicalUnits
    let sources: SourceTable
    /// Pages that may hold matching rows, in key order.
    let pages: [PageOutline]
    /// Samples that other quantities count in place of; `nil` where there is none.
    let series: SeriesRows?
    /// Ascending instants; one bucket lies between every two neighbours.
    let bounds: [Double]
    /// Whether there is one bucket over everything, at whose ends nothing is cut.
    let isSingle: Bool

    var bucketCount: Int { max(bounds.count - 1, 0) }

    /// Whether rows of different merge classes occur.
    var mergesSources: Bool { needs.sum && sources.classCount > 1 }

    /// Whether nothing in the page meets, in time, anything outside it: no interval overlaps another
    /// page's and no start is shared.
    func isIsolated(_ index: Int, reachBefore: Double) -> Bool {
        let header = pages[index].header
        if index > 0 {
            guard reachBefore <= header.firstStart,
                pages[index - 1].header.lastStart < header.firstStart
            else { return false }
        }
        guard index + 1 < pages.count else { return true }
        let next = pages[index + 1].header
        return header.greatestEnd <= next.firstStart && header.lastStart < next.firstStart
    }

    /// The bucket a page lies in from its first start to its greatest end, if there is one.
    func bucket(holding header: PageHeader) -> Int? {
        let bucket = bounds.upperBound(of: header.firstStart) - 1
        guard bucket >= 0, bucket < bucketCount, header.lastStart < bounds[bucket + 1],
            header.greatestEnd <= bounds[bucket + 1]
        else { return nil }
        return bucket
    }
}
