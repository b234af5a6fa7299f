import Foundation
import HealthModel

/// Reads what ``ObjectWriter`` wrote.
struct ObjectReader {
    var reader: ByteReader
    let pool: StringPoolReader

    /// `reader` stands before the pool.
    init(_ reader: ByteReader) throws(PageError) {
        self.reader = reader
        pool = try StringPoolReader(&self.reader)
    }

    mutating func metadata() throws(PageError) -> Metadata {
        try MetadataReader.read(&reader, pool: pool)
    }

    mutating func body() throws(PageError) -> ObjectBody {
        switch ObjectBodyKind(rawValue: try reader.byte("body kind")) {
        case .some(.none): return .none
        case .workout: return .workout(try workout())
        case .activitySummary: return .activitySummary(try summary())
        case .archived: return .archived(try element(depth: 1))
        case .document: return .document(try document())
        case nil: throw reader.error(.inconsistent, "body kind")
        }
    }

    mutating func string(_ what: StaticString) throws(PageError) -> String {
        try pool.string(&reader, what)
    }

    mutating func integer(_ what: StaticString) throws(PageError) -> Int {
        Int(try reader.signed(what))
    }

    mutating func quantity(_ what: StaticString) throws(PageError) -> QuantityRecord {
        let value = try reader.number(what)
        return QuantityRecord(value, unit: try string(what))
    }

    mutating func quantities(_ count: Int, _ what: StaticString) throws(PageError) -> [QuantityRecord?] {
        let present = try reader.byte(what)
        var quantities: [QuantityRecord?] = []
        for place in 0..<count {
            quantities.append(present >> UInt8(place) & 1 == 1 ? try quantity(what) : nil)
        }
        guard Int(present) >> count == 0 else { throw reader.error(.inconsistent, what) }
        return quantities
    }

    mutating func list<Element>(
        _ what: StaticString, _ read: (inout ObjectReader) throws(PageError) -> Element
    ) throws(PageError) -> [Element] {
        // Every element takes a byte at least.
        let count = try reader.count(what, atMost: reader.remaining)
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try read(&self)) }
        return elements
    }
}
