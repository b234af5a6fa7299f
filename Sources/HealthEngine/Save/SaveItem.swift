public import HealthModel

/// One thing to save; the order of a batch is the order of its sequence numbers.
public enum SaveItem: Sendable {
    /// A quantity or category sample.
    case sample(SampleRecord)
    /// Anything else, with its members.
    case object(ObjectRecord)
}
