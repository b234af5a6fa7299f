import HealthModel

/// When an activity was paused: what the gaps between the stretches of a track tell.
struct TrackPauses: Sendable {
    let pauses: [(start: Double, end: Double)]

    init(_ track: RecordedTrack) {
        let boundaries = zip(track.points, track.points.dropFirst()).filter { $0.stretch != $1.stretch }
        // A gap of a second is what lies between two points anyway.
        pauses = boundaries.map { ($0.date, $1.date) }.filter { $0.1 - $0.0 > 1 }
    }

    var events: [WorkoutBody.Event] {
        pauses.flatMap { start, end in
            [WorkoutBody.Event(type: 1, start: start, end: start), WorkoutBody.Event(type: 2, start: end, end: end)]
        }
    }

    /// The seconds of pauses between two dates.
    func paused(from start: Double, to end: Double) -> Double {
        pauses.reduce(0) { $0 + max(0, min($1.end, end) - max($1.start, start)) }
    }
}
