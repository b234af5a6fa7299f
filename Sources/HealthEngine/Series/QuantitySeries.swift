/// The quantities a series sample was made of, in order of start.
public struct QuantitySeries: Hashable, Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var starts: [Double]
    /// When each ends, in seconds since 2001-01-01 00:00:00 UTC.
    public var ends: [Double]
    /// In the unit of the sample.
    public var values: [Double]

    /// Makes a series of columns, which must be equally long.
    public init(starts: [Double] = [], ends: [Double] = [], values: [Double] = []) {
        self.starts = starts
        self.ends = ends
        self.values = values
    }

    /// How many quantities there are.
    public var count: Int { starts.count }

    /// Whether the columns fit together: of one length, starts ascending, nothing ending before it starts.
    public var isSound: Bool {
        starts.count == ends.count && starts.count == values.count
            && zip(starts, ends).allSatisfy { $0 <= $1 }
            && zip(starts, starts.dropFirst()).allSatisfy { $0 <= $1 }
    }
}
