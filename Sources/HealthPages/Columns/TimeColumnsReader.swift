/// Reads what ``TimeColumnsWriter`` wrote, in the same order: starts, then ends, then creations.
struct TimeColumnsReader {
    private let count: Int
    private var scale: TimeScale = .second
    /// Ticks of the column read last.
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
