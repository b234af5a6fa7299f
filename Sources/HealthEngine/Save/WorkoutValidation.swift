import HealthModel

/// The rules for events within a workout.
enum WorkoutValidation {
    /// Raw values of the event types the rules name.
    private enum EventType {
        static let resume = 2
        static let lap = 3
        static let segment = 7
    }

    static func validate(
        _ workout: WorkoutBody, start: Double, end: Double
    ) throws(ValidationError) {
        try validate(workout.events, start: start, end: end)
    }

    private static func validate(
        _ events: [WorkoutBody.Event], start: Double, end: Double
    ) throws(ValidationError) {
        for event in events {
            guard event.start <= event.end else {
                throw ValidationError(
                    .workoutEvent, reason: "Workout event must not begin after it ends")
            }
            let mayLast = event.type == EventType.lap || event.type == EventType.segment
            guard mayLast || event.start == event.end else {
                throw ValidationError(
                    .workoutEvent, reason: "Only lap and segment workout events may have a duration")
            }
            guard event.start >= start, event.end <= end else {
                throw ValidationError(
                    .workoutEvent, reason: "Workout events must lie between the workout's start and end")
            }
        }
        if events.first?.type == EventType.resume {
            throw ValidationError(
                .workoutEvent, reason: "The first workout event must not be a resume event")
        }
    }
}
