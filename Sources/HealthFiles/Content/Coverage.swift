package import HealthModel

/// The minutes of which there are samples of a type, by the stage in which they were read: an archive may have the same
/// minutes in several layouts, and parts of it again in other files.
package final class Coverage {
    private struct Key: Hashable {
        let stage: ReadingStage
        let type: TypeCode
    }

    /// The minutes of each hour, as bits. Ten years have 90,000 hours.
    private typealias Hours = [Int: UInt64]

    private var known: [Key: Hours] = [:]
    /// Those of the file that is being read, whose samples don't exclude each other.
    private var current: [Key: Hours] = [:]

    package init() {}

    package static func hour(_ date: Double) -> Int { place(date).hour }

    /// The hour of a date, and the bit of its minute.
    package static func place(_ date: Double) -> (hour: Int, minute: UInt64) {
        let number = Int((date / 60).rounded(.down))
        let (hours, minutes) = number.quotientAndRemainder(dividingBy: 60)
        return minutes < 0 ? (hours - 1, 1 << UInt64(minutes + 60)) : (hours, 1 << UInt64(minutes))
    }

    /// Takes note of minutes of an hour.
    func add(_ type: TypeCode, hour: Int, minutes: UInt64, at stage: ReadingStage) {
        current[Key(stage: stage, type: type), default: [:]][hour, default: 0] |= minutes
    }

    /// Takes note of the minutes in which a sample begins and ends.
    func add(_ type: TypeCode, from start: Double, to end: Double, at stage: ReadingStage) {
        for date in [start, max(start, end - 1)] {
            let place = Self.place(date)
            add(type, hour: place.hour, minutes: place.minute, at: stage)
        }
    }

    /// The minutes of an hour that something finer than a stage or another file of the stage has.
    func minutes(_ type: TypeCode, hour: Int, at stage: ReadingStage) -> UInt64 {
        ReadingStage.allCases.reduce(0) { minutes, other in
            guard other <= stage else { return minutes }
            let key = Key(stage: other, type: type)
            return minutes | (known[key]?[hour] ?? 0) | (other < stage ? current[key]?[hour] ?? 0 : 0)
        }
    }

    /// Whether something finer than a stage has samples between two dates.
    package func has(_ type: TypeCode, from start: Double, to end: Double, before stage: ReadingStage) -> Bool {
        let (first, last) = (Self.place(start), Self.place(max(start, end - 1)))
        // The least significant bit is the first minute.
        let (after, before) = (~(first.minute - 1), last.minute << 1 &- 1)
        return (first.hour...last.hour).contains { hour in
            let wanted = (hour == first.hour ? after : ~0) & (hour == last.hour ? before : ~0)
            return ReadingStage.allCases.contains { other in
                guard other < stage else { return false }
                let key = Key(stage: other, type: type)
                return ((known[key]?[hour] ?? 0) | (current[key]?[hour] ?? 0)) & wanted != 0
            }
        }
    }

    /// Takes note of the end of a file.
    package func endFile() {
        for (key, hours) in current { known[key, default: [:]].merge(hours, uniquingKeysWith: |) }
        current = [:]
    }
}

/// The minutes of a file with many samples, which are looked up and noted by the hour.
package struct CoverageCursor {
    private let type: TypeCode
    private let stage: ReadingStage
    private var hour = Int.min
    private var covered: UInt64 = 0
    /// The minutes of the hour that the file has.
    private var own: UInt64 = 0

    package init(_ type: MeasuredType, at stage: ReadingStage) {
        (self.type, self.stage) = (type.code, stage)
    }

    /// Takes note of the minute of a date, unless something finer or another file has it.
    ///
    /// - Returns: Whether the minute is this file's.
    package mutating func take(_ date: Double, _ coverage: Coverage) -> Bool {
        let place = Coverage.place(date)
        if place.hour != hour {
            finish(coverage)
            hour = place.hour
            covered = coverage.minutes(type, hour: hour, at: stage)
        }
        guard covered & place.minute == 0 else { return false }
        own |= place.minute
        return true
    }

    /// Takes note of the last hour.
    package mutating func finish(_ coverage: Coverage) {
        if own != 0 { coverage.add(type, hour: hour, minutes: own, at: stage) }
        own = 0
    }
}
