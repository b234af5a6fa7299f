package import HealthJSON

/// Writes the rows of a statement in a ``RowFormat``. The bytes are passed on in chunks, so that results of any length
/// can be streamed.
///
/// NULL is an empty cell in CSV and null in JSON; SQLite has no NaN and makes it NULL. Infinities are the texts
/// `Infinity` and `-Infinity`. JSON values are embedded as JSON. Bytes are encoded in Base64.
public struct RowWriter {
    private let format: RowFormat
    private let names: [String]
    private let isJSON: [Bool]
    private let omitsNull: Bool
    private let output: ([UInt8]) throws -> Void
    private var text = JSONText(reserving: 80 << 10)
    private var line: [UInt8] = []
    private static let pieceSize = 64 << 10

    /// Creates a writer for the rows of a statement.
    ///
    /// - Parameters:
    ///   - omitsNull: Whether JSON objects omit NULL values.
    ///   - output: Receives chunks of at least 64 KiB, and the rest at the end. The methods of the writer throw its
    ///     errors.
    public init(
        _ statement: SQLStatement, as format: RowFormat, omitsNull: Bool = false,
        to output: @escaping ([UInt8]) throws -> Void
    ) {
        self.format = format
        self.omitsNull = omitsNull
        self.output = output
        names = Self.distinct(statement.columnNames)
        isJSON = statement.columnKinds.map { $0 == SQLColumn.Kind.json.rawValue }
    }

    /// Writes the start of the output.
    public mutating func begin() throws {
        switch format {
        case .csv:
            for (index, name) in names.enumerated() {
                if index > 0 { line.append(UInt8(ascii: ",")) }
                var name = name
                name.withUTF8 { CSVText.append($0, to: &line) }
            }
            endLine()
        case .json: line.append(UInt8(ascii: "["))
        case .ndjson: break
        }
    }

    private var isFirst = true

    /// Writes the current row of the statement.
    public mutating func write(_ statement: SQLStatement) throws {
        switch format {
        case .csv:
            for column in names.indices {
                if column > 0 { line.append(UInt8(ascii: ",")) }
                csv(statement, column)
            }
            endLine()
        case .json:
            line.append(contentsOf: isFirst ? [0x0A] : [UInt8(ascii: ","), 0x0A])
            object(statement)
        case .ndjson:
            object(statement)
            line.append(0x0A)
        }
        isFirst = false
        if line.count >= Self.pieceSize { try flush() }
    }

    /// Writes the end of the output.
    public mutating func end() throws {
        if format == .json { line.append(contentsOf: isFirst ? "]\n".utf8 : "\n]\n".utf8) }
        try flush()
    }

    private mutating func flush() throws {
        guard !line.isEmpty else { return }
        try output(line)
        line.removeAll(keepingCapacity: true)
    }

    private mutating func endLine() {
        line.append(0x0D)
        line.append(0x0A)
    }

    private mutating func csv(_ statement: SQLStatement, _ column: Int) {
        switch statement.kind(column) {
        case .null: break
        case .integer: line.append(contentsOf: String(statement.integer(column)).utf8)
        case .real:
            let number = statement.real(column)
            line.append(contentsOf: (ShortestNumber.shortest(number) ?? ShortestNumber.infinity(number) ?? "").utf8)
        case .text: statement.withText(column) { CSVText.append($0, to: &line) }
        case .blob: line.append(contentsOf: Base64.text(statement.withBytes(column) { Array($0) }).utf8)
        }
    }

    private mutating func object(_ statement: SQLStatement) {
        text.removeAll()
        text.object { json in
            for column in names.indices {
                let kind = statement.kind(column)
                if omitsNull, kind == .null { continue }
                json.key(names[column])
                if kind == .text, isJSON[column] {
                    statement.withText(column) { json.raw($0) }
                } else {
                    json.value(column, of: statement)
                }
            }
        }
        line.append(contentsOf: text.bytes)
    }

    /// Names in a JSON object, and in tables of most libraries, must be unique: repeated ones get a number.
    package static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.map { name in
            var (found, number) = (name, 2)
            while !seen.insert(found).inserted {
                found = "\(name)_\(number)"
                number += 1
            }
            return found
        }
    }
}

extension JSONText {
    /// Writes the value of a column, without a copy.
    package mutating func value(_ column: Int, of statement: SQLStatement) {
        switch statement.kind(column) {
        case .null: null()
        case .integer: integer(statement.integer(column))
        case .real: number(statement.real(column))
        case .text:
            statement.withText(column) { text in
                // SQLite takes any bytes for a text.
                if text.allSatisfy({ $0 < 0x80 }) {
                    string(text)
                } else {
                    string(String(decoding: text, as: UTF8.self))
                }
            }
        case .blob: string(Base64.text(statement.withBytes(column) { Array($0) }))
        }
    }
}

/// The formats of a statement's result.
public enum RowFormat: String, CaseIterable, Sendable {
    /// RFC 4180: a line of column names, then one line per row, separated by CR LF.
    case csv
    /// One JSON array of objects.
    case json
    /// One JSON object per line.
    case ndjson
}

/// Cells of RFC 4180, quoted if necessary.
package enum CSVText {
    package static func append(_ text: UnsafeBufferPointer<UInt8>, to line: inout [UInt8]) {
        // Quotes distinguish an empty text from NULL, and preserve leading and trailing spaces.
        let wantsQuotes =
            text.isEmpty || text.first == 0x20 || text.last == 0x20
            || text.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
        guard wantsQuotes else { return line.append(contentsOf: text) }
        line.append(0x22)
        for byte in text {
            if byte == 0x22 { line.append(0x22) }
            line.append(byte)
        }
        line.append(0x22)
    }
}
