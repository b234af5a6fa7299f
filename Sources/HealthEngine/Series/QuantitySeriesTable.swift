import HealthModel
import HealthPages
import HealthStorage

/// Where the inner quantities of series samples lie: beside the settings, one value a sample, keyed by the
/// sample's type and sequence. The sample itself stands in a page like any other, with the whole as its value.
///
/// A second, empty value under the same key lists the series of a type without their columns.
enum QuantitySeriesTable {
    private enum Column {
        static let starts = "starts"
        static let ends = "ends"
        static let values = "values"
    }

    private static func list(_ type: TypeCode) -> String { "series/\(type.rawValue)" }
    private static func columns(_ type: TypeCode) -> String { "series.columns/\(type.rawValue)" }

    static func write(
        _ series: QuantitySeries, of sample: StoredIdentity, in transaction: any StorageTransaction
    ) throws {
        let body = DocumentBody(series: [
            Column.starts: series.starts, Column.ends: series.ends, Column.values: series.values,
        ])
        let bytes = ObjectCoder.encode(metadata: .empty, creation: nil, body: .document(body))
        let key = String(sample.sequence)
        try transaction.setValue([], namespace: list(sample.type), key: key)
        try transaction.setValue(bytes, namespace: columns(sample.type), key: key)
    }

    /// Forgets the series of a sample.
    static func remove(of sample: StoredIdentity, in transaction: any StorageTransaction) throws {
        let key = String(sample.sequence)
        try transaction.setValue(nil, namespace: list(sample.type), key: key)
        try transaction.setValue(nil, namespace: columns(sample.type), key: key)
    }

    /// The series of a sample; `nil` for one that has none.
    ///
    /// - Throws: for columns that do not fit together.
    static func read(
        of sample: StoredIdentity, in snapshot: any StorageSnapshot
    ) throws -> QuantitySeries? {
        let key = String(sample.sequence)
        guard let bytes = try snapshot.value(namespace: columns(sample.type), key: key) else { return nil }
        guard case .document(let body) = try ObjectCoder.decode(bytes).body else { throw damaged }
        let series = QuantitySeries(
            starts: body.series[Column.starts] ?? [], ends: body.series[Column.ends] ?? [],
            values: body.series[Column.values] ?? [])
        guard series.isSound else { throw damaged }
        return series
    }

    /// Sequences of the samples of a type that have a series, ascending.
    static func sequences(of type: TypeCode, in snapshot: any StorageSnapshot) throws -> [Int64] {
        try snapshot.values(namespace: list(type)).keys.compactMap { Int64($0) }.sorted()
    }

    private static let damaged = StorageError(.damaged, "the columns of a quantity series do not fit together")
}
