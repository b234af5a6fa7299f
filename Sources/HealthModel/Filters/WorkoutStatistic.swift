/// Which figure of a workout's statistics a filter compares.
public enum WorkoutStatistic: UInt8, Hashable, Sendable {
    /// The figures a workout keeps of one quantity type; a type has those its aggregation style allows.
    case sum, minimum, maximum, average
}
