import Glibc
import Synchronization

/// The costs of two ways to do the same, measured in alternating pairs: ours, other, ours, other …
///
/// A disturbance of the machine affects both halves of a pair. Therefore, ratios are calculated per pair, and their
/// median is reported.
struct Comparison: Sendable {
    private(set) var ours: [Cost] = []
    private(set) var other: [Cost] = []

    /// Runs both once to warm up the caches, then `pairs` times in turn.
    ///
    /// - Parameter repeats: The number of times that each half repeats its work; costs are per repetition.
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

    /// Does the same for synchronous work, for example within a read of the store.
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

    /// The median wall-clock time in seconds.
    var oursWall: Double { ours.map(\.wall).median }
    var otherWall: Double { other.map(\.wall).median }
    /// The median processor time in seconds.
    var oursProcessor: Double { ours.map(\.processor).median }

    /// Our time divided by the other time, for each pair.
    var ratios: [Double] { zip(ours, other).map { $0.wall / $1.wall } }
    var ratio: Double { ratios.median }

    /// The median ratio of processor times.
    var processorRatio: Double { zip(ours, other).map { $0.processor / $1.processor }.median }
}

/// The wall-clock time and the processor time of all threads that some work takes.
struct Cost: Sendable {
    /// The wall-clock time in seconds.
    var wall: Double
    /// The processor time in seconds, user and system together.
    var processor: Double

    /// The current values of both clocks; the difference of two values is a cost.
    static var now: Cost {
        Cost(wall: seconds(CLOCK_MONOTONIC), processor: seconds(CLOCK_PROCESS_CPUTIME_ID))
    }

    static func - (after: Cost, before: Cost) -> Cost {
        Cost(wall: after.wall - before.wall, processor: after.processor - before.processor)
    }

    /// Returns the cost of one of `count` equal parts.
    func divided(by count: Int) -> Cost {
        Cost(wall: wall / Double(count), processor: processor / Double(count))
    }

    private static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension Array where Element == Double {
    /// The median, or NaN if the array is empty.
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Consumes unused results, so that the compiler can't optimize away the work that computes them.
enum Sink {
    private static let bits = Atomic<UInt64>(0)

    static func consume(_ integer: Int64, _ number: Double) {
        bits.store(UInt64(bitPattern: integer) ^ number.bitPattern, ordering: .relaxed)
    }
}
