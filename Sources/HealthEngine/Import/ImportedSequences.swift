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

    init() {}

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

/// A set of sequence numbers, one bit each, in words of 64 numbers.
///
/// Numbers are mostly consecutive, but a restored store leaves out trillions of them, and a hostile one may use each in
/// a separate word.
package struct SequenceBits: Sendable {
    private var words: [Int64: UInt64] = [:]
    /// The word that was used last, which isn't among the others.
    private var last: (key: Int64, word: UInt64) = (.min, 0)

    package init() {}

    package func contains(_ sequence: Int64) -> Bool {
        let key = sequence >> 6
        return (key == last.key ? last.word : words[key] ?? 0) & Self.bit(of: sequence) != 0
    }

    /// Inserts a number and returns whether it was not in the set yet. Negative numbers, which occur only in
    /// damaged stores, are never in the set.
    @discardableResult
    package mutating func insert(_ sequence: Int64) -> Bool {
        guard sequence >= 0 else { return false }
        select(sequence >> 6)
        defer { last.word |= Self.bit(of: sequence) }
        return last.word & Self.bit(of: sequence) == 0
    }

    mutating func remove(_ sequence: Int64) {
        guard sequence >= 0 else { return }
        select(sequence >> 6)
        last.word &= ~Self.bit(of: sequence)
    }

    private mutating func select(_ key: Int64) {
        guard key != last.key else { return }
        if last.key != .min { words[last.key] = last.word }
        last = (key, words.removeValue(forKey: key) ?? 0)
    }

    private static func bit(of sequence: Int64) -> UInt64 { 1 << UInt64(sequence & 63) }
}
