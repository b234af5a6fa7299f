/// How a run of integers is best packed as offsets from a base: the plan of the smallest size.
///
/// Offsets of `width` bits are packed. Numbers whose offset is negative or wider are exceptions: each
/// costs its place (about a byte) and its signed offset as a varint.
struct FrameOfReference {
    var base: Int64
    var width: Int
    var exceptions: Int
    /// Estimated size in bytes, base and width included.
    var size: Int

    /// The best plan for `numbers`.
    init(_ numbers: UnsafeBufferPointer<Int64>) {
        var least = numbers.first ?? 0
        var greatest = least
        for number in numbers {
            least = min(least, number)
            greatest = max(greatest, number)
        }
        self.init(numbers, base: least, greatest: greatest, isLeast: true)
        // Two-sided outliers around zero (gaps between samples) want zero as their base.
        if least < 0, greatest >= 0, width > 0 {
            let other = FrameOfReference(numbers, base: 0, greatest: greatest, isLeast: false)
            if other.size < size { self = other }
        }
    }

    private init(_ numbers: UnsafeBufferPointer<Int64>, base: Int64, greatest: Int64, isLeast: Bool) {
        self.base = base
        let count = numbers.count
        let fullBits = 64 - UInt64(bitPattern: greatest &- base).leadingZeroBitCount
        width = BitPacking.width(bits: fullBits)
        exceptions = 0
        let header = 1 + Varint.size(signed: base)
        size = header + BitPacking.size(count: count, width: width)
        // Of two bits or fewer there is nothing to gain.
        if isLeast, fullBits <= 2 { return }

        withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * 65) { histogram in
            histogram.initialize(repeating: 0)
            var outside = 0
            var outsideSize = 0
            if isLeast {
                Self.count(numbers, from: base, isWide: fullBits == 64, into: histogram)
            } else {
                Self.countBySign(numbers, into: histogram)
                // Negative numbers are exceptions in any case, and the plan without any does not hold.
                size = .max
                for bits in 0...64 where histogram[65 + bits] > 0 {
                    outside += histogram[65 + bits]
                    outsideSize += histogram[65 + bits] * (1 + Varint.size(bits: bits + 1))
                    histogram[65 + bits] = 0
                }
            }
            for bits in stride(from: fullBits, through: 0, by: -1) {
                let chosen = BitPacking.width(bits: bits)
                // Two bytes for the number of exceptions.
                let total = header + 2 + outsideSize + BitPacking.size(count: count, width: chosen)
                if total < size, outside > 0, chosen == bits || bits == fullBits {
                    size = total
                    width = chosen
                    exceptions = outside
                }
                let here = histogram[bits] + histogram[65 + bits]
                outside += here
                outsideSize += here * (1 + Varint.size(bits: bits + 1))
            }
        }
    }

    /// Counts offsets from the least number by their number of bits. Neighbours count in different halves
    /// of the table: equal ones would wait for each other.
    @inline(__always)
    private static func count(
        _ numbers: UnsafeBufferPointer<Int64>, from base: Int64, isWide: Bool,
        into histogram: UnsafeMutableBufferPointer<Int>
    ) {
        if isWide {
            for number in numbers {
                histogram[64 &- UInt64(bitPattern: number &- base).leadingZeroBitCount] &+= 1
            }
            return
        }
        var half = 0
        for number in numbers {
            // Twice the offset plus one has a bit more, and is never zero.
            let doubled = UInt64(bitPattern: number &- base) &<< 1 | 1
            histogram[half &+ (63 &- doubled.leadingZeroBitCount)] &+= 1
            half = 65 &- half
        }
    }

    /// Counts numbers by their number of bits, negative ones (less one, in magnitude) in the second half.
    @inline(__always)
    private static func countBySign(
        _ numbers: UnsafeBufferPointer<Int64>, into histogram: UnsafeMutableBufferPointer<Int>
    ) {
        for number in numbers {
            let sign = number &>> 63
            let doubled = UInt64(bitPattern: number ^ sign) &<< 1 | 1
            histogram[(65 & Int(sign)) &+ (63 &- doubled.leadingZeroBitCount)] &+= 1
        }
    }

    /// Whether this number goes to the exceptions.
    @inline(__always)
    func excludes(_ number: Int64) -> Bool {
        let offset = UInt64(bitPattern: number &- base)
        return number < base || (width < 64 && offset >> UInt64(width) != 0)
    }
}
