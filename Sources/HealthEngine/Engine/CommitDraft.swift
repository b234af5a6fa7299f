import HealthModel

/// What a write under way will have done, gathered for its notice.
struct CommitDraft {
    var types: Set<TypeCode> = []
    var sequences: ClosedRange<Int64>?
    var settingsChanged = false

    /// What a save knows of the ends of its types. Whoever else changes pages leaves `keepsShortPages` false.
    var shortPages = ShortPages()
    /// Whether `shortPages` is true of the store after this write.
    var keepsShortPages = false

    /// Whether anything happened that an observer should hear of.
    var isWorthTelling: Bool { !types.isEmpty || settingsChanged }

    /// Adds a run of sequence numbers that was taken.
    mutating func took(_ count: Int, from first: Int64) {
        guard count > 0 else { return }
        let last = first + Int64(count) - 1
        sequences = min(sequences?.lowerBound ?? first, first)...max(sequences?.upperBound ?? last, last)
    }
}
