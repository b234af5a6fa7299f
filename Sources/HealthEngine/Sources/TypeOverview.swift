public import HealthModel

/// How much there is of one type.
public struct TypeOverview: Hashable, Sendable {
    /// The type.
    public var type: TypeDescription
    /// How many samples or objects of it there are.
    public var count: Int
    /// Earliest start and latest end, in seconds since 2001.
    public var start: Double
    /// The latest end, in seconds since 2001.
    public var end: Double

    /// Makes an overview.
    public init(type: TypeDescription, count: Int, start: Double, end: Double) {
        self.type = type
        self.count = count
        self.start = start
        self.end = end
    }
}
