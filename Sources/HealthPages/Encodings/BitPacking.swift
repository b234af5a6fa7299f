/// Integers of equal width, one behind the other, lowest bits first.
///
/// Value `i` of width `w` occupies the bits `i·w ..< (i+1)·w` of the run, bit 0 being the lowest bit of
/// the first byte. Widths are 0 to 56, or 64: an eight-byte load that begins at any bit of a byte holds
/// 57 bits at least, so one load, one shift and one mask give a value, without a branch.
enum BitPacking {
    /// How many bytes behind a run a reader may touch.
    static let slack = 8

    /// The width in use for numbers of so many bits.
    @inline(__always)
    static func width(bits: Int) -> Int {
        bits > 56 ? 64 : bits
    }

    /// The width in use for numbers up to this one.
    @inline(__always)
    static func width(upTo greatest: UInt64) -> Int {
        width(bits: 64 - greatest.leadingZeroBitCount)
    }

    @inline(__always)
    static func size(count: Int, width: Int) -> Int {
        (count * width + 7) >> 3
    }

    /// Whether a run may have this width.
    @inline(__always)
    static func isValid(width: Int) -> Bool {
        width >= 0 && (width <= 56 || width == 64)
    }
}
