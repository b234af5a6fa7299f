public import HealthModel

/// How much of a type an application sees. Less than everything is silence, never an error.
public enum ReadScope: Hashable, Sendable {
    /// Samples of every source.
    case everything
    /// Only samples the application saved itself.
    case ownOnly
    /// Only samples that the person picked, and with `withOwn` those the application saved itself.
    case picked(SampleFilter, withOwn: Bool)
    /// No sample.
    case nothing
}
