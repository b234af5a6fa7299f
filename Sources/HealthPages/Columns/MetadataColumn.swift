import HealthModel

/// Writes a page's metadata column: a table of distinct metadata, and each row's index in it. The counterpart of
/// ``MetadataColumnReader``.
struct MetadataColumnWriter {
    private(set) var isEmpty = true
    private(set) var hasUserEntered = false
    private var pool = StringPoolWriter()
    private var entries: [UInt8] = []
    private var entryCount = 0
    private var places: [Int64] = []

    init(_ columns: SampleColumns, rows: Range<Int>) throws(PageError) {
        guard !columns.metadata.isEmpty else { return }
        // Only the part of the table that these rows use: the table of an import is far longer than a page, and its
        // pages use it in order.
        var minimum = Int.max
        var maximum = 0
        for row in rows {
            let number = Int(columns.metadata.numbers[row])
            guard number > 0 else { continue }
            minimum = min(minimum, number)
            maximum = max(maximum, number)
        }
        guard maximum <= columns.metadata.table.count else {
            throw PageError(.inconsistent, "metadata column", at: rows.lowerBound)
        }
        guard maximum > 0 else { return }
        // -1 for a table entry that has not occurred yet.
        var known = Array(repeating: Int64(-1), count: maximum - minimum + 1)
        var byContent: [[UInt8]: Int64] = [:]
        places.reserveCapacity(rows.count)
        for row in rows {
            let number = Int(columns.metadata.numbers[row])
            guard number > 0 else {
                places.append(0)
                continue
            }
            if known[number - minimum] < 0 {
                known[number - minimum] = add(columns.metadata.table[number - 1], &byContent)
            }
            places.append(known[number - minimum])
        }
        isEmpty = entryCount == 0
    }

    /// Returns the index of metadata, compared by bytes: strings and numbers that compare equal may differ.
    private mutating func add(_ metadata: Metadata, _ byContent: inout [[UInt8]: Int64]) -> Int64 {
        if metadata.isEmpty { return 0 }
        var bytes = ByteWriter()
        MetadataWriter.write(metadata, to: &bytes, pool: &pool)
        let content = bytes.bytes
        if let place = byContent[content] { return place }
        entryCount += 1
        byContent[content] = Int64(entryCount)
        entries += content
        if metadata.wasUserEntered { hasUserEntered = true }
        return Int64(entryCount)
    }

    func write(to writer: inout ByteWriter) {
        guard !isEmpty else { return }
        pool.write(to: &writer)
        writer.unsigned(entryCount)
        writer.raw(entries)
        places.withUnsafeBufferPointer { _ = IntegerSequenceWriter.write($0, to: &writer) }
    }
}

/// Reads the column written by ``MetadataColumnWriter``.
enum MetadataColumnReader {
    /// Appends the page's table and `count` indices into it.
    static func append(
        _ reader: inout ByteReader, count: Int, scratch: UnsafeMutablePointer<Int64>, to columns: inout SampleColumns
    ) throws(PageError) {
        let pool = try StringPoolReader(&reader)
        let entries = try reader.count("metadata table", atMost: min(count, reader.remaining))
        var table: [Metadata] = []
        table.reserveCapacity(entries)
        for _ in 0..<entries { table.append(try MetadataReader.read(&reader, pool: pool)) }
        try IntegerSequenceReader.read(&reader, count: count, into: scratch, "metadata column")
        try reader.finish("metadata column")
        for row in 0..<count where scratch[row] < 0 || scratch[row] > Int64(entries) {
            throw reader.error(.inconsistent, "metadata column")
        }
        let shift = Int64(columns.metadata.table.count)
        columns.metadata.table += table
        // Reserving exactly what each page needs would copy the whole column for each page.
        if columns.metadata.isEmpty { columns.metadata.numbers.reserveCapacity(count) }
        for row in 0..<count {
            columns.metadata.numbers.append(UInt32(scratch[row] == 0 ? 0 : scratch[row] + shift))
        }
    }
}

