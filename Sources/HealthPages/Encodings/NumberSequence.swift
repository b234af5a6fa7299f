/// Writes a run of doubles, bit for bit, in the smallest encoding. The counterpart of ``NumberSequenceReader``.
enum NumberSequenceWriter {
    @discardableResult
    static func write(
        _ values: UnsafeBufferPointer<Double>, to writer: inout ByteWriter
    ) -> NumberEncoding {
        guard !values.isEmpty else { return .bits(.constant) }
        return withUnsafeTemporaryAllocation(of: Int64.self, capacity: values.count) { integers in
            integers.initialize(repeating: 0)
            // Whole numbers, such as counts, have no smaller encoding.
            if scaleWhole(values, into: integers) {
                return decimals(values, integers, exponent: 0, exceptions: [], to: &writer)
            }
            return writeSmallest(values, integers, to: &writer)
        }
    }

    /// Fills `integers` and returns `true` if all values are whole numbers.
    private static func scaleWhole(
        _ values: UnsafeBufferPointer<Double>, into integers: UnsafeMutableBufferPointer<Int64>
    ) -> Bool {
        for index in values.indices {
            let (exact, integer) = DecimalScaling.scale(values[index], 1)
            guard exact else { return false }
            integers[index] = integer
        }
        return true
    }

    private static func writeSmallest(
        _ values: UnsafeBufferPointer<Double>, _ integers: UnsafeMutableBufferPointer<Int64>,
        to writer: inout ByteWriter
    ) -> NumberEncoding {
        var best: (bytes: [UInt8], encoding: NumberEncoding)?
        var candidates = likelyExponents(values)
        var next = 0
        while next < candidates.count {
            let exponent = candidates[next]
            next += 1
            let exceptions = scale(values, exponent: exponent, into: integers)
            if exceptions.count * 2 <= values.count {
                var attempt = ByteWriter()
                let encoding = decimals(values, integers, exponent: exponent, exceptions: exceptions, to: &attempt)
                if attempt.count < best?.bytes.count ?? .max { best = (attempt.bytes, encoding) }
            }
            if next == candidates.count, let finer = finest(values, exceptions), finer > exponent,
                !candidates.contains(finer)
            {
                candidates.append(finer)
            }
        }
        if case .decimal(_, exceptions: 0, _) = best?.encoding {
            // Bit patterns are never shorter than the exact decimals of a page.
        } else {
            for index in values.indices { integers[index] = Int64(bitPattern: values[index].bitPattern) }
            var attempt = ByteWriter()
            attempt.byte(NumberEncoding.bitsTag)
            let encoding = IntegerSequenceWriter.write(UnsafeBufferPointer(integers), to: &attempt)
            if attempt.count < best?.bytes.count ?? .max { best = (attempt.bytes, .bits(encoding)) }
        }
        guard let best else { return .bits(.constant) }
        writer.raw(best.bytes)
        return best.encoding
    }

    /// The exponents worth trying, from a few of the values: one that fits nine in ten, and one that fits all.
    private static func likelyExponents(_ values: UnsafeBufferPointer<Double>) -> [Int] {
        let step = max(1, values.count / 48)
        var seen = Array(repeating: 0, count: DecimalScaling.maximumExponent + 1)
        var total = 0
        for index in stride(from: 0, to: values.count, by: step) {
            if let exponent = DecimalScaling.exponent(of: values[index]) {
                seen[exponent] += 1
                total += 1
            }
        }
        guard let finest = seen.lastIndex(where: { $0 > 0 }) else { return [] }
        var covered = 0
        for exponent in 0...finest {
            covered += seen[exponent]
            if covered * 10 >= total * 9 { return exponent == finest ? [finest] : [finest, exponent] }
        }
        return [finest]
    }

    /// The exponent that also fits those exceptions that have a decimal form.
    private static func finest(_ values: UnsafeBufferPointer<Double>, _ exceptions: [Int]) -> Int? {
        exceptions.prefix(64).compactMap { DecimalScaling.exponent(of: values[$0]) }.max()
    }

    /// Fills `integers` and returns the rows without a decimal form for the exponent.
    private static func scale(
        _ values: UnsafeBufferPointer<Double>, exponent: Int, into integers: UnsafeMutableBufferPointer<Int64>
    ) -> [Int] {
        let power = DecimalScaling.power(exponent)
        var exceptions: [Int] = []
        // An exception repeats its neighbor's integer, so that it does not widen the run.
        var last: Int64?
        for index in values.indices {
            let (exact, integer) = DecimalScaling.scale(values[index], power)
            if exact {
                integers[index] = integer
                if last == nil {
                    for earlier in 0..<index { integers[earlier] = integer }
                }
                last = integer
            } else {
                integers[index] = last ?? 0
                exceptions.append(index)
            }
        }
        return exceptions
    }

    private static func decimals(
        _ values: UnsafeBufferPointer<Double>, _ integers: UnsafeMutableBufferPointer<Int64>,
        exponent: Int, exceptions: [Int], to writer: inout ByteWriter
    ) -> NumberEncoding {
        if exceptions.isEmpty {
            writer.byte(UInt8(exponent))
        } else {
            writer.byte(UInt8(exponent) | NumberEncoding.exceptionsFlag)
            writer.unsigned(exceptions.count)
        }
        let encoding = IntegerSequenceWriter.write(UnsafeBufferPointer(integers), to: &writer)
        var last = 0
        for index in exceptions {
            writer.unsigned(index - last)
            writer.fixed64(values[index].bitPattern)
            last = index
        }
        return .decimal(exponent: exponent, exceptions: exceptions.count, encoding)
    }
}

