/// Reads little-endian bytes and throws at the end. The counterpart of ``ByteWriter``.
///
/// Only `offset..<end` may be consumed, but `bytes` may continue beyond it, as eight-byte loads of packed integers
/// require.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    private(set) var offset: Int
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    /// Creates a reader of a range, which must be within the bytes.
    init(_ bytes: UnsafeRawBufferPointer, range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { offset == end }
    var remaining: Int { end - offset }

    func error(_ kind: PageError.Kind, _ what: StaticString) -> PageError {
        PageError(kind, what.description, at: offset)
    }

    mutating func byte(_ what: StaticString) throws(PageError) -> UInt8 {
        guard offset < end else { throw error(.truncated, what) }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func fixed32(_ what: StaticString) throws(PageError) -> UInt32 {
        UInt32(littleEndian: try take(4, what).loadUnaligned(as: UInt32.self))
    }

    mutating func fixed64(_ what: StaticString) throws(PageError) -> UInt64 {
        UInt64(littleEndian: try take(8, what).loadUnaligned(as: UInt64.self))
    }

    /// Consumes `count` bytes.
    mutating func take(_ count: Int, _ what: StaticString) throws(PageError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= end - offset else { throw error(.truncated, what) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Throws unless all bytes have been consumed.
    func finish(_ what: StaticString) throws(PageError) {
        guard isAtEnd else { throw error(.inconsistent, what) }
    }
}

extension ByteReader {
    mutating func unsigned(_ what: StaticString) throws(PageError) -> UInt64 {
        let first = try byte(what)
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            let next = try byte(what)
            // The tenth byte contributes only one bit.
            guard shift < 63 || next <= 1 else { throw error(.inconsistent, what) }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    mutating func signed(_ what: StaticString) throws(PageError) -> Int64 {
        Varint.unzigzag(try unsigned(what))
    }

    /// Reads a count of at most `limit`.
    mutating func count(_ what: StaticString, atMost limit: Int) throws(PageError) -> Int {
        let value = try unsigned(what)
        guard value <= UInt64(limit) else { throw error(.inconsistent, what) }
        return Int(value)
    }
}

extension ByteReader {
    /// Passes an array's bytes to `read`. The standard library's method does not preserve the type of the error.
    static func lending<Value>(
        _ bytes: [UInt8], _ read: (UnsafeRawBufferPointer) throws(PageError) -> Value
    ) throws(PageError) -> Value {
        let result = bytes.withUnsafeBytes { raw in
            Result { () throws(PageError) in try read(raw) }
        }
        return try result.get()
    }
}

extension ByteReader {
    mutating func number(_ what: StaticString) throws(PageError) -> Double {
        let tag = try byte(what)
        if tag == CompactNumber.rawTag { return Double(bitPattern: try fixed64(what)) }
        let exponent = Int(tag >> 4)
        let size = Int(tag & 0x0F)
        guard exponent <= DecimalScaling.maximumExponent, size < 8 else { throw error(.inconsistent, what) }
        let field = try take(size, what)
        var integer: UInt64 = 0
        for place in 0..<size { integer |= UInt64(field[place]) << UInt64(8 * place) }
        let value = Double(Varint.unzigzag(integer))
        return exponent == 0 ? value : value / DecimalScaling.power(exponent)
    }

    mutating func optionalNumber(_ what: StaticString) throws(PageError) -> Double? {
        switch try byte(what) {
        case 0: return nil
        case 1: return try number(what)
        default: throw error(.inconsistent, what)
        }
    }
}
