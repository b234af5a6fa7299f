import HealthModel
import HealthPages
import HealthStorage

/// The quantity series on the pages of a statistics request, by the sequences of their samples.
struct SeriesRows: Sendable {
    private let sequences: [Int64]
    private let series: [Int64: QuantitySeries]

    /// Reads the series of samples on these pages; `nil` if there are none.
    init?(of type: TypeCode, on pages: [PageOutline], in snapshot: any StorageSnapshot) throws {
        let all = try QuantitySeriesTable.sequences(of: type, in: snapshot)
        guard !all.isEmpty else { return nil }
        var series: [Int64: QuantitySeries] = [:]
        for page in pages {
            let first = all.upperBound(of: page.header.minimumSequence - 1)
            for sequence in all[first...].prefix(while: { $0 <= page.header.maximumSequence })
            where series[sequence] == nil {
                series[sequence] = try QuantitySeriesTable.read(
                    of: StoredIdentity(type: type, sequence: sequence), in: snapshot)
            }
        }
        guard !series.isEmpty else { return nil }
        self.series = series
        sequences = series.keys.sorted()
    }

    /// Whether a page may hold a series sample.
    func overlaps(_ header: PageHeader) -> Bool {
        let next = sequences.upperBound(of: header.minimumSequence - 1)
        return next < sequences.count && sequences[next] <= header.maximumSequence
    }

    /// The quantities of a sample; `nil` if it has no series.
    subscript(sequence: Int64) -> QuantitySeries? { series[sequence] }
}

/// The quantities that count in place of a series sample.
struct SeriesExpansion {
    let series: QuantitySeries
    let revision: UInt32
    let conversion: UnitConversion
}

extension RowBuffer {
    /// Unmarks the series samples of a page and returns their quantities.
    ///
    /// - Parameters:
    ///   - first: The first row of the page.
    ///   - conversion: Returns the conversion to the canonical unit by row of the page; `nil` for rows that are
    ///     omitted anyway.
    func expansions(
        from first: Int, sequences: [Int64], marks: inout [Bool], series: SeriesRows,
        conversion: (Int) -> UnitConversion?
    ) -> [SeriesExpansion] {
        var expansions: [SeriesExpansion] = []
        for row in sequences.indices where marks[row] {
            guard let inner = series[sequences[row]], let conversion = conversion(row) else { continue }
            marks[row] = false
            expansions.append(SeriesExpansion(series: inner, revision: revisions[first + row], conversion: conversion))
        }
        return expansions
    }

    /// Appends the quantities of series, to be sorted with ``sortByStart()``.
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

    /// Sorts the rows by start; rows of equal start keep their order.
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
