/// Two ways of doing the same, measured in pairs: ours, the other, ours, the other …
///
/// What disturbs the machine for a while disturbs both halves of a pair, so the ratio is taken pair by pair and
/// its median is what counts.
struct Comparison: Sendable {
    private(set) var ours: [Cost] = []
    private(set) var other: [Cost] = []

    /// Runs both once without counting, to warm all caches, then `pairs` times in turn.
    ///
    /// - Parameter repeats: how many times a measured half does its work; costs are of one time.
    static func run(
        pairs: Int, repeats: Int = 1, ours: () async throws -> Void, other: () async throws -> Void
    ) async throws -> Comparison {
        try await ours()
        try await other()
        var comparison = Comparison()
        for _ in 0..<pairs {
            let start = Cost.now
            for _ in 0..<repeats { try await ours() }
            let middle = Cost.now
            for _ in 0..<repeats { try await other() }
            comparison.add((middle - start).divided(by: repeats), (Cost.now - middle).divided(by: repeats))
        }
        return comparison
    }

    /// The same for work that never waits, as within a reading of the store.
    static func runInPlace(
        pairs: Int, repeats: Int = 1, ours: () throws -> Void, other: () throws -> Void
    ) throws -> Comparison {
        try ours()
        try other()
        var comparison = Comparison()
        for _ in 0..<pairs {
            let start = Cost.now
            for _ in 0..<repeats { try ours() }
            let middle = Cost.now
            for _ in 0..<repeats { try other() }
            comparison.add((middle - start).divided(by: repeats), (Cost.now - middle).divided(by: repeats))
        }
        return comparison
    }

    mutating func add(_ ours: Cost, _ other: Cost) {
        self.ours.append(ours)
        self.other.append(other)
    }

    /// Median seconds on the clock.
    var oursWall: Double { ours.map(\.wall).median }
    var otherWall: Double { other.map(\.wall).median }

    /// How many times the other's time ours takes, pair by pair.
    var ratios: [Double] { zip(ours, other).map { $0.wall / $1.wall } }
    var ratio: Double { ratios.median }

    /// The same in processor time.
    var processorRatio: Double { zip(ours, other).map { $0.processor / $1.processor }.median }
}
