/// Which pages or objects of one type a visit covers.
public enum PageWindow: Hashable, Sendable {
    /// All of the type.
    case all
    /// Those whose first start is below `startsBefore` and whose greatest end is at or above
    /// `endsAtOrAfter`; a `nil` bound leaves that side open.
    case time(startsBefore: Double?, endsAtOrAfter: Double?)
    /// Those with a sequence above this one.
    case sequencesAfter(Int64)
    /// Those whose sequence range includes this one.
    case containing(sequence: Int64)
}
