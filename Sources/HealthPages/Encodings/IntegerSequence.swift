/// Writes a run of integers in the smallest encoding. The counterpart of ``IntegerSequenceReader``.
///
/// All arithmetic wraps on overflow, so that a number may be any 64-bit pattern.
enum IntegerSequenceWriter {
    @discardableResult
    static func write(
        _ numbers: UnsafeBufferPointer<Int64>, to writer: inout ByteWriter
    ) -> IntegerEncoding {
        guard let first = numbers.first else { return .constant }
        // The two smallest encodings are recognized before any sizes are compared.
        guard let change = numbers.firstIndex(where: { $0 != first }) else {
            writer.byte(IntegerEncoding.constant.rawValue)
            writer.signed(first)
            return .constant
        }
        let step = numbers[1] &- first
        if change == 1, hasStride(numbers, step) {
            writer.byte(IntegerEncoding.stride.rawValue)
            writer.signed(first)
            writer.signed(step)
            return .stride
        }
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: numbers.count - 1) { steps in
            for index in 0..<numbers.count - 1 {
                steps.initializeElement(at: index, to: numbers[index + 1] &- numbers[index])
            }
            return writeSmallest(numbers, steps: UnsafeBufferPointer(steps), to: &writer)
        }
    }

    /// Returns whether all numbers are the same distance apart.
    private static func hasStride(_ numbers: UnsafeBufferPointer<Int64>, _ step: Int64) -> Bool {
        for index in 1..<numbers.count - 1 where numbers[index + 1] &- numbers[index] != step { return false }
        return true
    }

    private static func writeSmallest(
        _ numbers: UnsafeBufferPointer<Int64>, steps: UnsafeBufferPointer<Int64>, to writer: inout ByteWriter
    ) -> IntegerEncoding {
        let plain = FrameOfReference(numbers)
        let stepped = FrameOfReference(steps)
        let steppedSize = stepped.size + Varint.size(signed: numbers[0])
        if let table = IntegerDictionary(numbers, below: min(plain.size, steppedSize)) {
            writer.byte(IntegerEncoding.dictionary.rawValue)
            table.write(numbers, to: &writer)
            return .dictionary
        }
        if plain.size <= steppedSize {
            let encoding: IntegerEncoding = plain.exceptions == 0 ? .packed : .patched
            writer.byte(encoding.rawValue)
            write(numbers, plain, to: &writer)
            return encoding
        }
        let encoding: IntegerEncoding = stepped.exceptions == 0 ? .steppedPacked : .steppedPatched
        writer.byte(encoding.rawValue)
        writer.signed(numbers[0])
        write(steps, stepped, to: &writer)
        return encoding
    }

    /// Writes the frame, its packed offsets and the exceptions, each as the distance from the one before and its
    /// signed offset.
    private static func write(
        _ numbers: UnsafeBufferPointer<Int64>, _ frame: FrameOfReference, to writer: inout ByteWriter
    ) {
        writer.signed(frame.base)
        writer.byte(UInt8(frame.width))
        guard frame.exceptions > 0 else {
            writer.packed(count: numbers.count, width: frame.width) {
                UInt64(bitPattern: numbers[$0] &- frame.base)
            }
            return
        }
        writer.unsigned(frame.exceptions)
        writer.packed(count: numbers.count, width: frame.width) {
            frame.excludes(numbers[$0]) ? 0 : UInt64(bitPattern: numbers[$0] &- frame.base)
        }
        var last = 0
        for index in numbers.indices where frame.excludes(numbers[index]) {
            writer.unsigned(index - last)
            writer.signed(numbers[index] &- frame.base)
            last = index
        }
    }
}

/// Reads the run written by ``IntegerSequenceWriter``.
enum IntegerSequenceReader {
    /// Reads a run into `target[0..<count]`.
    static func read(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        guard count > 0 else { return }
        guard let encoding = IntegerEncoding(rawValue: try reader.byte(what)) else {
            throw reader.error(.inconsistent, what)
        }
        switch encoding {
        case .constant:
            target.update(repeating: try reader.signed(what), count: count)
        case .packed:
            try packed(&reader, count: count, into: target, what)
        case .patched:
            try patched(&reader, count: count, into: target, what)
        case .dictionary:
            try dictionary(&reader, count: count, into: target, what)
        case .stride:
            let first = try reader.signed(what)
            let step = try reader.signed(what)
            for index in 0..<count { target[index] = first &+ Int64(index) &* step }
        case .steppedPacked:
            target[0] = try reader.signed(what)
            try packed(&reader, count: count - 1, into: target + 1, what)
            sum(target, count: count)
        case .steppedPatched:
            target[0] = try reader.signed(what)
            try patched(&reader, count: count - 1, into: target + 1, what)
            sum(target, count: count)
        }
    }