/// Writes metadata whose strings are numbers in a pool. The counterpart of ``MetadataReader``.
enum MetadataWriter {
    static func write(_ metadata: Metadata, to writer: inout ByteWriter, pool: inout StringPoolWriter) {
        writer.unsigned(metadata.entries.count)
        for entry in metadata.entries {
            writer.unsigned(pool.number(entry.key))
            writer.byte(kind(entry.value).rawValue | (entry.archivedText == nil ? 0 : MetadataTag.archivedFlag))
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

    private static func kind(_ value: MetadataValue) -> MetadataTag {
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

/// Reads the metadata written by ``MetadataWriter``.
enum MetadataReader {
    static func read(_ reader: inout ByteReader, pool: StringPoolReader) throws(PageError) -> Metadata {
        // An entry has at least two bytes.
        let count = try reader.count("metadata", atMost: reader.remaining / 2)
        var entries: [Metadata.Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let key = try pool.string(&reader, "metadata key")
            let tag = try reader.byte("metadata kind")
            let value = try value(tag & MetadataTag.mask, &reader, pool)
            guard tag & ~MetadataTag.mask & ~MetadataTag.archivedFlag == 0 else {
                throw reader.error(.inconsistent, "metadata kind")
            }
            var text: String?
            if tag & MetadataTag.archivedFlag != 0 { text = try pool.string(&reader, "metadata text") }
            entries.append(Metadata.Entry(key: key, value: value, archivedText: text))
        }
        return Metadata(entries)
    }

    private static func value(
        _ kind: UInt8, _ reader: inout ByteReader, _ pool: StringPoolReader
    ) throws(PageError) -> MetadataValue {
        switch MetadataTag(rawValue: kind) {
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

/// The kind of a metadata value: the low bits of the byte between a key and its value.
enum MetadataTag: UInt8 {
    case string = 0
    case no = 1
    case yes = 2
    case integer = 3
    case double = 4
    case date = 5
    case quantity = 6

    static let mask: UInt8 = 0x0F
    /// The bit that indicates that the text from the archive follows the value.
    static let archivedFlag: UInt8 = 0x10
}

/// Numbers distinct strings, compared by their bytes. The counterpart of ``StringPoolReader``.
struct StringPoolWriter {
    /// The tag of an uppercase UUID, in place of twice the length; the UUID's 16 bytes follow.
    static let uppercaseUUID = 1
    static let lowercaseUUID = 3

    /// Keyed by bytes, because canonically equivalent strings must remain distinct.
    private var numbers: [[UInt8]: Int] = [:]
    private var strings: [[UInt8]] = []

    mutating func number(_ string: String) -> Int {
        let bytes = Array(string.utf8)
        if let number = numbers[bytes] { return number }
        numbers[bytes] = strings.count
        strings.append(bytes)
        return strings.count - 1
    }

    func write(to writer: inout ByteWriter) {
        writer.unsigned(strings.count)
        for string in strings {
            if let uuid = UUIDText.parse(string) {
                writer.unsigned(uuid.lowercase ? Self.lowercaseUUID : Self.uppercaseUUID)
                writer.raw(uuid.bytes)
            } else {
                writer.unsigned(string.count * 2)
                writer.raw(string)
            }
        }
    }
}

/// Reads the pool written by ``StringPoolWriter``.
struct StringPoolReader {
    private let strings: [String]

    init(_ reader: inout ByteReader) throws(PageError) {
        // A string has at least one byte, so a damaged count cannot cause a large allocation.
        let count = try reader.count("string pool", atMost: reader.remaining)
        var strings: [String] = []
        strings.reserveCapacity(count)
        for _ in 0..<count { strings.append(try Self.string(&reader)) }
        self.strings = strings
    }

    /// Reads a string number and returns the string.
    func string(_ reader: inout ByteReader, _ what: StaticString) throws(PageError) -> String {
        let number = try reader.unsigned(what)
        guard number < UInt64(strings.count) else { throw reader.error(.inconsistent, what) }
        return strings[Int(number)]
    }

    private static func string(_ reader: inout ByteReader) throws(PageError) -> String {
        let tag = try reader.unsigned("string length")
        if tag & 1 == 0 {
            guard tag / 2 <= UInt64(reader.remaining) else { throw reader.error(.truncated, "string") }
            guard let text = String(validating: try reader.take(Int(tag / 2), "string"), as: UTF8.self) else {
                throw reader.error(.inconsistent, "string")
            }
            return text
        }
        guard tag == UInt64(StringPoolWriter.uppercaseUUID) || tag == UInt64(StringPoolWriter.lowercaseUUID) else {
            throw reader.error(.inconsistent, "string length")
        }
        return UUIDText.print(
            try reader.take(16, "string"), lowercase: tag == UInt64(StringPoolWriter.lowercaseUUID))
    }
}

/// Strings that are a UUID in the usual form of 36 characters, stored in 16 bytes.
enum UUIDText {
    /// Whether there is a hyphen at a byte offset.
    private static func isHyphen(_ place: Int) -> Bool {
        place == 8 || place == 13 || place == 18 || place == 23
    }

    /// The 16 bytes, and whether the letters are lowercase. Returns `nil` for other texts, including UUIDs in mixed
    /// case.
    static func parse(_ text: [UInt8]) -> (bytes: [UInt8], lowercase: Bool)? {
        guard text.count == 36 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        var upper = false
        var lower = false
        for place in text.indices {
            let character = text[place]
            if isHyphen(place) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "A")...UInt8(ascii: "F"):
                digit = character - UInt8(ascii: "A") + 10
                upper = true
            case UInt8(ascii: "a")...UInt8(ascii: "f"):
                digit = character - UInt8(ascii: "a") + 10
                lower = true
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return upper && lower ? nil : (bytes, lower)
    }

    /// The text of a UUID's 16 bytes.
    static func print(_ bytes: UnsafeRawBufferPointer, lowercase: Bool) -> String {
        let letter = (lowercase ? UInt8(ascii: "a") : UInt8(ascii: "A")) - 10
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for byte in bytes {
            if isHyphen(text.count) { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 0x0F] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : letter + digit)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
