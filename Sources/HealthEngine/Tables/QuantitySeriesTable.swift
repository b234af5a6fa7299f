package import HealthModel
import HealthPages
package import HealthStorage

/// The quantities of a series sample, ordered by start.
package struct QuantitySeries: Hashable, Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    package var starts: [Double]
    /// The ends, in seconds since 2001-01-01 00:00:00 UTC.
    package var ends: [Double]
    /// In the unit of the sample.
    package var values: [Double]

    /// Creates a series from columns of equal length.
    package init(starts: [Double] = [], ends: [Double] = [], values: [Double] = []) {
        self.starts = starts
        self.ends = ends
        self.values = values
    }

    /// The number of quantities.
    package var count: Int { starts.count }

    /// Whether the columns have one length, starts ascend, and no quantity ends before it starts.
    package var isConsistent: Bool {
        starts.count == ends.count && starts.count == values.count && zip(starts, ends).allSatisfy { $0 <= $1 }
            && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
    }
}

extension QuantitySeries {
    private enum Column {
        static let starts = "starts"
        static let ends = "ends"
        static let values = "values"
    }

    /// The series as an object's body.
    package var body: ObjectBody {
        .document(DocumentBody(series: [Column.starts: starts, Column.ends: ends, Column.values: values]))
    }

    /// Reads the series of a body; `nil` for any other body and for inconsistent columns.
    package init?(_ body: ObjectBody) {
        guard case .document(let document) = body else { return nil }
        self.init(
            starts: document.series[Column.starts] ?? [], ends: document.series[Column.ends] ?? [],
            values: document.series[Column.values] ?? [])
        guard isConsistent else { return nil }
    }
}

/// The stored quantities of series samples: one value per sample beside the settings, keyed by the
/// sample's type and sequence. The sample itself is on a page like any other, with the total as its value.
///
/// A second, empty value with the same key lists the series of a type without their columns.
package enum QuantitySeriesTable {
    static func list(_ type: TypeCode) -> String { "series/\(type.rawValue)" }
    private static func columns(_ type: TypeCode) -> String { "series.columns/\(type.rawValue)" }

    package static func write(
        _ series: QuantitySeries, of sample: StoredIdentity, in transaction: any StorageTransaction
    ) throws {
        let bytes = ObjectCoder.encode(metadata: .empty, creation: nil, body: series.body)
        let key = String(sample.sequence)
        try transaction.setValue([], namespace: list(sample.type), key: key)
        try transaction.setValue(bytes, namespace: columns(sample.type), key: key)
    }

    /// Removes the series of a sample.
    static func remove(of sample: StoredIdentity, in transaction: any StorageTransaction) throws {
        let key = String(sample.sequence)
        try transaction.setValue(nil, namespace: list(sample.type), key: key)
        try transaction.setValue(nil, namespace: columns(sample.type), key: key)
    }

    /// Enters the series of a sample under another type.
    static func move(_ sample: StoredIdentity, to type: TypeCode, in transaction: any StorageTransaction) throws {
        let key = String(sample.sequence)
        for (old, new) in [(list(sample.type), list(type)), (columns(sample.type), columns(type))] {
            let value = try transaction.value(namespace: old, key: key)
            try transaction.setValue(nil, namespace: old, key: key)
            try transaction.setValue(value, namespace: new, key: key)
        }
    }

    /// Returns the series of a sample; `nil` if it has none.
    ///
    /// - Throws: `StorageError` if the columns are inconsistent.
    package static func read(
        of sample: StoredIdentity, in snapshot: any StorageSnapshot
    ) throws -> QuantitySeries? {
        let key = String(sample.sequence)
        guard let bytes = try snapshot.value(namespace: columns(sample.type), key: key) else { return nil }
        guard let series = QuantitySeries(try ObjectCoder.decode(bytes).body) else { throw damaged }
        return series
    }

    /// The sequences of a type's series samples, ascending.
    package static func sequences(of type: TypeCode, in snapshot: any StorageSnapshot) throws -> [Int64] {
        try snapshot.values(namespace: list(type)).keys.compactMap { Int64($0) }.sorted()
    }

    private static let damaged = StorageError(.damaged, "the columns of a quantity series are inconsistent")
}
