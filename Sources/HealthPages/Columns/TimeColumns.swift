/// Writes start, end and creation dates, each relative to the column before. The counterpart of ``TimeColumnsReader``.
struct TimeColumnsWriter {
    /// The reference from which end dates are measured.
    enum Reference: UInt8 {
        /// The sample's own start; the number is the duration.
        case ownStart = 0
        /// The next sample's start; the number is the gap before it, 0 between contiguous samples. The last sample
        /// is measured backwards from its own start.
        case nextStart = 1
    }

    static let referenceShift: UInt8 = 4
    /// The bit in a creation column's first byte that indicates that a bitmap of the rows with a date follows.
    static let bitmapFlag: UInt8 = 0x10
    /// The bit in a creation column's first byte for dates that are instants rather than delays after the end.
    static let absoluteFlag: UInt8 = 0x20

    private let count: Int
    private var scale: TimeScale
    /// The ticks of the column written most recently.
    private let ticks: UnsafeMutablePointer<Int64>
    private let next: UnsafeMutablePointer<Int64>
    /// The numbers of the run that is being written.
    private let numbers: UnsafeMutablePointer<Int64>

    init(count: Int) {
        self.count = count
        scale = .second
        ticks = .allocate(capacity: 3 * count)
        ticks.initialize(repeating: 0, count: 3 * count)
        next = ticks + count
        numbers = next + count
    }

    func deallocate() {
        ticks.deallocate()
    }

    mutating func starts(_ starts: UnsafeBufferPointer<Double>, to writer: inout ByteWriter) {
        scale = TimeScale.fitting(starts, from: .second, ticks: ticks)
        writer.byte(scale.rawValue)
        IntegerSequenceWriter.write(UnsafeBufferPointer(start: ticks, count: count), to: &writer)
    }

    mutating func ends(_ ends: UnsafeBufferPointer<Double>, to writer: inout ByteWriter) {
        let finer = TimeScale.fitting(ends, from: scale, ticks: next)
        scale.refine(ticks, count: count, to: finer)
        scale = finer

        let start = writer.count
        writer.byte(finer.rawValue | Reference.ownStart.rawValue << Self.referenceShift)
        for row in 0..<count { numbers[row] = next[row] &- ticks[row] }
        let run = UnsafeBufferPointer(start: numbers, count: count)
        let encoding = IntegerSequenceWriter.write(run, to: &writer)

        if encoding != .constant, count > 1 {
            var gaps = ByteWriter(capacity: writer.count - start)
            gaps.byte(finer.rawValue | Reference.nextStart.rawValue << Self.referenceShift)
            for row in 0..<count { numbers[row] = ticks[min(row + 1, count - 1)] &- next[row] }
            IntegerSequenceWriter.write(run, to: &gaps)
            if gaps.count < writer.count - start {
                writer.removeAll(from: start)
                gaps.withBytes { writer.raw($0) }
            }
        }
        ticks.update(from: next, count: count)
    }

    /// Writes the creation dates, after ``ends(_:to:)``. Writes nothing if no row has one.
    mutating func creations(_ creations: UnsafeBufferPointer<Double>, to writer: inout ByteWriter) {
        let missing = creations.lazy.filter(TimeScale.Missing.matches).count
        guard missing < count else { return }
        let finer = TimeScale.fitting(creations, from: scale, skippingMissing: true, ticks: next)
        scale.refine(ticks, count: count, to: finer)
        scale = finer

        // A missing date repeats its neighbor's number, so that it does not widen the run.
        func fill(_ numbers: UnsafeMutablePointer<Int64>, _ number: (Int) -> Int64) {
            var last = creations.firstIndex { !TimeScale.Missing.matches($0) }.map(number) ?? 0
            for row in 0..<count {
                if missing == 0 || !TimeScale.Missing.matches(creations[row]) { last = number(row) }
                numbers[row] = last
            }
        }
        fill(numbers) { next[$0] &- ticks[$0] }
        let run = UnsafeBufferPointer(start: numbers, count: count)
        var delays = ByteWriter()
        IntegerSequenceWriter.write(run, to: &delays)
        // Samples that are saved together share a creation date; then the instants are smaller than the delays.
        fill(numbers) { next[$0] }
        var dates = ByteWriter()
        IntegerSequenceWriter.write(run, to: &dates)

        let isAbsolute = dates.count < delays.count
        writer.byte(
            finer.rawValue | (missing > 0 ? Self.bitmapFlag : 0) | (isAbsolute ? Self.absoluteFlag : 0))
        if missing > 0 {
            writer.packed(count: count, width: 1) { TimeScale.Missing.matches(creations[$0]) ? 0 : 1 }
        }
        if isAbsolute { dates.withBytes { writer.raw($0) } } else { delays.withBytes { writer.raw($0) } }
    }
}

/// Reads the columns written by ``TimeColumnsWriter`` in the same order: start, end, creation.
struct TimeColumnsReader {
    private let count: Int
    private var scale: TimeScale = .second
    /// The ticks of the column read most recently.
    private var ticks: UnsafeMutablePointer<Int64>
    private var next: UnsafeMutablePointer<Int64>

    init(count: Int) {
        self.count = count
        ticks = .allocate(capacity: count)
        next = .allocate(capacity: count)
    }

    func deallocate() {
        ticks.deallocate()
        next.deallocate()
    }

    mutating func starts(
        _ reader: inout ByteReader, into target: UnsafeMutablePointer<Double>?
    ) throws(PageError) {
        guard let scale = TimeScale(rawValue: try reader.byte("start column")) else {
            throw reader.error(.inconsistent, "start column")
        }
        self.scale = scale
        try IntegerSequenceReader.read(&reader, count: count, into: ticks, "start column")
        try reader.finish("start column")
        if let target { scale.read(ticks, count: count, into: target) }
    }

