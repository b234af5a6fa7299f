import HealthModel

/// Writes metadata, its strings by their number in a pool. Twin of ``MetadataReader``.
enum MetadataWriter {
    static func write(_ metadata: Metadata, to writer: inout ByteWriter, pool: inout StringPoolWriter) {
        writer.unsigned(metadata.entries.count)
        for entry in metadata.entries {
            writer.unsigned(pool.number(entry.key))
            writer.byte(kind(entry.value).rawValue | (entry.archivedText == nil ? 0 : MetadataKind.archivedFlag))
            switch entry.value {
            case .string(let text): writer.unsigned(pool.number(text))
            case .bool: break
            case .integer(let number): writer.signed(number)
            case .double(let number), .date(let number): writer.number(number)
            case .quantity(let number, let unit):
                writer.number(number)
                writer.unsigned(pool.number(unit))
            }
            if let text = entry.archivedText { writer.unsigned(pool.number(text)) }
        }
    }

    private static func kind(_ value: MetadataValue) -> MetadataKind {
        switch value {
        case .string: .string
        case .bool(false): .no
        case .bool(true): .yes
        case .integer: .integer
        case .double: .double
        case .date: .date
        case .quantity: .quantity
        }
    }
}
