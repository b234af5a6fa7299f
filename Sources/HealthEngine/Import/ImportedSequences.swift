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
            ranges.flatMap { [$0.lowerBound, $0.upperBound] }, namespace: Self.namespace, key: Self.key, in: transaction)
    }

    /// Appends a range above all others.
    mutating func append(_ range: ClosedRange<Int64>) {
        ranges.join(range, within: 1)
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

    /// Whether any number of the range is in the set.
    func overlaps(_ range: ClosedRange<Int64>) -> Bool {
        ranges.contains { $0.overlaps(range) }
    }
}

/// A set of sequence numbers, one bit each, in blocks allocated on first use.
struct SequenceBits: Sendable {
    /// 65,536 numbers, 8 KiB.
    private static let wordsPerBlock = 1_024
    /// Blocks by number. Numbers are mostly consecutive, but a restored store leaves out trillions of them.
    private var blocks: [Int64: [UInt64]] = [:]

    func contains(_ sequence: Int64) -> Bool {
        let (block, word, bit) = Self.place(of: sequence)
        guard let words = blocks[block] else { return false }
        return words[word] & bit != 0
    }

    /// Inserts a number and returns whether it was not in the set yet. Negative numbers, which occur only in
    /// damaged stores, are never in the set.
    mutating func insert(_ sequence: Int64) -> Bool {
        guard sequence >= 0 else { return false }
        let (block, word, bit) = Self.place(of: sequence)
        return Self.set(bit, in: &blocks[block, default: Array(repeating: 0, count: Self.wordsPerBlock)][word])
    }

    private static func set(_ bit: UInt64, in word: inout UInt64) -> Bool {
        defer { word |= bit }
        return word & bit == 0
    }

    mutating func remove(_ sequence: Int64) {
        let (block, word, bit) = Self.place(of: sequence)
        blocks[block]?[word] &= ~bit
    }

    private static func place(of sequence: Int64) -> (block: Int64, word: Int, bit: UInt64) {
        (sequence >> 16, Int(sequence >> 6 & 1_023), 1 << UInt64(sequence & 63))
    }
}
