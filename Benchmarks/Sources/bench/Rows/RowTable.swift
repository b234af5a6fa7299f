import CSQLite
import Foundation
import HealthModel

/// Samples in a plain table, a row a sample, indexed as people do: by type and start.
///
/// The table is as lean as can be while it says what a sample is: every noun is a number, dates are whole
/// seconds, there is no creation date or metadata, and identities only where they are asked for. All of that is
/// in its favour.
final class RowTable {
    private let database: RowDatabase
    private let insertion: RowStatement
    private let reading: RowStatement

    private static func schema(withIdentities: Bool) -> String {
        """
        CREATE TABLE sample (
            id INTEGER PRIMARY KEY,
            type INTEGER NOT NULL,
            source INTEGER NOT NULL,
            device INTEGER NOT NULL,
            unit INTEGER NOT NULL,
            start INTEGER NOT NULL,
            "end" INTEGER NOT NULL,
            value REAL NOT NULL\(withIdentities ? ", uuid BLOB UNIQUE" : ""));
        CREATE INDEX sample_type_start ON sample (type, start)
        """
    }

    /// Makes the table in a new file.
    ///
    /// - Parameter withIdentities: whether rows have a unique UUID, as samples that applications save do.
    init(path: String, withIdentities: Bool = false) throws {
        database = try RowDatabase(path: path)
        try database.run(Self.schema(withIdentities: withIdentities))
        let (column, mark) = withIdentities ? (", uuid", ", ?") : ("", "")
        insertion = try database.prepare(
            """
            INSERT INTO sample (type, source, device, unit, start, "end", value\(column))
            VALUES (?, ?, ?, ?, ?, ?, ?\(mark))
            """)
        reading = try database.prepare(
            "SELECT * FROM sample WHERE type = ? AND start >= ? AND start < ? ORDER BY start")
    }

    /// Puts all samples in, in one transaction.
    func insert(_ columns: SampleColumns) throws {
        try database.run("BEGIN")
        for row in columns.starts.indices {
            try insert(
                type: columns.type, source: columns.revisions[row], device: columns.devices[row],
                unit: columns.units[row], start: columns.starts[row], end: columns.ends[row],
                value: columns.values[row])
        }
        try database.run("COMMIT")
        try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Puts one sample in; outside a transaction, durable when it returns.
    func insert(
        type: TypeCode, source: UInt32, device: UInt32, unit: UInt32, start: Double, end: Double, value: Double,
        uuid: UUID? = nil
    ) throws {
        insertion.bind(
            Int64(type.rawValue), Int64(source), Int64(device), Int64(unit), Int64(start), Int64(end))
        sqlite3_bind_double(insertion.handle, 7, value)
        if let uuid { insertion.bind(uuid, at: 8) }
        _ = try insertion.step()
        insertion.reset()
    }

    /// Steps through the rows of a span of time and reads every column; gives how many there were.
    func readAll(of type: TypeCode, from start: Double, to end: Double) throws -> Int {
        reading.bind(Int64(type.rawValue), Int64(start), Int64(end))
        defer { reading.reset() }
        var count = 0
        var integers: Int64 = 0
        var values = 0.0
        let handle = reading.handle
        while try reading.step() {
            for column in 0..<7 as Range<Int32> { integers &+= sqlite3_column_int64(handle, column) }
            values += sqlite3_column_double(handle, 7)
            count += 1
        }
        Sink.take(integers, values)
        return count
    }

    /// Sums by day, the query given; returns days and sums.
    func dailySums(_ sums: RowStatement) throws -> (days: Int, total: Double) {
        defer { sums.reset() }
        var (days, total) = (0, 0.0)
        while try sums.step() {
            days += 1
            total += sqlite3_column_double(sums.handle, 1)
        }
        return (days, total)
    }

    func prepare(_ sql: String) throws -> RowStatement { try database.prepare(sql) }
    func plan(of sql: String) throws -> String { try database.plan(of: sql) }
    func run(_ sql: String) throws { try database.run(sql) }
}
