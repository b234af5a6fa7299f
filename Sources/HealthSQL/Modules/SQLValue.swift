/// A value as SQL knows it.
public enum SQLValue: Hashable, Sendable {
    /// No value.
    case null
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

extension SQLValue {
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    init(_ number: Double?) { self = number.map { .real($0) } ?? .null }
    init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .null }
}
