/// One metadata value, in the four kinds an application may store: text, number, date, quantity.
public enum MetadataValue: Hashable, Sendable, Codable {
    /// A text.
    case string(String)
    /// A number that was given as true or false.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// A value and its unit string.
    case quantity(Double, unit: String)

    /// The value as a number, where it is one (booleans are 0 and 1).
    public var number: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .string, .date, .quantity: nil
        }
    }
}
