import HealthModel

/// When a device's timer was stopped and started, and its laps.
struct FITEvents: Sendable {
    /// One stop or start of the timer.
    private struct Change {
        var date: Double
        var isStart: Bool
        /// Whether the device itself stopped or started the timer, because the person did or didn't move.
        var isAutomatic: Bool
    }

    private let changes: [Change]

    init(_ messages: FITMessages, _ origin: FITOrigin) {
        typealias Kind = FITValueNumber.EventType
        let stops = [Kind.stop, Kind.stopAll, Kind.stopDisable, Kind.stopDisableAll]
        changes = messages[FITMessageNumber.event].compactMap { message -> Change? in
            guard message.integer(FITField.Event.event) == FITValueNumber.Event.timer,
                let kind = message.integer(FITField.Event.eventType), kind == Kind.start || stops.contains(kind),
                let date = origin.date(message)
            else { return nil }
            let trigger = message.integer(FITField.Event.data)
            return Change(
                date: date, isStart: kind == Kind.start, isAutomatic: trigger == FITValueNumber.TimerTrigger.auto)
        }.sorted { $0.date < $1.date }
    }

    /// The pauses between two dates. A stop without a later start is the end, not a pause.
    func pauses(from start: Double, to end: Double) -> [WorkoutBody.Event] {
        intervals(from: start, to: end).flatMap { stop, resume in
            let types = stop.isAutomatic ? (5, 6) : (1, 2)
            return [
                WorkoutBody.Event(type: types.0, start: stop.date, end: stop.date),
                WorkoutBody.Event(type: types.1, start: resume.date, end: resume.date),
            ]
        }
    }

    /// The seconds between two dates without pauses.
    func activeTime(from start: Double, to end: Double) -> Double {
        intervals(from: start, to: end).reduce(end - start) { $0 - ($1.resume.date - $1.stop.date) }
    }

    /// The last time, up to a date, at which the timer was started again after a pause.
    func resumption(after start: Double, upTo date: Double) -> Double? {
        var index = changes.partitionPoint { $0.date <= date }
        while index > 0, changes[index - 1].date > start {
            index -= 1
            if changes[index].isStart { return changes[index].date }
        }
        return nil
    }

    private func intervals(from start: Double, to end: Double) -> [(stop: Change, resume: Change)] {
        var pairs: [(stop: Change, resume: Change)] = []
        var stop: Change?
        for change in changes where change.date >= start && change.date <= end {
            if !change.isStart {
                stop = stop ?? change
            } else if let earlier = stop {
                if change.date > earlier.date { pairs.append((earlier, change)) }
                stop = nil
            }
        }
        return pairs
    }

    /// The laps or segments that begin in a session, as events of a type. What is left when a session ends, and no lap
    /// was begun, is none.
    static func laps(
        _ messages: FITMessages, _ origin: FITOrigin, in session: FITSession, of number: UInt16 = FITMessageNumber.lap,
        type: Int
    ) -> [WorkoutBody.Event] {
        // Both messages have the same numbers for these two fields.
        messages[number].compactMap { lap in
            let isRest = lap.integer(FITField.Lap.event) == FITValueNumber.Event.session
            guard number != FITMessageNumber.lap || !isRest,
                let start = origin.date(lap, FITField.Lap.startTime), session.contains(start),
                let end = lap.number(FITField.Lap.totalElapsedTime).map({ start + $0 }) ?? origin.date(lap),
                end >= start
            else { return nil }
            return WorkoutBody.Event(type: type, start: start, end: min(end, session.end))
        }
    }
}
