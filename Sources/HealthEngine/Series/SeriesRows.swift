import HealthModel
import HealthPages
import HealthStorage

/// The series that a statistics request may meet, by the sequences of their samples.
struct SeriesRows: Sendable {
    private let sequences: [Int64]
    private let series: [Int64: QuantitySeries]

    /// The series of samples in these pages; `nil` where there is none.
    init?(of type: TypeCode, on pages: [PageOutline], in snapshot: any StorageSnapshot) throws {
        let all = try QuantitySeriesTable.sequences(of: type, in: snapshot)
        guard !all.isEmpty else { return nil }
        var series: [Int64: QuantitySeries] = [:]
        for page in pages {
            let first = all.upperBound(of: page.header.leastSequence - 1)
            for sequence in all[first...].prefix(while: { $0 <= page.header.greatestSequence })
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
    func meets(_ header: PageHeader) -> Bool {
        let next = sequences.upperBound(of: header.leastSequence - 1)
        return next < sequences.count && sequences[next] <= header.greatestSequence
    }

    /// The quantities of a sample; `nil` for a plain one.
    subscript(sequence: Int64) -> QuantitySeries? { series[sequence] }
}
