/// The places of all source revisions when overlapping data of one type is merged.
struct MergeOrder: Sendable {
    /// The place of a sample that says a person typed it in: before every source.
    static let enteredByHand: Int32 = 0

    /// Places by revision number, smaller is better, all above ``enteredByHand``; revisions of one
    /// source share a place. Entry 0 (no revision) and numbers beyond the end come last.
    let places: [Int32]
    /// By revision number: whether the person has switched the source off for this type.
    let disabled: [Bool]
    /// Whether any source is switched off.
    let hasDisabled: Bool
    /// Place of revisions this order does not know.
    let lastPlace: Int32

    /// The place of a revision's samples that were not entered by hand.
    func place(ofRevision revision: UInt32) -> Int32 {
        Int(revision) < places.count ? places[Int(revision)] : lastPlace
    }

    /// Whether samples of the revision count in merged statistics.
    func isEnabled(revision: UInt32) -> Bool {
        !(Int(revision) < disabled.count && disabled[Int(revision)])
    }
}
