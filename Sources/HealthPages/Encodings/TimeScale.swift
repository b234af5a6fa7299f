/// What a tick is: instants are kept as integers of the coarsest scale that is exact for all of a page,
/// and of bit patterns where none is.
enum TimeScale: UInt8, Comparable {
    case second = 0
    case millisecond = 1
    case microsecond = 2
    /// The double's bit pattern: any instant at all, and still small steps between neighbours.
    case bits = 3

    static func < (left: TimeScale, right: TimeScale) -> Bool { left.rawValue < right.rawValue }

    /// Ticks in a second; 0 for bit patterns.
    @inline(__always)
    var perSecond: Int64 {
        switch self {
        case .second: 1
        case .millisecond: 1000
        case .microsecond: 1_000_000
        case .bits: 0
        }
    }

    /// The coarsest scale from `floor` on that is exact for all of `instants`; fills `ticks`. NaN entries
    /// count as exact when `skipping` says so, and their ticks are left alone.
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

    /// Ticks of this scale as instants.
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

    /// Turns ticks of this scale into ticks of a finer one, in place.
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

    /// The mark of an instant that is not there.
    enum Missing {
        static let pattern: UInt64 = Double.nan.bitPattern

        @inline(__always)
        static func matches(_ instant: Double) -> Bool { instant.bitPattern == pattern }
    }
}
