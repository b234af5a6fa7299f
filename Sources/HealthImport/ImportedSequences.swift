import HealthEngine
import HealthModel
import HealthStorage

/// The sequence numbers of imported samples and objects; all others were saved by applications.
///
/// An import's numbers are contiguous unless an application saves meanwhile, so there are few ranges.
/// They are written in the transaction that allocates the numbers.
struct ImportedSequences: Equatable {
    private static let namespace = "archive.state"
    private static let key = "sequences"

    /// Ascending ranges, none adjacent to the next.
    private(set) var ranges: [ClosedRange<Int64>] = []

    init(_ ranges: [ClosedRange<Int64>] = []) { self.ranges = ranges }

    init(in snapshot: any StorageSnapshot) throws {
        let bounds = try Settings.read([Int64].self, namespace: Self.namespace, key: Self.key, in: snapshot) ?? []
        guard bounds.count.isMultiple(of: 2), zip(bounds, bounds.dropFirst()).allSatisfy({ $0 <= $1 }) else {
            throw StorageError(.damaged, "the list of imported sequences is out of order")
        }
        ranges = stride(from: 0, to: bounds.count, by: 2).map { bounds[$0]...bounds[$0 + 1] }
    }

    func write(in transaction: any StorageTransaction) throws {
        try Settings.write(
            ranges.flatMap { [$0.lowerBound, $0.upperBound] }, namespace: Self.namespace, key: Self.key, in: transaction
        )
    }

    /// Appends a range above all others.
    mutating func append(_ range: ClosedRange<Int64>) {
        ranges.join(range, within: 1)
    }

    func contains(_ sequence: Int64) -> Bool {
        let index = ranges.partitionPoint { $0.upperBound < sequence }
        return index < ranges.count && ranges[index].contains(sequence)
    }

    /// Whether any number of the range is in the set.
    func overlaps(_ range: ClosedRange<Int64>) -> Bool {
        ranges.contains { $0.overlaps(range) }
    }
}