/// Reads the run written by ``NumberSequenceWriter``.
enum NumberSequenceReader {
    /// Reads a run into `target[0..<count]`. `scratch` must have room for `count` integers.
    static func read(
        _ reader: inout ByteReader, count: Int, into target: UnsafeMutablePointer<Double>,
        scratch: UnsafeMutablePointer<Int64>, _ what: StaticString
    ) throws(PageError) {
        guard count > 0 else { return }
        let tag = try reader.byte(what)
        if tag == NumberEncoding.bitsTag {
            try IntegerSequenceReader.read(&reader, count: count, into: scratch, what)
            for index in 0..<count {
                target[index] = Double(bitPattern: UInt64(bitPattern: scratch[index]))
            }
            return
        }
        let exponent = Int(tag & 0x0F)
        guard tag < NumberEncoding.bitsTag, exponent <= DecimalScaling.maximumExponent else {
            throw reader.error(.inconsistent, what)
        }
        var exceptions = 0
        if tag & NumberEncoding.exceptionsFlag != 0 {
            exceptions = try reader.count(what, atMost: count)
        }
        try IntegerSequenceReader.read(&reader, count: count, into: scratch, what)
        if exponent == 0 {
            for index in 0..<count { target[index] = Double(scratch[index]) }
        } else {
            let power = DecimalScaling.power(exponent)
            for index in 0..<count { target[index] = Double(scratch[index]) / power }
        }
        var place = 0
        for _ in 0..<exceptions {
            place += try reader.count(what, atMost: count)
            guard place < count else { throw reader.error(.inconsistent, what) }
            target[place] = Double(bitPattern: try reader.fixed64(what))
        }
    }
}

/// The encoding of a run of doubles.
enum NumberEncoding: Hashable {
    /// Integers divided by ten to the power of `exponent`, and a number of exceptions stored as bit patterns.
    case decimal(exponent: Int, exceptions: Int, IntegerEncoding)
    /// Bit patterns as integers.
    case bits(IntegerEncoding)

    /// The bit that indicates exceptions in the first byte of a run of decimals, next to the exponent.
    static let exceptionsFlag: UInt8 = 0x10
    /// The first byte of a run of bit patterns.
    static let bitsTag: UInt8 = 0x20
}

/// Up to ``IntegerDictionary/maximumCount`` distinct numbers in order of occurrence. A small open-addressed table:
/// a `Dictionary` would take most of a page's encoding time.
struct NumberIndex {
    private(set) var numbers: [Int64] = []
    /// The index in ``numbers`` plus one; 0 for an empty slot.
    private var slots: [UInt8]

    private static let slotBits: UInt64 = 9

    init() {
        slots = Array(repeating: 0, count: 1 << Int(Self.slotBits))
    }

    /// Returns `false` if there is no room for another number.
    mutating func insert(_ number: Int64) -> Bool {
        let slot = slot(of: number)
        guard slots[slot] == 0 else { return true }
        guard numbers.count < IntegerDictionary.maximumCount else { return false }
        numbers.append(number)
        slots[slot] = UInt8(numbers.count)
        return true
    }

    /// The index of a number that is in ``numbers``.
    func place(of number: Int64) -> Int {
        Int(slots[slot(of: number)]) - 1
    }

    /// The slot of a number, or the empty slot where it belongs. At most a quarter of the slots are used, so there
    /// is always an empty one.
    private func slot(of number: Int64) -> Int {
        let mixed = UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15
        var slot = Int(mixed >> (64 - Self.slotBits))
        while slots[slot] != 0, numbers[Int(slots[slot]) - 1] != number {
            slot = (slot + 1) & (slots.count - 1)
        }
        return slot
    }
}

/// Doubles that are exactly an integer divided by a power of ten.
///
/// A double has a decimal form (integer, exponent) if dividing the integer by the power restores it bit for bit.
/// Division rounds correctly, so every number parsed from a decimal text of up to 15 digits has one.
enum DecimalScaling {
    static let maximumExponent = 12
    /// The limit of the magnitude of integers, below which rounding is exact.
    static let limit: Double = 0x1p50

    /// Ten to the power of `exponent`, exactly.
    @inline(__always)
    static func power(_ exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    /// Returns whether `value` is an integer divided by `power`, and the integer.
    @inline(__always)
    static func scale(_ value: Double, _ power: Double) -> (exact: Bool, integer: Int64) {
        let scaled = value * power
        guard scaled.magnitude < limit else { return (false, 0) }
        // Adding and subtracting 1.5 · 2^52 rounds to the nearest integer without a function call.
        let rounded = (scaled + 0x1.8p52) - 0x1.8p52
        let integer = Int64(rounded)
        return ((Double(integer) / power).bitPattern == value.bitPattern, integer)
    }

    /// The minimum exponent for which `value` has a decimal form, or `nil` if there is none.
    static func exponent(of value: Double) -> Int? {
        var power = 1.0
        for exponent in 0...maximumExponent {
            if scale(value, power).exact { return exponent }
            power *= 10
        }
        return nil
    }
}
