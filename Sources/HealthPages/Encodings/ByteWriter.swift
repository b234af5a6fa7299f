/// Collects little-endian bytes. The counterpart of ``ByteReader``.
///
/// It owns its memory instead of an array, because a small save spends more time on an array's checks, byte by byte,
/// than on the bytes.
struct ByteWriter: ~Copyable {
    private var storage: UnsafeMutableRawBufferPointer
    /// The number of bytes written.
    private(set) var count = 0

    /// Creates a writer with room for a number of bytes; it grows when it needs more.
    init(capacity: Int = 0) {
        storage = capacity > 0 ? .allocate(byteCount: capacity, alignment: 8) : .init(start: nil, count: 0)
    }

    deinit {
        storage.deallocate()
    }

    /// A copy of the bytes written.
    var bytes: [UInt8] { Array(written) }

    /// The bytes written, which are valid until the next change.
    private var written: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: storage.baseAddress, count: count)
    }

    /// Calls `body` with the bytes written.
    func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        body(written)
    }

    /// Returns the place of the next bytes, of which there is room for `size`. The caller initializes them and adds
    /// their number to ``count``.
    @inline(__always)
    private mutating func room(_ size: Int) -> UnsafeMutableRawPointer {
        if count &+ size > storage.count { grow(by: size) }
        return storage.baseAddress.unsafelyUnwrapped + count
    }

    @inline(never)
    private mutating func grow(by size: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(64, 2 * storage.count, count + size), alignment: 8)
        larger.copyMemory(from: written)
        storage.deallocate()
        storage = larger
    }

    mutating func byte(_ value: UInt8) {
        room(1).storeBytes(of: value, as: UInt8.self)
        count &+= 1
    }

    mutating func fixed32(_ value: UInt32) {
        room(4).storeBytes(of: value.littleEndian, as: UInt32.self)
        count &+= 4
    }

    mutating func fixed64(_ value: UInt64) {
        room(8).storeBytes(of: value.littleEndian, as: UInt64.self)
        count &+= 8
    }

    /// Writes the lowest bytes of a number, up to eight.
    mutating func low(_ size: Int, of value: UInt64) {
        room(8).storeBytes(of: value.littleEndian, as: UInt64.self)
        count &+= size
    }

    mutating func raw(_ more: [UInt8]) {
        more.withUnsafeBytes { raw($0) }
    }

    mutating func raw(_ more: UnsafeRawBufferPointer) {
        guard let source = more.baseAddress, !more.isEmpty else { return }
        room(more.count).copyMemory(from: source, byteCount: more.count)
        count &+= more.count
    }

    mutating func zeros(_ size: Int) {
        room(size).initializeMemory(as: UInt8.self, repeating: 0, count: size)
        count &+= size
    }

    /// Appends `size` bytes, which `fill` initializes.
    mutating func filling(_ size: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
        fill(room(size))
        count &+= size
    }

    /// Overwrites four bytes.
    mutating func replace32(_ value: UInt32, at offset: Int) {
        precondition(offset >= 0 && offset + 4 <= count, "only what was written can be replaced")
        storage.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// Removes the bytes from an offset on.
    mutating func removeAll(from offset: Int) {
        precondition(offset >= 0 && offset <= count, "only what was written can be removed")
        count = offset
    }
}

extension ByteWriter {
    /// Writes a varint: seven bits per byte, lowest first; the top bit indicates that more follow.
    mutating func unsigned(_ value: UInt64) {
        let target = room(10)
        var rest = value
        var size = 0
        while rest >= 0x80 {
            target.storeBytes(of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: size, as: UInt8.self)
            rest &>>= 7
            size &+= 1
        }
        target.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: size, as: UInt8.self)
        count &+= size &+ 1
    }

    mutating func unsigned(_ value: Int) {
        unsigned(UInt64(value))
    }

    /// Writes a zigzag varint, so that small magnitudes are short.
    mutating func signed(_ value: Int64) {
        unsigned(Varint.zigzag(value))
    }
}

/// Arithmetic of variable-length integers.
enum Varint {
    /// Maps 0, -1, 1, -2 … to 0, 1, 2, 3 …
    @inline(__always)
    static func zigzag(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    @inline(__always)
    static func unzigzag(_ value: UInt64) -> Int64 {
        Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// The length in bytes of ``ByteWriter/unsigned(_:)-(UInt64)`` for a number with a number of bits.
    @inline(__always)
    static func size(bits: Int) -> Int {
        bits <= 7 ? 1 : (bits + 6) / 7
    }

    /// The length in bytes of ``ByteWriter/signed(_:)``.
    @inline(__always)
    static func size(signed value: Int64) -> Int {
        size(bits: 64 - zigzag(value).leadingZeroBitCount)
    }
}

/// A double in as few bytes as possible: 1 byte for zero, 2 to 5 for most values and whole-second instants, 9 at
/// most.
///
/// The first byte contains the decimal exponent (0–12) in its high half and the number of bytes of the zigzag
/// integer that follows (0–7) in its low half; or it is 0xFF, followed by the eight bytes of the bit pattern.
enum CompactNumber {
    static let rawTag: UInt8 = 0xFF
}

extension ByteWriter {
    mutating func number(_ value: Double) {
        guard let exponent = DecimalScaling.exponent(of: value) else {
            byte(CompactNumber.rawTag)
            fixed64(value.bitPattern)
            return
        }
        let integer = Varint.zigzag(DecimalScaling.scale(value, DecimalScaling.power(exponent)).integer)
        let size = (71 - integer.leadingZeroBitCount) / 8
        byte(UInt8(exponent << 4 | size))
        low(size, of: integer)
    }

    mutating func optionalNumber(_ value: Double?) {
        byte(value == nil ? 0 : 1)
        if let value { number(value) }
    }
}
