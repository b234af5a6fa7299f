/// A set of sequence numbers, one bit each, in blocks made when first needed.
struct SequenceBits: Sendable {
    /// 65,536 numbers, 8 KiB.
    private static let wordsPerBlock = 1_024
    private var blocks: [Int64: [UInt64]] = [:]

    func contains(_ sequence: Int64) -> Bool {
        let (block, word, bit) = Self.place(of: sequence)
        return (blocks[block]?[word] ?? 0) & bit != 0
    }

    /// Returns whether the number was not there yet.
    mutating func insert(_ sequence: Int64) -> Bool {
        let (block, word, bit) = Self.place(of: sequence)
        let isNew = !contains(sequence)
        blocks[block, default: Array(repeating: 0, count: Self.wordsPerBlock)][word] |= bit
        return isNew
    }

    mutating func remove(_ sequence: Int64) {
        let (block, word, bit) = Self.place(of: sequence)
        blocks[block]?[word] &= ~bit
    }

    private static func place(of sequence: Int64) -> (block: Int64, word: Int, bit: UInt64) {
        (sequence >> 16, Int(sequence >> 6 & 1_023), 1 << UInt64(sequence & 63))
    }
}
