import Foundation

/// One value of a property list, as keyed archives use them.
enum PropertyListNode {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    case data(Data)
    case text(String)
    /// The index of an archived object.
    case reference(Int)
    case list([PropertyListNode])
    case dictionary([String: PropertyListNode])

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var list: [PropertyListNode]? {
        if case .list(let list) = self { list } else { nil }
    }

    var dictionary: [String: PropertyListNode]? {
        if case .dictionary(let dictionary) = self { dictionary } else { nil }
    }

    /// A number of either kind.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// A whole number of either kind.
    var wholeNumber: Int? {
        switch self {
        case .integer(let number): Int(exactly: number)
        case .real(let number): Int(exactly: number)
        default: nil
        }
    }
}

/// What is wrong with a keyed archive. The description contains nothing of the archive's contents.
struct KeyedArchiveError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }

    /// The error that Foundation's unarchiver throws.
    var cocoaError: CocoaError {
        CocoaError(.coderReadCorrupt, userInfo: [NSDebugDescriptionErrorKey: description])
    }
}

/// Reads binary property lists, with every offset, count and reference checked.
///
/// The time and memory it takes are bounded by the size of the file, also for lists whose objects overlap or
/// contain each other.
struct BinaryPropertyListReader {
    private static let maximumDepth = 64
    private static let trailerLength = 32

    private let bytes: Data
    private let count: Int
    private let table: Int
    private let offsetSize: Int
    private let referenceSize: Int
    private var known: [Int: PropertyListNode] = [:]
    private var open: Set<Int> = []
    /// How many bytes and references may still be read. Objects of an undamaged list do not overlap.
    private var budget: Int

    /// The list in `data`.
    static func read(_ data: Data) throws(KeyedArchiveError) -> PropertyListNode {
        let bytes = Data(data)
        guard bytes.count >= 8 + trailerLength, bytes.starts(with: Data("bplist0".utf8)) else { throw damaged }
        let trailer = bytes.count - trailerLength
        func number(_ place: Int) -> Int? { Self.number(in: bytes, at: trailer + place, size: 8) }
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard let count = number(8), let top = number(16), let table = number(24),
            (1...8).contains(offsetSize), (1...8).contains(referenceSize), table >= 8, table <= trailer,
            count > 0, count <= (trailer - table) / offsetSize, top < count
        else { throw damaged }
        var reader = BinaryPropertyListReader(
            bytes: bytes, count: count, table: table, offsetSize: offsetSize, referenceSize: referenceSize,
            budget: bytes.count * 8)
        return try reader.node(top, depth: 0)
    }

    private static let damaged = KeyedArchiveError("The archive is not an undamaged property list.")

    /// An unsigned number, most significant byte first; `nil` for one that is not an `Int`.
    private static func number(in bytes: Data, at place: Int, size: Int) -> Int? {
        guard place >= 0, size >= 1, size <= 8, place <= bytes.count - size else { return nil }
        let value = bytes[place..<place + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(exactly: value)
    }

    private mutating func node(_ index: Int, depth: Int) throws(KeyedArchiveError) -> PropertyListNode {
        if let node = known[index] { return node }
        guard index >= 0, index < count, depth < Self.maximumDepth, open.insert(index).inserted,
            let offset = Self.number(in: bytes, at: table + index * offsetSize, size: offsetSize),
            offset >= 8, offset < table
        else { throw Self.damaged }
        let node = try node(at: offset, depth: depth)
        open.remove(index)
        known[index] = node
        return node
    }

    private mutating func node(at offset: Int, depth: Int) throws(KeyedArchiveError) -> PropertyListNode {
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 15))
        let body = offset + 1
        switch kind {
        case 0x0:
            switch low {
            case 0: return .null
            case 8: return .boolean(false)
            case 9: return .boolean(true)
            default: throw Self.damaged
            }
        case 0x1: return try integer(at: body, power: low)
        case 0x2: return .real(try real(at: body, power: low))
        case 0x3 where low == 3: return .date(try real(at: body, power: 3))
        case 0x4:
            let (start, length) = try extent(at: body, low: low, unit: 1)
            return .data(Data(bytes[start..<start + length]))
        case 0x5:
            let (start, length) = try extent(at: body, low: low, unit: 1)
            return .text(String(decoding: bytes[start..<start + length], as: UTF8.self))
        case 0x6:
            let (start, length) = try extent(at: body, low: low, unit: 2)
            let units = stride(from: start, to: start + length * 2, by: 2).map { (offset: Int) -> UInt16 in
                UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])
            }
            return .text(String(decoding: units, as: UTF16.self))
        case 0x8:
            guard low < 8, let value = Self.number(in: bytes, at: body, size: low + 1) else { throw Self.damaged }
            return .reference(value)
        case 0xA:
            let (start, length) = try extent(at: body, low: low, unit: referenceSize)
            return .list(try nodes(length, at: start, depth: depth))
        case 0xD:
            let (start, length) = try extent(at: body, low: low, unit: referenceSize * 2)
            let keys = try nodes(length, at: start, depth: depth)
            let values = try nodes(length, at: start + length * referenceSize, depth: depth)
            var dictionary: [String: PropertyListNode] = [:]
            for (key, value) in zip(keys, values) {
                guard let key = key.text else { throw Self.damaged }
                dictionary[key] = value
            }
            return .dictionary(dictionary)
        default: throw Self.damaged
        }
    }

    private mutating func nodes(_ count: Int, at start: Int, depth: Int) throws(KeyedArchiveError) -> [PropertyListNode]
    {
        var nodes: [PropertyListNode] = []
        nodes.reserveCapacity(count)
        for element in 0..<count {
            guard let index = Self.number(in: bytes, at: start + element * referenceSize, size: referenceSize) else {
                throw Self.damaged
            }
            nodes.append(try node(index, depth: depth + 1))
        }
        return nodes
    }

    /// Where the elements of a variable-length object are, and how many. All of them are before the offset table.
    private mutating func extent(at place: Int, low: Int, unit: Int) throws(KeyedArchiveError) -> (
        start: Int, count: Int
    ) {
        var (start, length) = (place, low)
        if low == 15 {
            guard place < table, bytes[place] >> 4 == 1, bytes[place] & 15 <= 3 else { throw Self.damaged }
            let size = 1 << Int(bytes[place] & 15)
            guard let number = Self.number(in: bytes, at: place + 1, size: size) else { throw Self.damaged }
            (start, length) = (place + 1 + size, number)
        }
        guard start <= table, length <= (table - start) / unit, length <= budget else { throw Self.damaged }
        budget -= length
        return (start, length)
    }

    private func integer(at place: Int, power: Int) throws(KeyedArchiveError) -> PropertyListNode {
        // Sizes below 8 bytes are unsigned, 8 bytes are signed, and 16 bytes hold what 8 cannot.
        guard power <= 4, place + (1 << power) <= table else { throw Self.damaged }
        let digits = bytes[place..<place + (1 << power)]
        let low = digits.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard power == 4 else { return .integer(Int64(bitPattern: low)) }
        guard digits.prefix(8).allSatisfy({ $0 == 0 }) else { throw Self.damaged }
        return .real(Double(low))
    }

    private func real(at place: Int, power: Int) throws(KeyedArchiveError) -> Double {
        guard power == 2 || power == 3, place + (1 << power) <= table else { throw Self.damaged }
        let pattern = bytes[place..<place + (1 << power)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return power == 2 ? Double(Float(bitPattern: UInt32(pattern))) : Double(bitPattern: pattern)
    }
}
