/// A CBOR value (RFC 8949), limited to what signed certificates use.
enum CBORValue: Hashable, Sendable {
    case integer(Int64)
    case bytes([UInt8])
    case text(String)
    case list([CBORValue])
    /// Keys are numbers or texts.
    case map([CBORValue: CBORValue])
    /// A value with a number that identifies its meaning.
    indirect case tagged(UInt64, CBORValue)
    case number(Double)
    case bool(Bool)
    case null

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var bytes: [UInt8]? { if case .bytes(let bytes) = self { bytes } else { nil } }
    var list: [CBORValue]? { if case .list(let list) = self { list } else { nil } }

    /// An integer or a floating-point number.
    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    /// The value for a key; `nil` if there is none, or if this is not a map.
    subscript(key: CBORValue) -> CBORValue? { if case .map(let map) = self { map[key] } else { nil } }
    subscript(key: String) -> CBORValue? { self[.text(key)] }
    subscript(key: Int64) -> CBORValue? { self[.integer(key)] }
}

/// Reads one CBOR value. Lengths are checked before anything is allocated, and depth is limited: bytes that
/// are not CBOR throw, and cost no more than their own length.
struct CBORReader {
    /// The bytes are not a value, or continue after one.
    struct Failure: Error {}

    /// Deeper than any certificate nests.
    private static let maximumDepth = 16

    private let bytes: ArraySlice<UInt8>
    private var position: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// - Throws: ``Failure``.
    static func value(of bytes: [UInt8]) throws(Failure) -> CBORValue {
        var reader = CBORReader(bytes[...])
        let value = try reader.value(depth: 0)
        guard reader.position == reader.bytes.endIndex else { throw Failure() }
        return value
    }

    private mutating func read(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.endIndex - position else { throw Failure() }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func number(_ count: Int) throws(Failure) -> UInt64 {
        try read(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func value(depth: Int) throws(Failure) -> CBORValue {
        guard depth < Self.maximumDepth, let head = try read(1).first else { throw Failure() }
        let (major, short) = (head >> 5, head & 0x1F)
        if major == 7 { return try simple(short) }
        let argument: UInt64
        switch short {
        case 0..<24: argument = UInt64(short)
        case 24...27: argument = try number(1 << Int(short - 24))
        // Signed data contains no values of indefinite length.
        default: throw Failure()
        }
        switch major {
        case 0, 1:
            guard let value = Int64(exactly: argument) else { throw Failure() }
            return .integer(major == 0 ? value : -1 - value)
        case 2: return .bytes(Array(try read(length(argument))))
        case 3:
            guard let text = String(validating: try read(length(argument)), as: UTF8.self) else { throw Failure() }
            return .text(text)
        case 4:
            var list: [CBORValue] = []
            for _ in 0..<(try length(argument)) { list.append(try value(depth: depth + 1)) }
            return .list(list)
        case 5:
            var map: [CBORValue: CBORValue] = [:]
            for _ in 0..<(try length(argument)) {
                let key = try value(depth: depth + 1)
                map[key] = try value(depth: depth + 1)
            }
            return .map(map)
        default: return .tagged(argument, try value(depth: depth + 1))
        }
    }

    /// A count of bytes or elements, each of which occupies at least one byte.
    private func length(_ argument: UInt64) throws(Failure) -> Int {
        guard argument <= UInt64(bytes.endIndex - position) else { throw Failure() }
        return Int(argument)
    }

    private mutating func simple(_ short: UInt8) throws(Failure) -> CBORValue {
        switch short {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22, 23: return .null
        case 26: return .number(Double(Float(bitPattern: UInt32(try number(4)))))
        case 27: return .number(Double(bitPattern: try number(8)))
        default: throw Failure()
        }
    }
}
