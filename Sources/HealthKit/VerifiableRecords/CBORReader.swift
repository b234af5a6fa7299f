/// Reads one value of CBOR. Lengths are checked before anything is allocated, and depth is limited: bytes
/// that are no CBOR give an error and cost no more than their own length.
struct CBORReader {
    /// Bytes that are no value, or go on after it.
    struct Failure: Error {}

    /// Deeper than any certificate nests.
    private static let greatestDepth = 16

    private let bytes: ArraySlice<UInt8>
    private var place: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    /// - Throws: ``Failure``.
    static func value(of bytes: [UInt8]) throws(Failure) -> CBORValue {
        var reader = CBORReader(bytes[...])
        let value = try reader.value(depth: 0)
        guard reader.place == reader.bytes.endIndex else { throw Failure() }
        return value
    }

    private mutating func take(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
        guard count >= 0, count <= bytes.endIndex - place else { throw Failure() }
        defer { place += count }
        return bytes[place..<place + count]
    }

    private mutating func number(_ count: Int) throws(Failure) -> UInt64 {
        try take(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func value(depth: Int) throws(Failure) -> CBORValue {
        guard depth < Self.greatestDepth, let head = try take(1).first else { throw Failure() }
        let (major, short) = (head >> 5, head & 0x1F)
        if major == 7 { return try simple(short) }
        let argument: UInt64
        switch short {
        case 0..<24: argument = UInt64(short)
        case 24...27: argument = try number(1 << Int(short - 24))
        // Values of no definite length are not used in what is signed.
        default: throw Failure()
        }
        switch major {
        case 0, 1:
            guard let value = Int64(exactly: argument) else { throw Failure() }
            return .integer(major == 0 ? value : -1 - value)
        case 2: return .bytes(Array(try take(length(argument))))
        case 3:
            guard let text = String(validating: try take(length(argument)), as: UTF8.self) else { throw Failure() }
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

    /// A count of bytes or elements, each of which takes at least a byte.
    private func length(_ argument: UInt64) throws(Failure) -> Int {
        guard argument <= UInt64(bytes.endIndex - place) else { throw Failure() }
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
