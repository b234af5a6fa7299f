import HealthModel

/// The minutes of which there are samples of a type, by the stage in which they were read: an archive may have the same
/// minutes in several layouts, and parts of it again in other files.
struct GoogleCoverage {
    private struct Key: Hashable {
        let stage: GoogleFile.Stage
        let type: TypeCode
    }

    /// The minutes of each hour, as bits. Ten years have 90,000 hours.
    private typealias Hours = [Int: UInt64]

    private var known: [Key: Hours] = [:]
    /// Those of the file that is being read, whose samples don't exclude each other.
    private var current: [Key: Hours] = [:]

    static func hour(_ date: Double) -> Int { place(date).hour }

    /// The bit of a date's minute.
    static func minute(_ date: Double) -> UInt64 { place(date).minute }

    /// The hour of a date, and the bit of its minute.
    static func place(_ date: Double) -> (hour: Int, minute: UInt64) {
        let number = Int((date / 60).rounded(.down))
        let (hours, minutes) = number.quotientAndRemainder(dividingBy: 60)
        return minutes < 0 ? (hours - 1, 1 << UInt64(minutes + 60)) : (hours, 1 << UInt64(minutes))
    }

    /// Takes note of minutes of an hour.
    mutating func add(_ type: DeviceType, hour: Int, minutes: UInt64, at stage: GoogleFile.Stage) {
        current[Key(stage: stage, type: type.code), default: [:]][hour, default: 0] |= minutes
    }

    /// The minutes of an hour that something finer than a stage or another file of the stage has.
    func minutes(_ type: DeviceType, hour: Int, at stage: GoogleFile.Stage) -> UInt64 {
        GoogleFile.Stage.allCases.reduce(0) { minutes, other in
            guard other <= stage else { return minutes }
            let key = Key(stage: other, type: type.code)
            return minutes | (known[key]?[hour] ?? 0) | (other < stage ? current[key]?[hour] ?? 0 : 0)
        }
    }

    /// Whether something finer than a stage has samples between two dates.
    func has(_ type: DeviceType, from start: Double, to end: Double, before stage: GoogleFile.Stage) -> Bool {
        let (first, last) = (Self.hour(start), Self.hour(max(start, end - 1)))
        // The least significant bit is the first minute.
        let (after, before) = (~(Self.minute(start) - 1), Self.minute(max(start, end - 1)) << 1 - 1)
        return (first...last).contains { hour in
            let wanted = (hour == first ? after : ~0) & (hour == last ? before : ~0)
            return GoogleFile.Stage.allCases.contains { other in
                guard other < stage else { return false }
                let key = Key(stage: other, type: type.code)
                return ((known[key]?[hour] ?? 0) | (current[key]?[hour] ?? 0)) & wanted != 0
            }
        }
    }

    /// Takes note of the end of a file.
    mutating func endFile() {
        for (key, hours) in current { known[key, default: [:]].merge(hours, uniquingKeysWith: |) }
        current = [:]
    }
}

/// The minutes of a file with many samples, which are looked up and noted by the hour.
struct GoogleMinutes {
    private let type: DeviceType
    private let stage: GoogleFile.Stage
    private var hour = Int.min
    private var covered: UInt64 = 0
    private var own: UInt64 = 0

    init(_ type: DeviceType, at stage: GoogleFile.Stage) {
        (self.type, self.stage) = (type, stage)
    }

    /// Takes note of the minute of a date, unless something finer or another file has it.
    ///
    /// - Returns: Whether the minute is this file's.
    mutating func take(_ date: Double, _ coverage: inout GoogleCoverage) -> Bool {
        let place = GoogleCoverage.place(date)
        if place.hour != hour {
            finish(&coverage)
            hour = place.hour
            covered = coverage.minutes(type, hour: hour, at: stage)
        }
        guard covered & place.minute == 0 else { return false }
        own |= place.minute
        return true
    }

    /// Takes note of the last hour.
    mutating func finish(_ coverage: inout GoogleCoverage) {
        if own != 0 { coverage.add(type, hour: hour, minutes: own, at: stage) }
        own = 0
    }
}

/// Periods of workouts or nights that are known, to leave out what describes them with less detail.
struct GooglePeriods {
    private var periods: [Int: [(start: Double, end: Double)]] = [:]

    mutating func add(_ start: Double, _ end: Double) {
        for day in Self.days(start, end) { periods[day, default: []].append((start, end)) }
    }

    /// Whether a known period shares at least half of the longer one's time.
    func contains(_ start: Double, _ end: Double) -> Bool {
        Self.days(start, end).contains { day in
            periods[day, default: []].contains { known in
                min(known.end, end) - max(known.start, start) >= 0.5 * max(known.end - known.start, end - start)
            }
        }
    }

    /// Whether a moment is in a known period.
    func contains(_ date: Double) -> Bool {
        periods[Self.days(date, date).lowerBound]?.contains { $0.start <= date && date < $0.end } ?? false
    }

    private static func days(_ start: Double, _ end: Double) -> ClosedRange<Int> {
        let first = Int(max(-1e10, min(1e10, start)) / 86_400)
        return first...max(first, min(first + 31, Int(max(-1e10, min(1e10, end)) / 86_400)))
    }
}
