import HealthModel

/// The beats of the heart during an activity, from the intervals between them.
struct FITBeats {
    let start: Double
    let end: Double
    /// The columns of a ``HeartbeatSeriesDocument``.
    let series: [String: [Double]]

    /// The seconds by which the sum of the intervals may be behind the recording before it counts as a gap.
    private static let tolerance = 3.0

    /// `nil` if there are less than two beats.
    init?(_ messages: FITMessages, _ origin: FITOrigin, from first: Double, to last: Double) {
        guard !messages[FITMessageNumber.hrv].isEmpty else { return nil }
        var beats: [Double] = []
        var gaps: [Double] = []
        var recorded = first
        for message in messages.ordered([FITMessageNumber.record, FITMessageNumber.hrv]) {
            if message.number == FITMessageNumber.record { recorded = origin.date(message) ?? recorded }
            guard message.number == FITMessageNumber.hrv, recorded >= first, recorded <= last else { continue }
            let intervals = message.numbers(FITField.Hrv.time).filter { $0 > 0 && $0 < 65 }
            guard !intervals.isEmpty else { continue }
            let isBehind = beats.last.map { recorded - $0 > Self.tolerance } ?? true
            var time = isBehind ? recorded - intervals.reduce(0, +) : beats[beats.count - 1]
            time = max(time, beats.last ?? first)
            for (place, interval) in intervals.enumerated() {
                time += interval
                beats.append(time)
                gaps.append(isBehind && place == 0 && beats.count > 1 ? 1 : 0)
            }
        }
        guard beats.count > 1 else { return nil }
        start = beats[0]
        end = beats[beats.count - 1]
        series = [
            HeartbeatSeriesDocument.offsets: beats.map { [start] in $0 - start },
            HeartbeatSeriesDocument.gaps: gaps,
        ]
    }
}
