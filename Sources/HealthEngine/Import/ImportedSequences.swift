import HealthStorage

/// The sequence numbers that imports took: what is stored under one of them was brought by an archive,
/// everything else was saved by somebody.
///
/// An import takes its numbers in one stretch unless somebody saves meanwhile, so there are few ranges.
/// They are written in the transaction that takes the numbers.
struct ImportedSequences: Equatable {
    private static let namespace = "archive.state"
    private static let key = "sequences"

    /// First and last number of each range, ascending, none touching the next.
    private(set) var ranges: [ClosedRange<Int64>] = []

    init() {}

    init(in snapshot: any StorageSnapshot) throws {
        let bounds = try Settings.read([Int64].self, namespace: Self.namespace, key: Self.key, in: snapshot) ?? []
        guard bounds.count.isMultiple(of: 2), zip(bounds, bounds.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw StorageError(.damaged, "the list of imported sequences is not in order")
        }
        ranges = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]...bounds[$0 + 1] }
    }

    func write(in transaction: any StorageTransaction) throws {
        try Settings.write(
            ranges.flatMap { [$0.lowerBound, $0.upperBound] }, namespace: Self.namespace, key: Self.key, in: transaction)
    }

    /// Adds a range that lies above all there are.
    mutating func append(_ range: ClosedRange<Int64>) {
        guard let last = ranges.last else { return ranges.append(range) }
        if range.lowerBound <= last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
            ranges.append(range)
        }
    }

    func contains(_ sequence: Int64) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < sequence { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(sequence)
    }

    /// Whether any number of these is in the set.
    func meets(_ range: ClosedRange<Int64>) -> Bool {
        ranges.contains { $0.overlaps(range) }
    }
}