    private static func packed(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        let base = try reader.signed(what)
        let width = Int(try reader.byte(what))
        try reader.packed(count: count, width: width, adding: base, into: target, what)
    }

    private static func patched(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        let base = try reader.signed(what)
        let width = Int(try reader.byte(what))
        let exceptions = try reader.count(what, atMost: count)
        try reader.packed(count: count, width: width, adding: base, into: target, what)
        var place = 0
        for _ in 0..<exceptions {
            place += try reader.count(what, atMost: count)
            guard place < count else { throw reader.error(.inconsistent, what) }
            target[place] = base &+ (try reader.signed(what))
        }
    }

    private static func dictionary(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        let entries = try reader.count(what, atMost: IntegerDictionary.maximumCount)
        let base = try reader.signed(what)
        let bytesPerEntry = Int(try reader.byte(what))
        guard entries > 0, (1...8).contains(bytesPerEntry) else { throw reader.error(.inconsistent, what) }
        let list = try reader.take(entries * bytesPerEntry, what)
        // Rounding the table up to a power of two keeps every packed index inside it.
        let width = BitPacking.width(upTo: UInt64(entries - 1))
        let table = UnsafeMutablePointer<Int64>.allocate(capacity: 1 << width)
        defer { table.deallocate() }
        table.initialize(repeating: base, count: 1 << width)
        for entry in 0..<entries {
            var offset: UInt64 = 0
            for place in 0..<bytesPerEntry {
                offset |= UInt64(list[entry * bytesPerEntry + place]) << UInt64(8 * place)
            }
            table[entry] = base &+ Int64(bitPattern: offset)
        }
        try reader.packed(count: count, width: width, adding: 0, into: target, what)
        var outside = false
        for index in 0..<count {
            let place = Int(target[index])
            outside = outside || place >= entries
            target[index] = table[place]
        }
        guard !outside else { throw reader.error(.inconsistent, what) }
    }

    /// Sums steps in place.
    private static func sum(_ target: UnsafeMutablePointer<Int64>, count: Int) {
        var number = target[0]
        for index in 1..<max(1, count) {
            number &+= target[index]
            target[index] = number
        }
    }
}

/// The encoding of a run of integers. The raw value is the run's first byte.
enum IntegerEncoding: UInt8 {
    /// A single number that is repeated.
    case constant = 0
    /// Bit-packed offsets from a base.
    case packed = 1
    /// Like ``packed``, with a list of the few numbers that do not fit.
    case patched = 2
    /// A table of distinct numbers and bit-packed indices into it.
    case dictionary = 3
    /// Numbers with a constant difference: the first number and the step.
    case stride = 4
    /// The steps between numbers, as ``packed``.
    case steppedPacked = 5
    /// The steps between numbers, as ``patched``.
    case steppedPatched = 6
}

/// The distinct numbers of a run, if there are so few that indices into their table are smaller than the
/// numbers.
struct IntegerDictionary {
    /// The maximum number of distinct numbers.
    static let maximumCount = 128

    /// The distinct numbers in ascending order.
    private let table: [Int64]
    private let bytesPerEntry: Int
    private let width: Int
    private let index: NumberIndex
    /// Maps from the order of occurrence to ascending order.
    private let ranks: [UInt64]

    /// Returns `nil` if there are too many distinct numbers or the size would not be less than `limit`.
    init?(_ numbers: UnsafeBufferPointer<Int64>, below limit: Int) {
        // Few numbers can't be fewer bytes even if only two of them are distinct.
        guard 6 + BitPacking.size(count: numbers.count, width: 1) < limit else { return nil }
        var index = NumberIndex()
        var last = numbers[0] &+ 1
        for place in 0..<numbers.count where numbers[place] != last {
            last = numbers[place]
            // Stop early: the first numbers show whether there are repetitions.
            guard index.insert(last), index.numbers.count * 2 <= place + 64 else { return nil }
        }
        table = index.numbers.sorted()
        let span = UInt64(bitPattern: table[table.count - 1] &- table[0])
        bytesPerEntry = max(1, (71 - span.leadingZeroBitCount) / 8)
        width = BitPacking.width(upTo: UInt64(table.count - 1))
        let size =
            3 + Varint.size(signed: table[0]) + table.count * bytesPerEntry
            + BitPacking.size(count: numbers.count, width: width)
        guard size < limit else { return nil }
        var ranks = Array(repeating: UInt64(0), count: table.count)
        for (rank, number) in table.enumerated() { ranks[index.place(of: number)] = UInt64(rank) }
        self.ranks = ranks
        self.index = index
    }

