import HealthModel

/// The sets of a strength workout.
enum FITSets {
    /// The exercises that begin in a session as segments, with metadata for which HealthKit has no keys. The time between
    /// them is a rest.
    static func events(_ messages: FITMessages, _ origin: FITOrigin, in session: FITSession) -> [WorkoutBody.Event] {
        typealias Names = FITField.Set
        return messages[FITMessageNumber.set].compactMap { set in
            let length = set.number(Names.duration)
            let end = origin.date(set, Names.timestamp)
            guard set.integer(Names.setType) != 0,
                let start = origin.date(set, Names.startTime) ?? end.map({ $0 - (length ?? 0) }),
                session.contains(start)
            else { return nil }
            var metadata = Metadata()
            let categories = set.numbers(Names.category).compactMap { Int64(exactly: $0) }
            let name = categories.lazy.compactMap { FITExerciseName.categories[$0] }.first
            metadata.set("Exercise", name.map { .string($0) })
            metadata.set("Repetitions", set.integer(Names.repetitions).map { .integer($0) })
            metadata.set("Weight", set.number(Names.weight).flatMap { $0 > 0 ? .quantity($0, unit: "kg") : nil })
            return WorkoutBody.Event(
                type: 7, start: start, end: min(max(start, length.map { start + $0 } ?? end ?? start), session.end),
                metadata: metadata)
        }
    }
}
