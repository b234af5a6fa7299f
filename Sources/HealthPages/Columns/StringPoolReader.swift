/// The strings that ``StringPoolWriter`` numbered.
struct StringPoolReader {
    private let strings: [String]

    init(_ reader: inout ByteReader) throws(PageError) {
        // A string takes a byte at least, so a damaged count cannot ask for much memory.
        let count = try reader.count("string pool", atMost: reader.remaining)
        var strings: [String] = []
        strings.reserveCapacity(count)
        for _ in 0..<count { strings.append(try Self.string(&reader)) }
        self.strings = strings
    }

    /// The string with the number that stands next.
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
