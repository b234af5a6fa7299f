import Foundation
import HealthModel

extension ObjectWriter {
    mutating func document(_ document: DocumentBody) {
        record(document.fields, depth: 1)
        precondition(
            document.series.values.reduce(0) { $0 + $1.count } <= ObjectCoder.longestSeries,
            "a document's series hold at most \(ObjectCoder.longestSeries) numbers")
        list(document.series.sorted { $0.key < $1.key }) { writer, series in
            writer.string(series.key)
            writer.bytes.unsigned(series.value.count)
            series.value.withUnsafeBufferPointer { _ = NumberSequenceWriter.write($0, to: &writer.bytes) }
        }
    }

    /// Fields in the order of their names, so that equal documents have equal bytes.
    private mutating func record(_ fields: [String: FieldValue], depth: Int) {
        precondition(depth <= ObjectCoder.greatestDepth, "fields nest at most \(ObjectCoder.greatestDepth) deep")
        list(fields.sorted { $0.key < $1.key }) { writer, field in
            writer.string(field.key)
            writer.field(field.value, depth: depth)
        }
    }

    private mutating func field(_ value: FieldValue, depth: Int) {
        bytes.byte(Self.kind(value).rawValue)
        switch value {
        case .bool: break
        case .integer(let number): bytes.signed(number)
        case .double(let number), .date(let number): bytes.number(number)
        case .string(let text): string(text)
        case .uuid(let identity): withUnsafeBytes(of: identity.uuid) { bytes.raw($0) }
        case .data(let data):
            bytes.unsigned(data.count)
            bytes.raw(data)
        case .quantity(let quantity): self.quantity(quantity)
        case .list(let values):
            precondition(depth < ObjectCoder.greatestDepth, "fields nest at most \(ObjectCoder.greatestDepth) deep")
            list(values) { $0.field($1, depth: depth + 1) }
        case .record(let fields): record(fields, depth: depth + 1)
        }
    }

    private static func kind(_ value: FieldValue) -> FieldKind {
        switch value {
        case .bool(false): .no
        case .bool(true): .yes
        case .integer: .integer
        case .double: .double
        case .string: .string
        case .date: .date
        case .uuid: .uuid
        case .data: .data
        case .quantity: .quantity
        case .list: .list
        case .record: .record
        }
    }
}
