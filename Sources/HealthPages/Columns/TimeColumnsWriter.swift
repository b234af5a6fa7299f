/// Writes starts, ends and creations, each relative to the one before. Twin of ``TimeColumnsReader``.
struct TimeColumnsWriter {
    /// What an end is measured from.
    enum Reference: UInt8 {
        /// The sample's own start: the number is a duration.
        case ownStart = 0
        /// The next sample's start: the number is the gap before it, 0 where samples follow closely.
        /// The last sample is measured from its own start, backwards.
        case nextStart = 1
    }

    static let referenceShift: UInt8 = 4
    /// Set in a creation column's first byte when a bitmap of the rows that have one follows.
    static let bitmapFlag: UInt8 = 0x10
    /// Set in a creation column's first byte when its numbers are instants, and not delays from the ends.
    static let absoluteFlag: UInt8 = 0x20

    private let count: Int
    private var scale: TimeScale
    /// Ticks of the column written last.
    private let ticks: UnsafeMutablePointer<Int64>
    private let next: UnsafeMutablePointer<Int64>

    init(count: Int) {
        self.count = count
        scale = .second
        ticks = .allocate(capacity: count)
        next = .allocate(capacity: count)
        ticks.initialize(repeating: 0, count: count)
        next.initialize(repeating: 0, count: count)
    }

    func deallocate() {
        ticks.deallocate()
        next.deallocate()
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

        var durations = ByteWriter()
        durations.byte(finer.rawValue | Reference.ownStart.rawValue << Self.referenceShift)
        let numbers = UnsafeMutableBufferPointer<Int64>.allocate(capacity: count)
        defer { numbers.deallocate() }
        for row in 0..<count { numbers.initializeElement(at: row, to: next[row] &- ticks[row]) }
        let encoding = IntegerSequenceWriter.write(UnsafeBufferPointer(numbers), to: &durations)

        var gaps = ByteWriter()
        if encoding != .constant, count > 1 {
            gaps.byte(finer.rawValue | Reference.nextStart.rawValue << Self.referenceShift)
            for row in 0..<count { numbers[row] = ticks[min(row + 1, count - 1)] &- next[row] }
            IntegerSequenceWriter.write(UnsafeBufferPointer(numbers), to: &gaps)
        }
        writer.raw(gaps.count > 0 && gaps.count < durations.count ? gaps.bytes : durations.bytes)
        ticks.update(from: next, count: count)
    }

    /// Follows ``ends(_:to:)``. Nothing is written when no row has a creation date.
    mutating func creations(_ creations: UnsafeBufferPointer<Double>, to writer: inout ByteWriter) {
        let missing = creations.lazy.filter(TimeScale.Missing.matches).count
        guard missing < count else { return }
        let finer = TimeScale.fitting(creations, from: scale, skippingMissing: true, ticks: next)
        scale.refine(ticks, count: count, to: finer)
        scale = finer

        // A missing date repeats its neighbour's number, so that it does not widen the run.
        func fill(_ numbers: UnsafeMutablePointer<Int64>, _ number: (Int) -> Int64) {
            var last = creations.firstIndex { !TimeScale.Missing.matches($0) }.map(number) ?? 0
            for row in 0..<count {
                if missing == 0 || !TimeScale.Missing.matches(creations[row]) { last = number(row) }
                numbers[row] = last
            }
        }
        let numbers = UnsafeMutablePointer<Int64>.allocate(capacity: count)
        defer { numbers.deallocate() }
        numbers.initialize(repeating: 0, count: count)
        fill(numbers) { next[$0] &- ticks[$0] }
        var delays = ByteWriter()
        IntegerSequenceWriter.write(UnsafeBufferPointer(start: numbers, count: count), to: &delays)
        // Samples handed over together share a creation date: then the dates by themselves are smaller.
        fill(numbers) { next[$0] }
        var dates = ByteWriter()
        IntegerSequenceWriter.write(UnsafeBufferPointer(start: numbers, count: count), to: &dates)

        let isAbsolute = dates.count < delays.count
        writer.byte(
            finer.rawValue | (missing > 0 ? Self.bitmapFlag : 0) | (isAbsolute ? Self.absoluteFlag : 0))
        if missing > 0 {
            writer.packed(count: count, width: 1) { TimeScale.Missing.matches(creations[$0]) ? 0 : 1 }
        }
        writer.raw(isAbsolute ? dates.bytes : delays.bytes)
    }
}
