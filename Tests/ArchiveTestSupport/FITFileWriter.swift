/// Writes FIT files from the format's description, independently of the reader.
package struct FITFileWriter {
    /// A field of a definition: its number, the byte of its type and the size of an element.
    package struct Field {
        var number: UInt8
        var type: UInt8
        var size: Int
        var count = 1

        package init(number: UInt8, type: UInt8, size: Int, count: Int = 1) {
            (self.number, self.type, self.size, self.count) = (number, type, size, count)
        }

        package static func enumeration(_ number: UInt8) -> Field { Field(number: number, type: 0, size: 1) }
        package static func uint8(_ number: UInt8) -> Field { Field(number: number, type: 2, size: 1) }
        package static func uint16(_ number: UInt8) -> Field { Field(number: number, type: 0x84, size: 2) }
        package static func sint32(_ number: UInt8) -> Field { Field(number: number, type: 0x85, size: 4) }
        package static func uint32(_ number: UInt8) -> Field { Field(number: number, type: 0x86, size: 4) }
        package static func text(_ number: UInt8, _ count: Int) -> Field {
            Field(number: number, type: 7, size: 1, count: count)
        }
        package static func bytes(_ number: UInt8, _ count: Int) -> Field {
            Field(number: number, type: 13, size: 1, count: count)
        }
    }

    private var body: [UInt8] = []
    private var definitions: [UInt8: (fields: [Field], isBigEndian: Bool)] = [:]

    /// - Parameter developer: Fields that an application with index 0 has described.
    package mutating func define(
        _ local: UInt8, _ message: UInt16, _ fields: [Field], developer: [Field] = [], isBigEndian: Bool = false
    ) {
        definitions[local] = (fields + developer, isBigEndian)
        body += [(developer.isEmpty ? 0x40 : 0x60) | local, 0, isBigEndian ? 1 : 0]
        append(Int64(message), 2, isBigEndian)
        body.append(UInt8(fields.count))
        for field in fields { body += [field.number, UInt8(field.size * field.count), field.type] }
        guard !developer.isEmpty else { return }
        body.append(UInt8(developer.count))
        for field in developer { body += [field.number, UInt8(field.size * field.count), 0] }
    }

    /// Describes a developer’s field of 16 bits that represents one of a record.
    package mutating func describe(_ number: Int64, _ name: String, _ units: String, native: Int64) {
        func bytes(_ text: String, _ count: Int) -> [Int64] {
            Array((text.utf8.map(Int64.init) + Array(repeating: 0, count: count)).prefix(count))
        }
        define(
            15, 206,
            [
                .uint8(0), .uint8(1), .uint8(2), .text(3, 24), .text(8, 16), .uint16(14), .uint8(15),
            ])
        add(15, [0, number, 0x84] + bytes(name, 24) + bytes(units, 16) + [20, native])
    }

    /// Appends a message with a value for each element.
    ///
    /// - Parameter timeOffset: The five bits of a compressed header.
    package mutating func add(_ local: UInt8, _ values: [Int64], timeOffset: UInt8? = nil) {
        body.append(timeOffset.map { 0x80 | local << 5 | $0 } ?? local)
        let (fields, isBigEndian) = definitions[local]!
        let sizes = fields.flatMap { Array(repeating: $0.size, count: $0.count) }
        for (size, value) in zip(sizes, values) { append(value, size, isBigEndian) }
    }

    package mutating func append(_ bytes: [UInt8]) { body += bytes }

    private mutating func append(_ value: Int64, _ size: Int, _ isBigEndian: Bool) {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> Int64(8 * $0)) }
        body += isBigEndian ? bytes.reversed() : bytes
    }

    /// The file with its header and checksums.
    ///
    /// - Parameter headerChecksum: A checksum of the header other than the right one.
    package func file(hasShortHeader: Bool = false, headerChecksum: [UInt8]? = nil) -> [UInt8] {
        let size = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
        var header: [UInt8] = [hasShortHeader ? 12 : 14, 0x20, 0, 0] + size + Array(".FIT".utf8)
        if !hasShortHeader { header += headerChecksum ?? Self.checksum(header) }
        return header + body + Self.checksum(header + body)
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var value: UInt16 = 0
        for byte in bytes {
            value ^= UInt16(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
        }
        return [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
    }
}

extension FITFileWriter {
    /// The beginning of every file written here, in seconds since 1989-12-31.
    package static let start: Int64 = 1_000_000_000

    /// A writer that has written what a file is and what wrote it; `nil` for a file without an identity.
    package init(type: Int64?) {
        guard let type else { return }
        define(0, 0, [.enumeration(0), .uint16(1), .uint16(2), .uint32(3), .uint32(4)])
        add(0, [type, 1, 3992, 12_345, Self.start])
    }

    /// A run of 100 seconds with a pause of ten, two laps, and a place each second.
    package static var run: FITFileWriter {
        var writer = FITFileWriter(type: 4)
        writer.define(2, 21, [.uint32(253), .enumeration(0), .enumeration(1)])
        writer.add(2, [start, 0, 0])
        writer.define(
            1, 20, [.uint32(253), .sint32(0), .sint32(1), .uint16(2), .uint16(6), .uint8(3), .uint32(5)],
            isBigEndian: true)
        for second in 0..<100 as Range<Int64> {
            if second == 50 {
                writer.add(2, [start + 50, 0, 4])
                writer.add(2, [start + 60, 0, 0])
            }
            writer.add(
                1,
                [
                    start + second + (second >= 50 ? 10 : 0), 573_845_000 + second * 100, 137_200_000 + second * 100,
                    (500 + second + 500) * 5, 3_000 + second, second == 7 ? 255 : 120 + second % 40, second * 300,
                ])
        }
        writer.define(
            3, 19, [.uint32(253), .uint32(2), .uint32(7), .uint32(8), .uint32(9), .uint16(11)])
        writer.add(3, [start + 60, start, 60_000, 50_000, 15_000, 10])
        writer.add(3, [start + 109, start + 60, 49_000, 49_000, 14_700, 11])
        writer.define(
            6, 18,
            [
                .uint32(253), .uint32(2), .uint32(7), .uint32(8), .uint32(9), .enumeration(5), .enumeration(6),
                .uint16(11), .uint8(16), .uint8(17), .uint16(22),
            ])
        writer.add(6, [start + 109, start, 109_000, 99_000, 29_700, 1, 0, 21, 138, 159, 42])
        return writer
    }
}
