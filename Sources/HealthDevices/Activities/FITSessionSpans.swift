import HealthModel

/// When sessions began and ended, as far as their records show it.
///
/// Devices sum up a session in milliseconds and record in whole seconds, so that the last record is often after its
/// end. Some sum up other times than those in which they recorded.
enum FITSessionSpans {
    /// The seconds without a record after which what follows doesn't belong to a session.
    private static let gap = 60.0
    /// The seconds by which a session may end after the next one begins, because starts have whole seconds.
    private static let rounding = 1.0

    /// The sessions with their records: those that follow the end or precede the start without a gap belong to a
    /// session, and none belongs to two.
    ///
    /// - Parameters:
    ///   - sessions: In order of their start.
    ///   - moments: When something was recorded, in order.
    static func fit(_ sessions: [FITSession], to moments: [Double]) -> [FITSession] {
        var fitted: [FITSession] = []
        var last = -Double.infinity
        for (place, session) in sessions.enumerated() {
            let next = place + 1 < sessions.count ? sessions[place + 1].start : .infinity
            var (start, end) = (session.start, session.end)
            if next > start, end - next > rounding { end = next }
            let first = moments.lowerBound(of: start)
            let following = moments.lowerBound(of: end.nextUp)
            for moment in moments[following...] {
                guard moment < next, moment - end <= gap else { break }
                end = moment
            }
            for moment in moments[..<first].reversed() {
                guard moment > last, start - moment <= gap else { break }
                start = moment
            }
            last = max(last, end)
            fitted.append(FITSession(session.message, session.sport, start, end))
        }
        return fitted
    }

    /// When a file says that something was recorded, in order.
    static func moments(_ records: FITRecords, _ messages: FITMessages, _ origin: FITOrigin) -> [Double] {
        let lengths = messages[FITMessageNumber.length].flatMap { length -> [Double] in
            guard let start = origin.date(length, FITField.Length.startTime) else { return [] }
            return [start, start + (length.number(FITField.Length.totalElapsedTime) ?? 0)]
        }
        return lengths.isEmpty ? records.dates : (records.dates + lengths).sorted()
    }
}
