import HealthModel

/// What a piece of the main file wants to have told in the supplement.
enum SupplementEntry: Sendable {
    /// Samples of which the first is at this place among the piece's records of its type.
    case records(TypeCode, place: Int, SupplementPage)
    /// An object, at this place among the piece's of its type, or without a place in the archive.
    case object(ObjectRecord, place: Int?, members: [SupplementPage])
}
