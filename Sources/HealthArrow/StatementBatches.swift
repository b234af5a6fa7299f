package import Foundation
package import HealthEngine
import HealthJSON
import HealthModel
package import HealthSQL

/// The result of an SQL statement as a table.
///
/// SQLite's columns have no types, so that those of the table are the types of the values in the first batch. Instants and
/// days, which SQL has as texts, become what they were.
package struct StatementBatches: ArrowSource {
    private let sql: String
    private let engine: HealthEngine
    private let caller: Caller
    private let timeZone: TimeZone
    private let nights: [[SQLValue]]

    /// Creates the table of a statement.
    ///
    /// - Parameter nights: The rows of the table `nights`.
    package init(
        _ sql: String, of engine: HealthEngine, as caller: Caller, timeZone: TimeZone, nights: [[SQLValue]] = []
    ) {
        (self.sql, self.engine, self.caller, self.timeZone) = (sql, engine, caller, timeZone)
        self.nights = nights
    }

    /// Prepares the statement.
    ///
    /// - Throws: `SQLError` if it is invalid.
    package func check() throws {
        try engine.withReader(as: caller) { reading in
            _ = try statement(in: HealthDatabase(reading, timeZone: timeZone, nights: nights))
        }
    }

    private func statement(in database: HealthDatabase) throws -> SQLStatement {
        let statements = try database.statements(sql)
        guard let statement = statements.first, statements.count == 1 else {
            throw SQLError(
                statements.isEmpty ? "The text contains no SQL statement" : "Ask for one statement at a time")
        }
        return statement
    }

    package func read(to output: any ArrowOutput) throws {
        try engine.withReader(as: caller) { reading in
            let statement = try statement(in: HealthDatabase(reading, timeZone: timeZone, nights: nights))
            try Self.read(statement, timeZone: timeZone, to: output)
        }
    }

    /// Reads the first rows of a statement.
    package static func read(
        _ statement: SQLStatement, limit: Int = .max, timeZone: TimeZone, to output: any ArrowOutput
    ) throws {
        // SQLite begins again with a statement that is stepped after its end.
        var (left, hasEnded) = (limit, false)
        try StatementRows(names: statement.columnNames, declared: statement.columnKinds, timeZone: timeZone).read(
            to: output
        ) {
            if left > 0, !hasEnded, try statement.step() {
                left -= 1
                return statement.values
            }
            hasEnded = true
            return nil
        }
    }
}

/// The rows of a result of SQL, as they become a table.
struct StatementRows {
    private static let batchRows = 65_536
    /// The size of a batch of wide rows.
    private static let batchBytes = 8 << 20

    let names: [String]
    /// The types with which tables declare the columns.
    let declared: [String?]
    let timeZone: TimeZone

    /// Passes rows on, until there is none.
    func read(to output: any ArrowOutput, next: () throws -> [SQLValue]?) throws {
        var first: [[SQLValue]] = []
        var bytes = 0
        while first.count < Self.batchRows, bytes < Self.batchBytes, let row = try next() {
            bytes += Self.bytes(of: row)
            first.append(row)
        }
        let columns = RowWriter.distinct(names).enumerated().map { index, name in
            Column(name, StatementColumnKind(first.lazy.map { $0[index] }, declared: declared[index]), timeZone)
        }
        try output.begin(columns.map(\.field))
        guard !first.isEmpty else { return }
        var batch = columns.map { ArrowColumn($0.field.type) }
        for row in first { try append(row, columns, to: batch) }
        var count = first.count
        first = []
        while let row = try next() {
            if count >= Self.batchRows || bytes >= Self.batchBytes || !batch.allSatisfy({ $0.hasRoom(for: 1) }) {
                try output.write(ArrowBatch(batch, count: count))
                (batch, count, bytes) = (columns.map { ArrowColumn($0.field.type) }, 0, 0)
            }
            bytes += Self.bytes(of: row)
            try append(row, columns, to: batch)
            count += 1
        }
        try output.write(ArrowBatch(batch, count: count))
    }

