extension BitPacking {
    /// Unpacks `count` numbers of a valid width above 0 and adds `base` to each, wrapping.
    ///
    /// Reads up to ``slack`` bytes behind the run.
    static func unpack(
        _ source: UnsafeRawPointer, count: Int, width: Int, adding base: Int64,
        into target: UnsafeMutablePointer<Int64>
    ) {
        // With the width known to the compiler every shift and offset is a constant: twice as fast.
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

    /// Unpacks whole groups of eight numbers, which take `width` bytes each; returns how many numbers.
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
                target[index &+ place] =
                    base &+ Int64(bitPattern: (load(group, bit &>> 3) &>> UInt64(bit & 7)) & mask)
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
