import HealthModel
import HealthPages

/// The first sort key as one number per row, smaller is sooner, and what a page's header says of it.
enum SelectionRank {
    case startAscending, startDescending, endAscending, endDescending
    case sequenceAscending, sequenceDescending

    /// `nil` for keys that headers say nothing of.
    init?(_ sort: SampleSort?) {
        switch (sort?.key ?? .sequence, sort?.ascending ?? true) {
        case (.start, true): self = .startAscending
        case (.start, false): self = .startDescending
        case (.end, true): self = .endAscending
        case (.end, false): self = .endDescending
        case (.sequence, true): self = .sequenceAscending
        case (.sequence, false): self = .sequenceDescending
        case (.duration, _), (.value, _), (.workoutTotal, _): return nil
        }
    }

    /// A number no row of the page is below.
    func bound(_ header: PageHeader) -> Double {
        switch self {
        case .startAscending, .endAscending: header.firstStart
        case .startDescending: -header.lastStart
        case .endDescending: -header.greatestEnd
        case .sequenceAscending: Double(header.leastSequence)
        case .sequenceDescending: -Double(header.greatestSequence)
        }
    }

    func key(_ rows: SampleColumns, _ row: Int) -> Double {
        switch self {
        case .startAscending: rows.starts[row]
        case .startDescending: -rows.starts[row]
        case .endAscending: rows.ends[row]
        case .endDescending: -rows.ends[row]
        case .sequenceAscending: Double(rows.sequences[row])
        case .sequenceDescending: -Double(rows.sequences[row])
        }
    }

    /// The column the key is made from.
    var column: SampleColumnSet {
        switch self {
        case .startAscending, .startDescending: .starts
        case .endAscending, .endDescending: .ends
        case .sequenceAscending, .sequenceDescending: .sequences
        }
    }

    /// Whether pages in key order come with growing bounds already.
    var followsPages: Bool { self == .startAscending || self == .endAscending }
    /// Whether the last page is the likeliest place to look.
    var beginsAtTheEnd: Bool { self == .startDescending || self == .endDescending }
}
