/// Samples picked by their place in the sequence.
struct SequenceSet: Sendable {
    /// Sequences that are meant whatever identity the sample has; ascending.
    let plain: [Int64]
    /// Sequences that are meant only if the sample's identity is derived; ascending.
    let derived: [Int64]

    init(plain: [Int64], derived: [Int64] = []) {
        self.plain = plain
        self.derived = derived
    }

    /// How many sequences there are, at most.
    var count: Int { plain.count + derived.count }

    func contains(_ sequence: Int64, hasGivenIdentity: Bool) -> Bool {
        plain.containsSorted(sequence) || (!hasGivenIdentity && derived.containsSorted(sequence))
    }

    /// Whether a sequence of the set may lie within these bounds, ends included.
    func reaches(from least: Int64, to greatest: Int64) -> Bool {
        [plain, derived].contains { list in
            let place = list.lowerBound(of: least)
            return place < list.count && list[place] <= greatest
        }
    }
}
