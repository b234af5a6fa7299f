public import HealthModel

/// One source's place in the merge order of one type.
public struct SourceOrderEntry: Hashable, Sendable {
    /// The source; its place is that of the entry in its list.
    public var source: SourceRecord
    /// Whether the source counts at all in merged statistics.
    public var isEnabled: Bool
    /// How many samples of the type it has.
    public var count: Int

    /// Makes an entry.
    public init(source: SourceRecord, isEnabled: Bool = true, count: Int = 0) {
        self.source = source
        self.isEnabled = isEnabled
        self.count = count
    }
}
