/// Which columns of a page a reader wants; the others are not decoded.
public struct SampleColumnSet: OptionSet, Hashable, Sendable {
    /// One bit a column.
    public let rawValue: UInt16

    /// Makes a set of the columns whose bits are set.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// When samples start.
    public static let starts = SampleColumnSet(rawValue: 1 << 0)
    /// When samples end.
    public static let ends = SampleColumnSet(rawValue: 1 << 1)
    /// Quantities, or raw category values.
    public static let values = SampleColumnSet(rawValue: 1 << 2)
    /// Unit numbers.
    public static let units = SampleColumnSet(rawValue: 1 << 3)
    /// Source revision numbers.
    public static let revisions = SampleColumnSet(rawValue: 1 << 4)
    /// Device numbers.
    public static let devices = SampleColumnSet(rawValue: 1 << 5)
    /// Metadata, and the table the column points into.
    public static let metadata = SampleColumnSet(rawValue: 1 << 6)
    /// Positions in the store's sequence.
    public static let sequences = SampleColumnSet(rawValue: 1 << 7)
    /// Identities given by applications.
    public static let uuids = SampleColumnSet(rawValue: 1 << 8)
    /// Creation dates given by archives.
    public static let creations = SampleColumnSet(rawValue: 1 << 9)

    /// Every column.
    public static let all: SampleColumnSet = [
        .starts, .ends, .values, .units, .revisions, .devices, .metadata, .sequences, .uuids, .creations,
    ]
}