    /// The size of a row in memory.
    private static func bytes(of row: [SQLValue]) -> Int {
        row.reduce(MemoryLayout<[SQLValue]>.stride) { sum, value in
            let own =
                switch value {
                case .text(let text): text.utf8.count
                case .blob(let bytes): bytes.count
                case .null, .integer, .real: 0
                }
            return sum + own + MemoryLayout<SQLValue>.stride
        }
    }

    private func append(_ row: [SQLValue], _ columns: [Column], to batch: [ArrowColumn]) throws {
        for (index, column) in columns.enumerated() where !column.append(row[index], to: batch[index]) {
            throw SQLError(
                "The column “\(column.field.name)” has values of another type than in the first rows. Use CAST")
        }
    }

    /// A column of the result.
    private struct Column {
        let field: ArrowField
        private let kind: StatementColumnKind
        private let instants: LocalClock

        init(_ name: String, _ kind: StatementColumnKind, _ timeZone: TimeZone) {
            self.kind = kind
            let type: ArrowType =
                switch kind {
                case .integer: .int64
                case .real: .float64
                case .text: .text
                case .instant: .timestamp(in: timeZone)
                case .day: .date
                case .bytes: .bytes
                }
            field = ArrowField(name, type)
            instants = LocalClock(timeZone: timeZone)
        }

        /// Appends a value, and returns whether the column can contain it.
        func append(_ value: SQLValue, to column: ArrowColumn) -> Bool {
            switch (kind, value) {
            case (_, .null): column.appendNull()
            case (.integer, .integer(let number)): column.append(number)
            case (.real, .integer(let number)): column.append(Double(number))
            case (.real, .real(let number)): column.append(number)
            case (.text, .text(let text)): column.append(text)
            case (.text, .integer(let number)): column.append("\(number)")
            case (.text, .real(let number)): column.append("\(number)")
            case (.instant, .text(let text)):
                guard let instant = instants.instant(of: text) else { return false }
                column.append(instant: instant)
            case (.day, .text(let text)):
                guard let day = ArrowDay.number(of: text) else { return false }
                column.append(day: day)
            case (.bytes, .blob(let bytes)): column.append(bytes)
            default: return false
            }
            return true
        }
    }
}

/// The kind of the values in a column of a result.
private enum StatementColumnKind {
    case integer, real, text, instant, day, bytes

    /// - Parameter declared: The type with which a table declares the column; `nil` for an expression.
    init(_ values: some Sequence<SQLValue>, declared: String?) {
        var (hasIntegers, hasReals, hasTexts, hasBytes) = (false, false, false, false)
        var (areInstants, areDays) = (true, true)
        for value in values {
            switch value {
            case .null: break
            case .integer: hasIntegers = true
            case .real: hasReals = true
            case .blob: hasBytes = true
            case .text(let text):
                hasTexts = true
                areInstants = areInstants && Self.isInstant(text)
                areDays = areDays && ArrowDay.number(of: text) != nil
            }
        }
        if hasTexts {
            let isOnlyText = !hasIntegers && !hasReals && !hasBytes
            self = isOnlyText && areInstants ? .instant : isOnlyText && areDays ? .day : .text
        } else if hasBytes {
            self = .bytes
        } else if hasReals || declared == "REAL" {
            self = .real
        } else if hasIntegers {
            self = .integer
        } else {
            // Without a value, what the table says.
            self =
                switch declared {
                case "INTEGER": .integer
                case "TEXT TIMESTAMP": .instant
                case "TEXT DATE": .day
                default: .text
                }
        }
    }

    /// Whether a text looks like `2024-01-31T08:00:00+01:00`.
    private static func isInstant(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(11))
        return text.utf8.count >= 20 && bytes[4] == UInt8(ascii: "-") && bytes[10] == UInt8(ascii: "T")
            && LocalClock(timeZone: .gmt).instant(of: text) != nil
    }
}
