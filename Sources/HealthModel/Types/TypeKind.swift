/// What family a data type belongs to; it decides how its samples are stored.
public enum TypeKind: UInt8, Hashable, Sendable, Codable {
    /// A number with a unit. Stored in pages.
    case quantity = 1
    /// A member of an enumeration. Stored in pages, the value as a whole number.
    case category = 2
    /// A group of quantity and category samples. Stored as an object row with links.
    case correlation = 3
    /// A workout. Stored as an object row.
    case workout = 4
    /// A fact about the person, such as the date of birth. Not a sample.
    case characteristic = 5
    /// A day's activity rings. Computed, or an imported object row.
    case activitySummary = 6
    /// A long inner series (route, heartbeats). Stored as an object row.
    case series = 7
    /// Any other single object (ECG, audiogram, prescription, document). Stored as an object row.
    case document = 8

    /// Whether samples of this family live in pages.
    public var isPaged: Bool { self == .quantity || self == .category }
}
