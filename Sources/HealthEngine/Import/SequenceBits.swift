/// A set of sequence numbers, one bit each, in blocks made when first needed.
struct SequenceBits: Sendable {
    /// 65,536 numbers, 8 KiB.
    private static let wordsPerBlock = 1_024
    /// Block by place; one that nothing was put into is empty. Sequences are handed out one after the
    /// other, so the list is as long as the store is old: eight bytes for 65,536 numbers.
    private var blocks: [[UInt64]] = []

    func contains(_ sequence: Int64) -> Bool {
        let (block, word, bit) = Self.place(of: sequence)
        guard block < blocks.count, !blocks[block].isEmpty else { return false }
        return blocks[block][word] & bit != 0
    }

    /// Returns whether the number was not there yet. Sequences are not negative.
    mutating func insert(_ sequence: Int64) -> Bool {
        let (block, word, bit) = Self.place(of: sequence)
        if block >= blocks.count { blocks.append(contentsOf: repeatElement([], count: block + 1 - blocks.count)) }
        if blocks[block].isEmpty { blocks[block] = Array(repeating: 0, count: Self.wordsPerBlock) }
        let isNew = blocks[block][word] & bit == 0
        blocks[block][word] |= bit
        return isNew
    }

    mutating func remove(_ sequence: Int64) {
        let (block, word, bit) = Self.place(of: sequence)
        guard block < blocks.count, !blocks[block].isEmpty else { return }
        blocks[block][word] &= ~bit
    }

    private static func place(of sequence: Int64) -> (block: Int, word: Int, bit: UInt64) {
        (Int(sequence >> 16), Int(sequence >> 6 & 1_023), 1 << UInt64(sequence & 63))
    }
}
