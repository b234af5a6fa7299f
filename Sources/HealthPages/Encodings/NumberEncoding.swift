/// How a run of doubles was written.
enum NumberEncoding: Hashable {
    /// Integers over ten to the power of `exponent`; `exceptions` doubles are listed bit for bit.
    case decimal(exponent: Int, exceptions: Int, IntegerEncoding)
    /// Bit patterns as integers.
    case bits(IntegerEncoding)

    /// First byte of a run of decimals: the exponent, and whether there are exceptions.
    static let exceptionsFlag: UInt8 = 0x10
    /// First byte of a run of bit patterns.
    static let bitsTag: UInt8 = 0x20
}
