import Foundation
import HealthModel

extension ObjectReader {
    mutating func document() throws(PageError) -> DocumentBody {
        let fields = try record(depth: 1)
        // Alike numbers take no bytes, so it is their number in all that bounds the memory taken.
        var room = ObjectCoder.longestSeries
        let series = try list("series") { object throws(PageError) in
            let name = try object.string("series name")
            let numbers = try object.numbers(atMost: room)
            room -= numbers.count
            return (name, numbers)
        }
        return DocumentBody(fields: fields, series: Dictionary(series, uniquingKeysWith: { first, _ in first }))
    }

    private mutating func numbers(atMost limit: Int) throws(PageError) -> [Double] {
        let count = try reader.count("series length", atMost: limit)
        guard count > 0 else { return [] }
        let target = UnsafeMutablePointer<Double>.allocate(capacity: count)
        let scratch = UnsafeMutablePointer<Int64>.allocate(capacity: count)
        target.initialize(repeating: 0, count: count)
        scratch.initialize(repeating: 0, count: count)
        defer {
            target.deallocate()
            scratch.deallocate()
        }
        try NumberSequenceReader.read(&reader, count: count, into: target, scratch: scratch, "series")
        return Array(UnsafeBufferPointer(start: target, count: count))
    }

    private mutating func record(depth: Int) throws(PageError) -> [String: FieldValue] {
        guard depth <= ObjectCoder.greatestDepth else { throw reader.error(.inconsistent, "field depth") }
        let fields = try list("fields") { object throws(PageError) in
            (try object.string("field name"), try object.field(depth: depth))
        }
        return Dictionary(fields, uniquingKeysWith: { first, _ in first })
    }

    private mutating func field(depth: Int) throws(PageError) -> FieldValue {
        switch FieldKind(rawValue: try reader.byte("field kind")) {
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer: return .integer(try reader.signed("field"))
        case .double: return .double(try reader.number("field"))
        case .date: return .date(try reader.number("field"))
        case .string: return .string(try string("field"))
        case .uuid:
            let bytes = try reader.take(16, "field")
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .data:
            let count = try reader.count("field length", atMost: reader.remaining)
            return .data(Array(try reader.take(count, "field")))
        case .quantity: return .quantity(try quantity("field"))
        case .list:
            // Nesting is bounded, so that damaged bytes cannot exhaust the stack.
            guard depth < ObjectCoder.greatestDepth else { throw reader.error(.inconsistent, "field depth") }
            return .list(try list("field list") { object throws(PageError) in try object.field(depth: depth + 1) })
        case .record: return .record(try record(depth: depth + 1))
        case nil: throw reader.error(.inconsistent, "field kind")
        }
    }
}
