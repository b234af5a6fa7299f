import HealthModel

/// What a `Record` turned out to be.
enum RecordOutcome {
    case sample(ParsedSample)
    /// Kept as it was read, under this identifier: this version has no column for its value.
    case document(identifier: String)
    /// It cannot be understood. The reason holds no value.
    case invalid(type: String, reason: String)
}
