public import HealthModel

/// Word of one committed write, in this process or another.
public struct Commit: Hashable, Sendable {
    /// Types that gained or lost samples.
    public var types: Set<TypeCode>
    /// Sequence numbers the write took; for a foreign write, all since the last one known.
    public var sequences: ClosedRange<Int64>
    /// Whether settings (characteristics, goals, preferred units, authorization) changed.
    public var settingsChanged: Bool
    /// Whether nothing was written: whoever observes the types is told all the same.
    public var isAnnouncement: Bool

    /// Makes word of a write.
    public init(
        types: Set<TypeCode>, sequences: ClosedRange<Int64>, settingsChanged: Bool = false,
        isAnnouncement: Bool = false
    ) {
        self.types = types
        self.sequences = sequences
        self.settingsChanged = settingsChanged
        self.isAnnouncement = isAnnouncement
    }
}
