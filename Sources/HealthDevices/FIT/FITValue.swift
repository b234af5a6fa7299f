import HealthFiles

/// The value of a field as it is stored. An invalid value isn't one; in a list it is ``invalid``, or NaN.
enum FITValue: Hashable, Sendable {
    case integer(Int64)
    case real(Double)
    // Boxed: all values would be twice as large.
    indirect case text(String)
    case integers([Int64])
    case reals([Double])

    /// An entry of a list without a value.
    static let invalid = Int64.min

    /// Reads a value whose size is a multiple of its type's; `nil` if it is invalid.
    init?(_ bytes: UnsafeRawBufferPointer, _ base: FITBaseType, isBigEndian: Bool) {
        switch base {
        case .string:
            let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            if text.isEmpty { return nil }
            self = .text(text)
        case .float32, .float64:
            let numbers = stride(from: 0, to: bytes.count, by: base.size).map {
                Self.real(bytes, at: $0, base, isBigEndian: isBigEndian)
            }
            guard numbers.contains(where: { !$0.isNaN }) else { return nil }
            self = numbers.count == 1 ? .real(numbers[0]) : .reals(numbers)
        case .byte where bytes.count > 1:
            // The bytes are one value, which is invalid as a whole.
            guard bytes.contains(where: { $0 != 0xFF }) else { return nil }
            self = .integers(bytes.map(Int64.init))
        default:
            if bytes.count == base.size {
                let number = Self.integer(bytes, at: 0, base, isBigEndian: isBigEndian)
                guard number != Self.invalid else { return nil }
                self = .integer(number)
                return
            }
            let numbers = stride(from: 0, to: bytes.count, by: base.size).map {
                Self.integer(bytes, at: $0, base, isBigEndian: isBigEndian)
            }
            guard numbers.contains(where: { $0 != Self.invalid }) else { return nil }
            self = .integers(numbers)
        }
    }

    @inline(__always)
    private static func load<Number: FixedWidthInteger>(
        _ bytes: UnsafeRawBufferPointer, _ place: Int, _ isBigEndian: Bool, as type: Number.Type
    ) -> Number {
        let number = bytes.loadUnaligned(fromByteOffset: place, as: type)
        return isBigEndian ? Number(bigEndian: number) : Number(littleEndian: number)
    }

    @inline(__always)
    private static func integer(
        _ bytes: UnsafeRawBufferPointer, at place: Int, _ base: FITBaseType, isBigEndian: Bool
    ) -> Int64 {
        func read<Number: FixedWidthInteger>(_ type: Number.Type, invalid: Number) -> Int64 {
            let number = load(bytes, place, isBigEndian, as: type)
            // Numbers of 64 bits that aren't one here don't occur.
            return number == invalid ? Self.invalid : Int64(exactly: number) ?? Self.invalid
        }
        return switch base {
        case .enum, .uint8, .byte: read(UInt8.self, invalid: .max)
        case .sint8: read(Int8.self, invalid: .max)
        case .uint8z: read(UInt8.self, invalid: 0)
        case .sint16: read(Int16.self, invalid: .max)
        case .uint16: read(UInt16.self, invalid: .max)
        case .uint16z: read(UInt16.self, invalid: 0)
        case .sint32: read(Int32.self, invalid: .max)
        case .uint32: read(UInt32.self, invalid: .max)
        case .uint32z: read(UInt32.self, invalid: 0)
        case .sint64: read(Int64.self, invalid: .max)
        case .uint64: read(UInt64.self, invalid: .max)
        case .uint64z: read(UInt64.self, invalid: 0)
        case .string, .float32, .float64: Self.invalid
        }
    }

    private static func real(
        _ bytes: UnsafeRawBufferPointer, at place: Int, _ base: FITBaseType, isBigEndian: Bool
    ) -> Double {
        // All bits set, the invalid value, is a NaN.
        base == .float32
            ? Double(Float(bitPattern: load(bytes, place, isBigEndian, as: UInt32.self)))
            : Double(bitPattern: load(bytes, place, isBigEndian, as: UInt64.self))
    }
}
