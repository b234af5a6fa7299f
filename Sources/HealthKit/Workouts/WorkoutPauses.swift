import HealthModel

/// How pause and resume events shorten a workout.
enum WorkoutPauses {
    /// Seconds from `start` to `end` without the paused spans.
    ///
    /// A pause made by hand and one found by the motion sensors may overlap; time is counted while
    /// neither lasts. A pause while paused, and a resume while not, change nothing. A pause that is
    /// never resumed lasts to the end.
    ///
    /// - Parameter events: In ascending order.
    static func duration(from start: Double, to end: Double, events: [WorkoutBody.Event]) -> Double {
        var isPaused = false
        var isMotionPaused = false
        var pausedSince: Double?
        var paused = 0.0
        for event in events {
            switch HKWorkoutEventType(rawValue: event.type) {
            case .pause: isPaused = true
            case .resume: isPaused = false
            case .motionPaused: isMotionPaused = true
            case .motionResumed: isMotionPaused = false
            default: continue
            }
            let instant = min(max(event.start, start), end)
            if isPaused || isMotionPaused {
                pausedSince = pausedSince ?? instant
            } else if let since = pausedSince {
                paused += instant - since
                pausedSince = nil
            }
        }
        if let since = pausedSince { paused += end - since }
        return end - start - paused
    }
}
