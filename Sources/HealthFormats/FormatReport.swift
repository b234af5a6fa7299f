/// What was written.
public struct FormatReport: Hashable, Sendable {
    /// How many rows, lines or resources there are of each kind, by the kind's name.
    public internal(set) var counts: [String: Int] = [:]
    /// How many files hold them.
    public internal(set) var files = 0

    /// All of them together.
    public var total: Int { counts.values.reduce(0, +) }

    mutating func add(_ kind: String, _ count: Int = 1) {
        counts[kind, default: 0] += count
    }
}