    func write(_ numbers: UnsafeBufferPointer<Int64>, to writer: inout ByteWriter) {
        writer.unsigned(table.count)
        writer.signed(table[0])
        writer.byte(UInt8(bytesPerEntry))
        for number in table {
            let offset = UInt64(bitPattern: number &- table[0])
            for place in 0..<bytesPerEntry {
                writer.byte(UInt8(truncatingIfNeeded: offset >> UInt64(8 * place)))
            }
        }
        writer.packed(count: numbers.count, width: width) { ranks[index.place(of: numbers[$0])] }
    }
}

/// The smallest plan for packing a run of integers as offsets from a base.
///
/// Offsets are packed in `width` bits. Numbers whose offset is negative or wider are exceptions: each costs its
/// index (about a byte) and its signed offset as a varint.
struct FrameOfReference {
    var base: Int64
    var width: Int
    var exceptions: Int
    /// The estimated size in bytes, including base and width.
    var size: Int

    /// Finds the best plan for the numbers.
    init(_ numbers: UnsafeBufferPointer<Int64>) {
        var minimum = numbers.first ?? 0
        var maximum = minimum
        for number in numbers {
            minimum = min(minimum, number)
            maximum = max(maximum, number)
        }
        self.init(numbers, base: minimum, maximum: maximum, isMinimum: true)
        // Runs with outliers on both sides of zero (gaps between samples) are smaller with zero as their base.
        if minimum < 0, maximum >= 0, width > 0 {
            let other = FrameOfReference(numbers, base: 0, maximum: maximum, isMinimum: false)
            if other.size < size { self = other }
        }
    }

    private init(_ numbers: UnsafeBufferPointer<Int64>, base: Int64, maximum: Int64, isMinimum: Bool) {
        self.base = base
        let count = numbers.count
        let fullBits = 64 - UInt64(bitPattern: maximum &- base).leadingZeroBitCount
        width = BitPacking.width(bits: fullBits)
        exceptions = 0
        let header = 1 + Varint.size(signed: base)
        size = header + BitPacking.size(count: count, width: width)
        // With two bits or fewer, exceptions cannot save anything.
        if isMinimum, fullBits <= 2 { return }

        // 32 bits are enough for a count, and the whole table stays below the size that is allocated on the stack.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 2 * 65) { histogram in
            histogram.initialize(repeating: 0)
            var outside = 0
            var outsideSize = 0
            if isMinimum {
                Self.count(numbers, from: base, isWide: fullBits == 64, into: histogram)
            } else {
                Self.countBySign(numbers, into: histogram)
                // Negative numbers are always exceptions, so a plan without exceptions is impossible.
                size = .max
                for bits in 0...64 where histogram[65 + bits] > 0 {
                    outside += Int(histogram[65 + bits])
                    outsideSize += Int(histogram[65 + bits]) * (1 + Varint.size(bits: bits + 1))
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
                let here = Int(histogram[bits] &+ histogram[65 + bits])
                outside += here
                outsideSize += here * (1 + Varint.size(bits: bits + 1))
            }
        }
    }

    /// Counts offsets from the minimum by their number of bits. Neighbors are counted in different halves of the
    /// table, because incrementing the same counter twice in a row would stall.
    @inline(__always)
    private static func count(
        _ numbers: UnsafeBufferPointer<Int64>, from base: Int64, isWide: Bool,
        into histogram: UnsafeMutableBufferPointer<UInt32>
    ) {
        if isWide {
            for number in numbers {
                histogram[64 &- UInt64(bitPattern: number &- base).leadingZeroBitCount] &+= 1
            }
            return
        }
        var half = 0
        for number in numbers {
            // Twice the offset plus one has one more bit and is never zero.
            let doubled = UInt64(bitPattern: number &- base) &<< 1 | 1
            histogram[half &+ (63 &- doubled.leadingZeroBitCount)] &+= 1
            half = 65 &- half
        }
    }

    /// Counts numbers by their number of bits; negative ones (complemented) are counted in the second half.
    @inline(__always)
    private static func countBySign(
        _ numbers: UnsafeBufferPointer<Int64>, into histogram: UnsafeMutableBufferPointer<UInt32>
    ) {
        for number in numbers {
            let sign = number &>> 63
            let doubled = UInt64(bitPattern: number ^ sign) &<< 1 | 1
            histogram[(65 & Int(sign)) &+ (63 &- doubled.leadingZeroBitCount)] &+= 1
        }
    }

    /// Returns whether a number is an exception.
    @inline(__always)
    func excludes(_ number: Int64) -> Bool {
        let offset = UInt64(bitPattern: number &- base)
        return number < base || (width < 64 && offset >> UInt64(width) != 0)
    }
}

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
        _ source: UnsafeRawPointer, count: Int, width: Int, adding base: Int64,
        into target: UnsafeMutablePointer<Int64>
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
        count: Int, width: Int, adding base: Int64, into target: UnsafeMutablePointer<Int64>,
        _ what: StaticString
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
