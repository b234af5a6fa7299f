import HealthModel

/// Reads what ``MetadataWriter`` wrote.
enum MetadataReader {
    static func read(_ reader: inout ByteReader, pool: StringPoolReader) throws(PageError) -> Metadata {
        // An entry takes two bytes at least.
        let count = try reader.count("metadata", atMost: reader.remaining / 2)
        var entries: [Metadata.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let key = try pool.string(&reader, "metadata key")
            let tag = try reader.byte("metadata kind")
            let value = try value(tag & MetadataKind.mask, &reader, pool)
            guard tag & ~MetadataKind.mask & ~MetadataKind.archivedFlag == 0 else {
                throw reader.error(.inconsistent, "metadata kind")
            }
            var text: String?
            if tag & MetadataKind.archivedFlag != 0 { text = try pool.string(&reader, "metadata text") }
            entries.append(Metadata.Entry(key: key, value: value, archivedText: text))
        }
        return Metadata(entries)
    }

    private static func value(
        _ kind: UInt8, _ reader: inout ByteReader, _ pool: StringPoolReader
    ) throws(PageError) -> MetadataValue {
        switch MetadataKind(rawValue: kind) {
        case .string: return .string(try pool.string(&reader, "metadata value"))
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .integer: return .integer(try reader.signed("metadata value"))
        case .double: return .double(try reader.number("metadata value"))
        case .date: return .date(try reader.number("metadata value"))
        case .quantity:
            let number = try reader.number("metadata value")
            return .quantity(number, unit: try pool.string(&reader, "metadata value"))
        case nil: throw reader.error(.inconsistent, "metadata kind")
        }
    }
}