    mutating func ends(
        _ reader: inout ByteReader, into target: UnsafeMutablePointer<Double>?
    ) throws(PageError) {
        let tag = try reader.byte("end column")
        guard let finer = TimeScale(rawValue: tag & 0x0F), finer >= scale,
            let reference = TimeColumnsWriter.Reference(rawValue: tag >> TimeColumnsWriter.referenceShift)
        else { throw reader.error(.inconsistent, "end column") }
        try IntegerSequenceReader.read(&reader, count: count, into: next, "end column")
        try reader.finish("end column")
        scale.refine(ticks, count: count, to: finer)
        scale = finer
        switch reference {
        case .ownStart:
            for row in 0..<count { next[row] = ticks[row] &+ next[row] }
        case .nextStart:
            for row in 0..<count - 1 { next[row] = ticks[row &+ 1] &- next[row] }
            next[count - 1] = ticks[count - 1] &- next[count - 1]
        }
        swap(&ticks, &next)
        if let target { scale.read(ticks, count: count, into: target) }
    }

    mutating func creations(
        _ reader: inout ByteReader, into target: UnsafeMutablePointer<Double>
    ) throws(PageError) {
        let tag = try reader.byte("creation column")
        guard let finer = TimeScale(rawValue: tag & 0x0F), finer >= scale,
            tag & ~0x0F & ~TimeColumnsWriter.bitmapFlag & ~TimeColumnsWriter.absoluteFlag == 0
        else { throw reader.error(.inconsistent, "creation column") }
        var bitmap: UnsafeRawBufferPointer?
        if tag & TimeColumnsWriter.bitmapFlag != 0 {
            bitmap = try reader.take(BitPacking.size(count: count, width: 1), "creation column")
        }
        try IntegerSequenceReader.read(&reader, count: count, into: next, "creation column")
        try reader.finish("creation column")
        if tag & TimeColumnsWriter.absoluteFlag == 0 {
            scale.refine(ticks, count: count, to: finer)
            for row in 0..<count { next[row] = ticks[row] &+ next[row] }
        }
        finer.read(next, count: count, into: target)
        if let bitmap {
            for row in 0..<count where bitmap[row >> 3] >> UInt8(row & 7) & 1 == 0 {
                target[row] = Double(bitPattern: TimeScale.Missing.pattern)
            }
        }
    }
}

/// The unit of a page's ticks: the coarsest one in which all instants of a column are exact integers, or bit
/// patterns if there is none.
enum TimeScale: UInt8, Comparable {
    case second = 0
    case millisecond = 1
    case microsecond = 2
    /// The bit pattern of the double, which represents any instant and still gives small steps between neighbors.
    case bits = 3

    static func < (left: TimeScale, right: TimeScale) -> Bool { left.rawValue < right.rawValue }

    /// The number of ticks per second; 0 for bit patterns.
    @inline(__always)
    var perSecond: Int64 {
        switch self {
        case .second: 1
        case .millisecond: 1000
        case .microsecond: 1_000_000
        case .bits: 0
        }
    }

    /// Fills `ticks` and returns the coarsest scale, from `floor` on, that is exact for all instants. With
    /// `skippingMissing`, missing instants fit every scale and their ticks are left unchanged.
    static func fitting(
        _ instants: UnsafeBufferPointer<Double>, from floor: TimeScale, skippingMissing: Bool = false,
        ticks: UnsafeMutablePointer<Int64>
    ) -> TimeScale {
        var scale = floor
        while scale != .bits {
            let power = Double(scale.perSecond)
            var fits = true
            for index in instants.indices {
                let instant = instants[index]
                if skippingMissing, Missing.matches(instant) { continue }
                let (exact, integer) = DecimalScaling.scale(instant, power)
                ticks[index] = integer
                if !exact {
                    fits = false
                    break
                }
            }
            if fits { return scale }
            scale = scale == .second ? .millisecond : scale == .millisecond ? .microsecond : .bits
        }
        for index in instants.indices {
            ticks[index] = Int64(bitPattern: instants[index].bitPattern)
        }
        return .bits
    }

    /// Converts ticks of this scale to instants.
    func read(_ ticks: UnsafePointer<Int64>, count: Int, into instants: UnsafeMutablePointer<Double>) {
        switch self {
        case .second:
            for index in 0..<count { instants[index] = Double(ticks[index]) }
        case .millisecond, .microsecond:
            let power = Double(perSecond)
            for index in 0..<count { instants[index] = Double(ticks[index]) / power }
        case .bits:
            for index in 0..<count { instants[index] = Double(bitPattern: UInt64(bitPattern: ticks[index])) }
        }
    }

    /// Converts ticks of this scale to a finer one, in place.
    func refine(_ ticks: UnsafeMutablePointer<Int64>, count: Int, to finer: TimeScale) {
        guard self != finer, self != .bits else { return }
        if finer == .bits {
            let power = Double(perSecond)
            for index in 0..<count {
                ticks[index] = Int64(bitPattern: (Double(ticks[index]) / power).bitPattern)
            }
        } else {
            let ratio = finer.perSecond / perSecond
            for index in 0..<count { ticks[index] = ticks[index] &* ratio }
        }
    }

    /// The bit pattern that represents a missing instant.
    enum Missing {
        static let pattern: UInt64 = Double.nan.bitPattern

        @inline(__always)
        static func matches(_ instant: Double) -> Bool { instant.bitPattern == pattern }
    }
}
