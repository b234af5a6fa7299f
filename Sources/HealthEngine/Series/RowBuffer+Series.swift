import HealthModel

extension RowBuffer {
    /// Marks the series samples of a page as not to be kept, and returns what comes instead.
    ///
    /// - Parameters:
    ///   - first: the first row of the page.
    ///   - conversion: to the canonical unit, by row of the page; `nil` for rows that are left out anyway.
    func expansions(
        from first: Int, sequences: [Int64], marks: inout [Bool], series: SeriesRows,
        conversion: (Int) -> UnitConversion?
    ) -> [SeriesExpansion] {
        var expansions: [SeriesExpansion] = []
        for row in sequences.indices where marks[row] {
            guard let inner = series[sequences[row]], let conversion = conversion(row) else { continue }
            marks[row] = false
            expansions.append(
                SeriesExpansion(series: inner, revision: revisions[first + row], conversion: conversion))
        }
        return expansions
    }

    /// Appends quantities of series; ``sortByStart()`` puts them where they belong.
    func append(_ expansions: [SeriesExpansion]) {
        for expansion in expansions {
            let series = expansion.series
            reserve(series.count)
            for index in 0..<series.count {
                starts[count] = series.starts[index]
                ends[count] = series.ends[index]
                values[count] = expansion.conversion(series.values[index])
                revisions[count] = expansion.revision
                count += 1
            }
        }
    }

    /// Puts the rows in order of start; those of one start stay as they are.
    func sortByStart() {
        let order = (0..<count).sorted { (starts[$0], $0) < (starts[$1], $1) }
        func reorder<Value>(_ column: UnsafeMutablePointer<Value>) {
            let sorted = order.map { column[$0] }
            for (row, value) in sorted.enumerated() { column[row] = value }
        }
        reorder(ends)
        reorder(values)
        reorder(revisions)
        reorder(starts)
    }
}
