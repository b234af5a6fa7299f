import Foundation

/// Reads tables of comma-separated values with a line of names, of the one form that Google writes, without copying fields:
/// there are millions of lines. ``CSVReader`` reads what anyone else writes.
enum CSVTable {
    /// The fields of a line. They are valid while the line is read.
    struct Fields {
        fileprivate var fields: [UnsafeBufferPointer<UInt8>] = []

        /// The bytes of a field; none of one that the line lacks.
        func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
            column < fields.count ? fields[column] : UnsafeBufferPointer(start: nil, count: 0)
        }

        func text(_ column: Int?) -> String {
            column.map { String(decoding: bytes($0), as: UTF8.self) } ?? ""
        }

        func number(_ column: Int?) -> Double? { column.flatMap { DecimalText.value(bytes($0)) } }
    }

    /// Calls `body` with each line but the first, and with what the first one says.
    ///
    /// - Parameter header: Finds the columns by their names, which are in lower case; without a result, nothing is read.
    static func forEachRow<Columns>(
        of bytes: DeviceBytes, _ header: ([String]) throws -> Columns?,
        _ body: (Fields, Columns, _ offset: Int) throws -> Void
    ) throws {
        var fields = Fields()
        var columns: Columns?
        var isFirst = true
        try bytes.forEachLine { offset, line in
            guard !line.isEmpty else { return true }
            split(line, into: &fields)
            if isFirst {
                isFirst = false
                columns = try header(fields.fields.indices.map { fields.text($0).lowercased() })
                return columns != nil
            }
            if let columns { try body(fields, columns, offset) }
            return true
        }
    }

    /// Splits a line at its commas, except those between quotation marks, and removes those around a field.
    private static func split(_ line: UnsafeBufferPointer<UInt8>, into fields: inout Fields) {
        fields.fields.removeAll(keepingCapacity: true)
        var (start, place, isQuoted) = (0, 0, false)
        func add(to end: Int) {
            var field = UnsafeBufferPointer(rebasing: line[start..<end])
            if field.count > 1, field.first == UInt8(ascii: "\""), field.last == UInt8(ascii: "\"") {
                field = UnsafeBufferPointer(rebasing: field[1..<(field.count - 1)])
            }
            fields.fields.append(field)
        }
        while place < line.count {
            switch line[place] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                add(to: place)
                start = place + 1
            default: break
            }
            place += 1
        }
        add(to: line.count)
    }
}
