/// One key to order results by.
public struct SampleSort: Hashable, Sendable {
    /// What can be ordered by.
    public enum Key: Hashable, Sendable {
        /// Start or end, as seconds since 2001.
        case start, end
        /// Insertion order.
        case sequence
        /// End minus start, or a workout's duration without pauses.
        case duration
        /// A workout's total.
        case workoutTotal(WorkoutTotal)
        /// The sample's value (an addition for the command line; the original does not offer it).
        case value
    }

    /// What is compared.
    public var key: Key
    /// Whether the least comes first.
    public var ascending: Bool

    /// Makes a key that puts the least first unless told otherwise.
    public init(_ key: Key, ascending: Bool = true) {
        self.key = key
        self.ascending = ascending
    }
}
