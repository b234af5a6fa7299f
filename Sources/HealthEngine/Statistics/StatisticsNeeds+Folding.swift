extension StatisticsNeeds {
    /// Adds rows, ordered by start, to the totals of a grid's buckets, each fold in a pass of its own: the
    /// rows are in the processor's cache. Sums are of all rows alike.
    func addFigures(
        of rows: RowSpan, to totals: UnsafeMutablePointer<BucketTotals>, _ grid: BucketGrid, withSum: Bool
    ) {
        func add<Fold: BucketFold>(_ fold: Fold, if isNeeded: Bool) {
            guard isNeeded else { return }
            var fold = fold
            grid.walk(rows, &fold)
        }
        add(SumFold(totals: totals), if: sum && withSum)
        add(DiscreteFold(totals: totals), if: extremesAndMean)
        add(WeightedFold(totals: totals), if: weightedMean)
        add(LevelFold(totals: totals), if: level)
        add(RecentFold(totals: totals), if: recent)
        if duration {
            DurationFold.add(rows, to: totals, on: grid)
        } else {
            add(PresenceFold(totals: totals), if: !sum && !extremesAndMean && !recent)
        }
    }
}
