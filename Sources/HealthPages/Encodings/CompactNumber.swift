/// A double in as few bytes as possible: 1 byte for zero, 2 to 5 for most values and whole-second instants, 9 at
/// most.
///
/// The first byte contains the decimal exponent (0–12) in its high half and the number of bytes of the zigzag
/// integer that follows (0–7) in its low half; or it is 0xFF, followed by the eight bytes of the bit pattern.
enum CompactNumber {
    static let rawTag: UInt8 = 0xFF
}

extension ByteWriter {
    mutating func number(_ value: Double) {
        guard let exponent = DecimalScaling.exponent(of: value) else {
            byte(CompactNumber.rawTag)
            fixed64(value.bitPattern)
            return
        }
        let integer = Varint.zigzag(DecimalScaling.scale(value, DecimalScaling.power(exponent)).integer)
        let size = (71 - integer.leadingZeroBitCount) / 8
        byte(UInt8(exponent << 4 | size))
        low(size, of: integer)
    }

    mutating func optionalNumber(_ value: Double?) {
        byte(value == nil ? 0 : 1)
        if let value { number(value) }
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
