import CSQLite
import Foundation
import HealthModel

/// A plain table with one row per sample and the usual index by type and start.
///
/// The table is as small as possible: sources, devices and units are numbers, dates are whole seconds, there are no
/// creation dates or metadata, and UUIDs are optional. All of that is in its favor.
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

    /// Creates the table in a new file.
    ///
    /// - Parameter withIdentities: Whether rows have a unique UUID, as saved samples do.
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

    /// Inserts all samples in one transaction.
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

    /// Inserts one sample, durably if no transaction is open.
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

    /// Steps through the rows of a time span, reads every column, and returns the number of rows.
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
        Sink.consume(integers, values)
        return count
    }

    /// Runs a query for daily sums, and returns the number of days and the total.
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
