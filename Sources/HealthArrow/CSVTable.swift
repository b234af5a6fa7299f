package import Foundation
import HealthJSON
import HealthModel
import HealthSQL

/// Writes a table as CSV (RFC 4180): a line of the columns' names, then one line per row.
///
/// A column in one unit has that in its name, such as `value (count/min)`. Instants have the offset of a time zone, bytes are
/// encoded in Base64, and lists and structures are JSON. A missing value is an empty cell.
package final class CSVTable: ArrowOutput {
    package static let mediaType = "text/csv"

    private static let pieceSize = 64 << 10

    private let instants: InstantWriter
    private let send: (UnsafeRawBufferPointer) throws -> Void
    private var fields: [ArrowField] = []
    private var lines: [UInt8] = []

    /// Writes a table to its end.
    ///
    /// - Parameters:
    ///   - timeZone: The time zone of instants.
    ///   - send: Takes the parts of the text.
    ///   - read: Reads the table.
    package static func write(
        in timeZone: TimeZone, to send: @escaping (UnsafeRawBufferPointer) throws -> Void,
        _ read: (any ArrowOutput) throws -> Void
    ) throws {
        let table = CSVTable(timeZone, send)
        try read(table)
        try table.flush()
    }

    private init(_ timeZone: TimeZone, _ send: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        (instants, self.send) = (InstantWriter(timeZone: timeZone), send)
    }

    package func begin(_ fields: [ArrowField]) throws {
        self.fields = fields
        try writeLine(fields.map { field in field.unit.map { "\(field.name) (\($0))" } ?? field.name })
    }

    package func write(_ batch: ArrowBatch) throws {
        for row in 0..<batch.data.count {
            try writeLine(zip(fields, batch.data.children).map { text($0.type, $1, row) })
        }
    }

    private func writeLine(_ cells: [String?]) throws {
        for (index, cell) in cells.enumerated() {
            if index > 0 { lines.append(UInt8(ascii: ",")) }
            guard var cell else { continue }
            cell.withUTF8 { CSVText.append($0, to: &lines) }
        }
        lines += [0x0D, 0x0A]
        if lines.count >= Self.pieceSize { try flush() }
    }

    private func flush() throws {
        try lines.withUnsafeBytes(send)
        lines.removeAll(keepingCapacity: true)
    }

    // MARK: Values

    /// The text of a value; `nil` if it is missing.
    private func text(_ type: ArrowType, _ data: ArrowData, _ row: Int) -> String? {
        if data.isNull(row) { return nil }
        switch type {
        case .float64:
            let number: Double = data.value(row)
            return ShortestNumber.shortest(number) ?? ShortestNumber.infinity(number)
        case .int64: return String(data.value(row) as Int64)
        case .bool: return data.bit(row) ? "true" : "false"
        case .text: return String(decoding: data.bytes(row), as: UTF8.self)
        case .bytes: return Base64.text(Array(data.bytes(row)))
        case .date: return ArrowDay.text(of: Int(data.value(row) as Int32))
        case .uuid: return UUID(uuid: data.value(row)).uuidString
        case .timestamp: return instants.text(ArrowInstant.seconds(data.value(row)))
        case .dictionary: return data.dictionary.flatMap { text(.text, $0, Int(data.value(row) as UInt16)) }
        case .map where data.range(row).isEmpty: return nil
        case .list, .structure, .map:
            var json = JSONText()
            write(type, data, row, to: &json)
            return json.text
        }
    }

    /// Writes a value as JSON.
    private func write(_ type: ArrowType, _ data: ArrowData, _ row: Int, to json: inout JSONText) {
        if data.isNull(row) { return json.null() }
        switch type {
        case .list(let element):
            json.array { json in
                for index in data.range(row) { write(element.type, data.children[0], index, to: &json) }
            }
        case .structure(let fields):
            json.object { json in
                for (field, child) in zip(fields, data.children) where !child.isNull(row) {
                    json.key(field.name)
                    write(field.type, child, row, to: &json)
                }
            }
        case .map:
            let entries = data.children[0].children
            json.object { json in
                for index in data.range(row) {
                    json.key(text(.text, entries[0], index) ?? "")
                    write(.text, entries[1], index, to: &json)
                }
            }
        case .float64: json.number(data.value(row))
        case .int64, .bool: json.raw(text(type, data, row) ?? "")
        default: json.string(text(type, data, row) ?? "")
        }
    }
}

extension ArrowData {
    fileprivate func isNull(_ row: Int) -> Bool { buffers[0].map { !Self.bit(row, of: $0) } ?? false }

    /// A value of a column whose values have one size.
    fileprivate func value<Value: BitwiseCopyable>(_ row: Int) -> Value {
        guard let values = buffers[1] else { preconditionFailure("A column has values.") }
        return values.start.loadUnaligned(fromByteOffset: row * MemoryLayout<Value>.stride, as: Value.self)
    }

    fileprivate func bit(_ row: Int) -> Bool { buffers[1].map { Self.bit(row, of: $0) } ?? false }

    private static func bit(_ row: Int, of bits: ArrowBuffer) -> Bool {
        bits.start.load(fromByteOffset: row >> 3, as: UInt8.self) >> UInt8(row & 7) & 1 == 1
    }

    /// The places of a list's elements or a text's bytes.
    fileprivate func range(_ row: Int) -> Range<Int> {
        Int(value(row) as Int32)..<Int(value(row + 1) as Int32)
    }

    fileprivate func bytes(_ row: Int) -> UnsafeRawBufferPointer {
        let range = range(row)
        return UnsafeRawBufferPointer(start: buffers[2].map { $0.start + range.lowerBound }, count: range.count)
    }
}
