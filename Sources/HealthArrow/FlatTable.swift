/// A table of FlatBuffers, in which the messages of Arrow's IPC format describe what follows them.
///
/// A field has the number that it has in the format's schema files. Offsets point forward: a table is written before what
/// it refers to.
struct FlatTable {
    enum Value {
        case bool(Bool)
        case byte(UInt8)
        case short(Int16)
        case int(Int32)
        case long(Int64)
        case text(String)
        case table(FlatTable)
        case tables([FlatTable])
        /// Structures of two numbers.
        case pairs([(Int64, Int64)])
    }

    private let fields: [(number: Int, value: Value)]

    /// Creates a table from its fields, in the order of their numbers.
    init(_ fields: (number: Int, value: Value)...) { self.fields = fields }

    /// The table as the root of a buffer, whose size is a multiple of eight.
    var bytes: [UInt8] {
        var buffer = FlatBuffer()
        buffer.append(UInt32(0))
        buffer.set(0, to: write(to: &buffer))
        buffer.align(to: 8)
        return buffer.bytes
    }

    /// Writes the table, and what it refers to, and returns its place.
    fileprivate func write(to buffer: inout FlatBuffer) -> Int {
        // The distance of each field from the table's beginning, where the distance to the list of distances is.
        var size = 4
        let places = fields.map { field in
            let width = field.value.width
            size = (size + width - 1) / width * width
            defer { size += width }
            return size
        }
        let numbers = (fields.last?.number ?? -1) + 1
        let distances = 4 + 2 * numbers
        while (buffer.bytes.count + distances) % 8 != 0 { buffer.append(UInt8(0)) }
        buffer.append(UInt16(distances))
        buffer.append(UInt16(size))
        for number in 0..<numbers {
            buffer.append(UInt16(fields.firstIndex { $0.number == number }.map { places[$0] } ?? 0))
        }
        let start = buffer.bytes.count
        buffer.append(Int32(distances))
        for (field, place) in zip(fields, places) {
            while buffer.bytes.count < start + place { buffer.append(UInt8(0)) }
            field.value.writeInline(to: &buffer)
        }
        for (field, place) in zip(fields, places) where field.value.isReference {
            buffer.set(start + place, to: field.value.write(to: &buffer))
        }
        return start
    }

    /// Writes tables behind their places, and returns the place of the list.
    fileprivate static func write(_ tables: [FlatTable], to buffer: inout FlatBuffer) -> Int {
        buffer.align(to: 4)
        let start = buffer.bytes.count
        buffer.append(UInt32(tables.count))
        for _ in tables { buffer.append(UInt32(0)) }
        for (index, table) in tables.enumerated() {
            buffer.set(start + 4 + 4 * index, to: table.write(to: &buffer))
        }
        return start
    }
}

extension FlatTable.Value {
    fileprivate var isReference: Bool {
        switch self {
        case .text, .table, .tables, .pairs: true
        default: false
        }
    }

    /// The size in the table.
    fileprivate var width: Int {
        switch self {
        case .bool, .byte: 1
        case .short: 2
        case .long: 8
        default: 4
        }
    }

    /// Writes the number; of what is elsewhere, the room for its distance.
    fileprivate func writeInline(to buffer: inout FlatBuffer) {
        switch self {
        case .bool(let flag): buffer.append(UInt8(flag ? 1 : 0))
        case .byte(let number): buffer.append(number)
        case .short(let number): buffer.append(number)
        case .int(let number): buffer.append(number)
        case .long(let number): buffer.append(number)
        default: buffer.append(UInt32(0))
        }
    }

    /// Writes what is elsewhere, and returns its place.
    fileprivate func write(to buffer: inout FlatBuffer) -> Int {
        switch self {
        case .table(let table): return table.write(to: &buffer)
        case .tables(let tables): return FlatTable.write(tables, to: &buffer)
        case .text(let text):
            buffer.align(to: 4)
            let start = buffer.bytes.count
            buffer.append(UInt32(text.utf8.count))
            buffer.bytes += Array(text.utf8) + [0]
            return start
        case .pairs(let pairs):
            // The count stands before the numbers, which are aligned.
            buffer.align(to: 4)
            if buffer.bytes.count % 8 == 0 { buffer.append(UInt32(0)) }
            let start = buffer.bytes.count
            buffer.append(UInt32(pairs.count))
            for (first, second) in pairs {
                buffer.append(first)
                buffer.append(second)
            }
            return start
        default: preconditionFailure("A number is in its table.")
        }
    }
}

/// The bytes of a table while it is written.
private struct FlatBuffer {
    var bytes: [UInt8] = []

    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func align(to size: Int) {
        while bytes.count % size != 0 { bytes.append(0) }
    }

    /// Sets a distance, from its own place on.
    mutating func set(_ place: Int, to target: Int) {
        withUnsafeBytes(of: UInt32(target - place).littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
    }
}
