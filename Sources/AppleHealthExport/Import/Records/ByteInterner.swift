import Foundation

/// Numbers byte strings in order of first occurrence. A hash table with open addressing over copies of the bytes;
/// looking up a known string allocates nothing.
struct ByteInterner: ~Copyable {
    private struct Slot {
        var hash: UInt64
        var number: Int32
        var length: Int32
        var bytes: UnsafeMutablePointer<UInt8>?
    }

    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    private(set) var count = 0

    init() {
        mask = 255
        slots = .allocate(capacity: 256)
        slots.initialize(repeating: Slot(hash: 0, number: -1, length: 0, bytes: nil), count: 256)
    }

    deinit {
        for index in 0...mask { slots[index].bytes?.deallocate() }
        slots.deallocate()
    }

    /// Returns the number of the bytes, and whether they are new.
    mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> (number: Int, isNew: Bool) {
        let hash = Self.hash(bytes)
        var index = Int(truncatingIfNeeded: hash) & mask
        while slots[index].number >= 0 {
            if slots[index].hash == hash, Int(slots[index].length) == bytes.count,
                bytes.isEmpty || memcmp(slots[index].bytes!, bytes.baseAddress!, bytes.count) == 0
            {
                return (Int(slots[index].number), false)
            }
            index = (index + 1) & mask
        }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        if let base = bytes.baseAddress { copy.update(from: base, count: bytes.count) }
        slots[index] = Slot(hash: hash, number: Int32(count), length: Int32(bytes.count), bytes: copy)
        count += 1
        if count * 2 > mask { grow() }
        return (count - 1, true)
    }

    private mutating func grow() {
        let oldMask = mask
        let old = slots
        mask = mask * 2 + 1
        slots = .allocate(capacity: mask + 1)
        slots.initialize(repeating: Slot(hash: 0, number: -1, length: 0, bytes: nil), count: mask + 1)
        for place in 0...oldMask where old[place].number >= 0 {
            var index = Int(truncatingIfNeeded: old[place].hash) & mask
            while slots[index].number >= 0 { index = (index + 1) & mask }
            slots[index] = old[place]
        }
        old.deallocate()
    }

    /// Mixes in eight bytes per step by a widening multiplication.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
        guard let base = bytes.baseAddress else { return hash }
        let raw = UnsafeRawPointer(base)
        var position = 0
        while position + 8 <= bytes.count {
            hash = mix(hash ^ raw.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            position += 8
        }
        var rest: UInt64 = 0
        while position < bytes.count {
            rest = rest << 8 | UInt64(bytes[position])
            position += 1
        }
        return mix(hash ^ rest)
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = (value ^ 0x2545_F491_4F6C_DD1D).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
        return product.low ^ product.high
    }
}
