public import Foundation

/// One value of a document: the plain kinds the original's objects are made of, lists and records of them.
public indirect enum FieldValue: Hashable, Sendable, Codable {
    /// True or false.
    case bool(Bool)
    /// A whole number; raw values of enumerations are kept so.
    case integer(Int64)
    /// A number without a unit, or in the unit the field's name says.
    case double(Double)
    /// A text.
    case string(String)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// The identity of another object.
    case uuid(UUID)
    /// Bytes the store does not look into.
    case data([UInt8])
    /// A number with its unit.
    case quantity(QuantityRecord)
    /// Several values in order.
    case list([FieldValue])
    /// Values by name, for parts that have fields of their own.
    case record([String: FieldValue])

    /// The value as a number, where it is one: booleans are 0 and 1, dates their seconds.
    public var number: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value), .date(let value): value
        case .string, .uuid, .data, .quantity, .list, .record: nil
        }
    }

    /// The elements of a list; the value alone where it is none.
    public var elements: [FieldValue] {
        if case .list(let elements) = self { elements } else { [self] }
    }
}
