/// A value of CBOR (RFC 8949), as far as signed certificates use it.
enum CBORValue: Hashable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case list([CBORValue])
    /// Keys are numbers or texts.
    case map([CBORValue: CBORValue])
    /// A value with a number that says what it is.
    indirect case tagged(UInt64, CBORValue)
    case number(Double)
    case bool(Bool)
    case null

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var list: [CBORValue]? { if case .list(let list) = self { list } else { nil } }

    /// A number of either kind.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value under a key; `nil` where there is none, and of what is no map.
    subscript(key: CBORValue) -> CBORValue? { if case .map(let map) = self { map[key] } else { nil } }
    subscript(key: String) -> CBORValue? { self[.text(key)] }
    subscript(key: Int64) -> CBORValue? { self[.integer(key)] }
}
