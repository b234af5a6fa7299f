/// Integers of equal width, packed without gaps, lowest bits first.
///
/// Value `i` of width `w` occupies the bits `i·w ..< (i+1)·w` of the run, where bit 0 is the lowest bit of the
/// first byte. Widths are 0 to 56, or 64: an eight-byte load that begins at any bit of a byte contains at least
/// 57 bits, so one load, one shift and one mask extract a value without a branch.
enum BitPacking {
    /// The number of bytes after a run that a reader may access.
    static let slack = 8

    /// The allowed width for numbers with a number of bits.
    @inline(__always)
    static func width(bits: Int) -> Int {
        bits > 56 ? 64 : bits
    }

    /// The allowed width for numbers up to a maximum.
    @inline(__always)
    static func width(upTo maximum: UInt64) -> Int {
        width(bits: 64 - maximum.leadingZeroBitCount)
    }

    @inline(__always)
    static func size(count: Int, width: Int) -> Int {
        (count * width + 7) >> 3
    }

    /// Returns whether a run may have a width.
    @inline(__always)
    static func isValid(width: Int) -> Bool {
        width >= 0 && (width <= 56 || width == 64)
    }
}

extension BitPacking {
    /// Unpacks `count` numbers of a valid nonzero width and adds `base` to each, wrapping on overflow.
    ///
    /// Accesses up to ``slack`` bytes after the run.
    static func unpack(
        _ source: UnsafeRawPointer, count: Int, width: Int, adding base: Int64, into target: UnsafeMutablePointer<Int64>
    ) {
        // If the compiler knows the width, every shift and offset is a constant, which is twice as fast.
        var done = 0
        switch width {
        case 1: done = groups(source, count, 1, base, target)
        case 2: done = groups(source, count, 2, base, target)
        case 3: done = groups(source, count, 3, base, target)
        case 4: done = groups(source, count, 4, base, target)
        case 5: done = groups(source, count, 5, base, target)
        case 6: done = groups(source, count, 6, base, target)
        case 7: done = groups(source, count, 7, base, target)
        case 8: done = groups(source, count, 8, base, target)
        case 9: done = groups(source, count, 9, base, target)
        case 10: done = groups(source, count, 10, base, target)
        case 11: done = groups(source, count, 11, base, target)
        case 12: done = groups(source, count, 12, base, target)
        case 13: done = groups(source, count, 13, base, target)
        case 14: done = groups(source, count, 14, base, target)
        case 15: done = groups(source, count, 15, base, target)
        case 16: done = groups(source, count, 16, base, target)
        case 17: done = groups(source, count, 17, base, target)
        case 18: done = groups(source, count, 18, base, target)
        case 19: done = groups(source, count, 19, base, target)
        case 20: done = groups(source, count, 20, base, target)
        case 21: done = groups(source, count, 21, base, target)
        case 22: done = groups(source, count, 22, base, target)
        case 23: done = groups(source, count, 23, base, target)
        case 24: done = groups(source, count, 24, base, target)
        case 64:
            for index in 0..<count {
                target[index] = base &+ Int64(bitPattern: load(source, index &* 8))
            }
            return
        default: break
        }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        var bit = done &* width
        for index in done..<count {
            target[index] = base &+ Int64(bitPattern: (load(source, bit &>> 3) &>> UInt64(bit & 7)) & mask)
            bit &+= width
        }
    }

    /// Unpacks whole groups of eight numbers, of `width` bytes each, and returns the count of numbers.
    @inline(__always)
    private static func groups(
        _ source: UnsafeRawPointer, _ count: Int, _ width: Int, _ base: Int64,
        _ target: UnsafeMutablePointer<Int64>
    ) -> Int {
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        let whole = count & ~7
        var group = source
        var index = 0
        while index < whole {
            for place in 0..<8 {
                let bit = place &* width
                target[index &+ place] = base &+ Int64(bitPattern: (load(group, bit &>> 3) &>> UInt64(bit & 7)) & mask)
            }
            group += width
            index &+= 8
        }
        return whole
    }

    @inline(__always)
    private static func load(_ source: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: source.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension ByteWriter {
    /// Packs `count` numbers, each less than two to the power of `width`.
    mutating func packed(count: Int, width: Int, _ number: (Int) -> UInt64) {
        guard width > 0, count > 0 else { return }
        filling(BitPacking.size(count: count, width: width)) { base in
            if width == 64 {
                for index in 0..<count {
                    base.storeBytes(of: number(index).littleEndian, toByteOffset: index * 8, as: UInt64.self)
                }
                return
            }
            var pending: UInt64 = 0
            var filled = 0
            var place = 0
            for index in 0..<count {
                let value = number(index)
                pending |= value << UInt64(filled)
                filled += width
                if filled >= 64 {
                    base.storeBytes(of: pending.littleEndian, toByteOffset: place, as: UInt64.self)
                    place += 8
                    filled -= 64
                    pending = filled == 0 ? 0 : value >> UInt64(width - filled)
                }
            }
            while filled > 0 {
                base.storeBytes(of: UInt8(truncatingIfNeeded: pending), toByteOffset: place, as: UInt8.self)
                pending >>= 8
                place += 1
                filled -= 8
            }
        }
    }
}

extension ByteReader {
    /// Unpacks `count` numbers of `width` bits and adds `base` to each, wrapping on overflow.
    mutating func packed(
        count: Int, width: Int, adding base: Int64, into target: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        guard BitPacking.isValid(width: width) else { throw error(.inconsistent, what) }
        guard count > 0 else { return }
        if width == 0 {
            target.update(repeating: base, count: count)
            return
        }
        let run = try take(BitPacking.size(count: count, width: width), what)
        guard let source = run.baseAddress else { return }
        if offset + BitPacking.slack <= bytes.count {
            BitPacking.unpack(source, count: count, width: width, adding: base, into: target)
            return
        }
        // The run is at the end of the bytes: unpack a padded copy.
        let copy = Array(run) + Array(repeating: 0, count: BitPacking.slack)
        copy.withUnsafeBytes {
            guard let source = $0.baseAddress else { return }
            BitPacking.unpack(source, count: count, width: width, adding: base, into: target)
        }
    }
}
