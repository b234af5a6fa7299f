/// XXH64 with seed 0, after Yann Collet's public specification. Its four independent lanes of plain 64-bit
/// arithmetic make checking a page of samples cost a few percent of decoding it.
package enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    package static func of(_ bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { of($0) }
    }

    /// A checksum as 16 hexadecimal digits.
    package static func text(of bytes: UnsafeRawBufferPointer) -> String {
        let digits = String(of(bytes), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        var hash = prime5
        var offset = 0
        if let base = bytes.baseAddress, count > 0 {
            if count >= 32 {
                hash = lanes(base, count: count, offset: &offset)
            }
            hash = hash &+ UInt64(count)
            while offset + 8 <= count {
                hash = rotate(hash ^ round(0, load64(base, offset)), 27) &* prime1 &+ prime4
                offset += 8
            }
            if offset + 4 <= count {
                let word = UInt64(UInt32(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
                hash = rotate(hash ^ (word &* prime1), 23) &* prime2 &+ prime3
                offset += 4
            }
            while offset < count {
                let byte = UInt64(base.load(fromByteOffset: offset, as: UInt8.self))
                hash = rotate(hash ^ (byte &* prime5), 11) &* prime1
                offset += 1
            }
        }
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    private static func lanes(_ base: UnsafeRawPointer, count: Int, offset: inout Int) -> UInt64 {
        var lane1 = prime1 &+ prime2
        var lane2 = prime2
        var lane3: UInt64 = 0
        var lane4 = 0 &- prime1
        var place = 0
        while place + 32 <= count {
            lane1 = round(lane1, load64(base, place))
            lane2 = round(lane2, load64(base, place + 8))
            lane3 = round(lane3, load64(base, place + 16))
            lane4 = round(lane4, load64(base, place + 24))
            place += 32
        }
        offset = place
        var hash = rotate(lane1, 1) &+ rotate(lane2, 7) &+ rotate(lane3, 12) &+ rotate(lane4, 18)
        hash = merge(hash, lane1)
        hash = merge(hash, lane2)
        hash = merge(hash, lane3)
        return merge(hash, lane4)
    }

    @inline(__always)
    private static func round(_ lane: UInt64, _ input: UInt64) -> UInt64 {
        rotate(lane &+ input &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func merge(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    @inline(__always)
    private static func rotate(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        (value &<< bits) | (value &>> (64 &- bits))
    }

    @inline(__always)
    private static func load64(_ base: UnsafeRawPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}
