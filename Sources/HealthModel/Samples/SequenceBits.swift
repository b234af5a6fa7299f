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

    package mutating func remove(_ sequence: Int64) {
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
