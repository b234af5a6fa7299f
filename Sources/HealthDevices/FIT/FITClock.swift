import HealthFiles
import HealthModel

/// The clocks of a device that was set while it recorded, as when it found the date by satellite.
///
/// The order of the records shows when that was, and the timer of the sessions that it isn't a pause. The last clock is the
/// right one.
struct FITClock {
    /// The part of a file that was written by one clock.
    private struct Period {
        /// The place in the file where it begins.
        var offset: Int
        var times: ClosedRange<Int64>
        /// The seconds by which the last clock is ahead.
        var lag: Int64 = 0

        func contains(_ time: Int64) -> Bool {
            times.lowerBound - tolerance <= time && time <= times.upperBound + tolerance
        }
    }

    /// The seconds that a clock may be adjusted by, and that records may be apart from the bounds of a session.
    private static let tolerance: Int64 = 60
    private static let day = 86_400.0
    /// No clock is set more often.
    private static let maximumCount = 100
    /// The number of records within which a time is reached again, if a program has mixed up its records.
    private static let lateRecords = 5

    private var periods: [Period] = []
    private let hasPausedForDays: Bool

    /// The messages with the times of the last clock.
    static func corrected(_ messages: FITMessages) -> FITMessages {
        FITClock(messages).map { clock in messages.map(clock.corrected) } ?? messages
    }

    /// `nil` if the clock wasn't set.
    private init?(_ messages: FITMessages) {
        let sessions = messages[FITMessageNumber.session].prefix(Self.maximumCount)
        guard let first = sessions.first.flatMap({ Self.time($0, FITField.Session.startTime) }) else { return nil }
        var records: [(time: Int64, offset: Int)] = [(first, -1)]
        for record in messages[FITMessageNumber.record] {
            if let time = Self.time(record, FITField.timestamp) { records.append((time, record.offset)) }
        }
        let times = records.map(\.time)
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        let jumps = steps.indices.filter { place in
            guard steps[place] < 0 else { return steps[place] > Self.tolerance }
            let next = times[(place + 1)...].prefix(Self.lateRecords)
            return steps[place] < -Self.tolerance && next.count == Self.lateRecords
                && next.allSatisfy { $0 < times[place] }
        }
        guard (1...Self.maximumCount).contains(jumps.count) else { return nil }
        let stops = messages[FITMessageNumber.event].filter { event in
            event.integer(FITField.Event.event) == FITValueNumber.Event.timer
                && event.integer(FITField.Event.eventType) != FITValueNumber.EventType.start
        }
        hasPausedForDays = jumps.contains { place in
            Double(steps[place]) > Self.day
                && stops.contains { records[place].offset < $0.offset && $0.offset < records[place + 1].offset }
        }
        let seconds = sessions.reduce(0) { $0 + Int64(length(of: $1)) }
        var found = jumps.filter { steps[$0] < 0 }
        let isRevealed = sessions.contains { session in
            guard let start = Self.time(session, FITField.Session.startTime),
                let end = Self.time(session, FITField.timestamp)
            else { return false }
            return abs(end - start - Int64(length(of: session))) > Self.tolerance
        }
        guard isRevealed || !found.isEmpty else { return nil }
        let usual = steps.filter { (1...Self.tolerance).contains($0) }.sorted()
        // The first step is from the start of the session to the first record.
        func jump(_ place: Int) -> Int64 {
            steps[place] - (place == 0 ? 0 : usual.isEmpty ? 1 : usual[usual.count / 2])
        }
        // What the jumps have to explain.
        var rest = found.reduce(times[times.count - 1] - times[0] - seconds) { $0 - jump($1) }
        let margin = max(Self.tolerance, seconds / 10)
        for place in jumps.sorted(by: { steps[$0] > steps[$1] })
        where jump(place) > 0 && jump(place) <= rest + margin && abs(rest - jump(place)) < abs(rest) {
            found.append(place)
            rest -= jump(place)
        }
        guard !found.isEmpty, abs(rest) <= max(Self.tolerance, seconds / 2) else { return nil }
        found.sort()
        let bounds = [0] + found.map { $0 + 1 } + [times.count]
        periods = zip(bounds, bounds.dropFirst()).reversed().reduce(into: []) { periods, bounds in
            let own = times[bounds.0..<bounds.1]
            var period = Period(offset: records[bounds.0].offset, times: (own.min() ?? 0)...(own.max() ?? 0))
            if let next = periods.first {
                // A pause in which the clock was set is as long as the sessions leave it.
                period.lag = next.lag + jump(bounds.1 - 1) + min(rest, 0)
                rest = 0
            }
            periods.insert(period, at: 0)
        }
    }

    /// A time in the format's range.
    private static func time(_ message: FITMessage, _ field: UInt8) -> Int64? {
        message.integer(field).flatMap { (0..<Int64(UInt32.max)).contains($0) ? $0 : nil }
    }

    /// The seconds of a session or lap. A device may have taken those with pauses from its clock.
    private func length(of message: FITMessage) -> Double {
        let seconds = [FITField.Session.totalElapsedTime, FITField.Session.totalTimerTime].map {
            min(max(message.number($0) ?? 0, 0), 4e9)
        }
        return !hasPausedForDays && seconds[0] - seconds[1] > Self.day ? seconds[1] : max(seconds[0], seconds[1])
    }

    private func corrected(_ message: FITMessage) -> FITMessage {
        typealias Names = FITField.Session
        var message = message
        let isSet = message.number == FITMessageNumber.set
        let stamp = isSet ? FITField.Set.timestamp : FITField.timestamp
        let end = Self.time(message, stamp).map { $0 + lag(of: $0, at: message.offset) }
        if let end { message.set(stamp, Double(end)) }
        switch message.number {
        case FITMessageNumber.session:
            // Its end may be that of the file.
            guard let start = Self.time(message, Names.startTime) else { break }
            message.set(Names.startTime, Double(start + lag(of: start, at: -1)))
            message.set(Names.totalElapsedTime, length(of: message))
        case FITMessageNumber.lap, FITMessageNumber.segmentLap:
            // Both have the numbers of a session's fields.
            guard let end else { break }
            message.set(Names.startTime, (Double(end) - length(of: message)).rounded())
            message.set(Names.totalElapsedTime, length(of: message))
        case FITMessageNumber.length, FITMessageNumber.set:
            let seconds = message.number(isSet ? FITField.Set.duration : FITField.Length.totalElapsedTime)
            guard let end, let seconds else { break }
            message.set(isSet ? FITField.Set.startTime : FITField.Length.startTime, (Double(end) - seconds).rounded())
        default: break
        }
        return message
    }

    /// The lag of the clock that wrote a time: that of the place in the file, unless another one had such times.
    private func lag(of time: Int64, at offset: Int) -> Int64 {
        let place = periods.last { $0.offset <= offset } ?? periods[0]
        return place.contains(time) ? place.lag : periods.first { $0.contains(time) }?.lag ?? place.lag
    }
}
