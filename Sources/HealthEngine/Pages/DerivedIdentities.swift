public import Foundation

/// The UUIDs of samples saved without one: a keyed permutation of the sequence number, which takes no storage, never
/// changes, and can be converted back.
///
/// Layout: bytes 0–7 are the permuted sequence and bytes 8–15 a keyed check of it, with the version (8, RFC 9562
/// “custom”) and variant bits set in both.
public struct DerivedIdentities: Hashable, Sendable {
    /// The store's seed.
    public let seed: UInt64

    /// Creates the derivation for the store with this seed.
    public init(seed: UInt64) {
        self.seed = seed
    }

    /// Returns the UUID of the sample with this sequence.
    public func uuid(for sequence: Int64) -> UUID {
        // The version takes four bits of the first half, so only 60 bits are permuted. Sequence numbers stay far below
        // 2^60.
        let permuted = Self.encrypt(UInt64(bitPattern: sequence) & Self.mask, key: seed)
        let high = (permuted >> 12) << 16 | 0x8000 | (permuted & 0xFFF)
        let check = Self.mix(permuted ^ Self.mix(seed)) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) {
            $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
            $0.storeBytes(of: check.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return UUID(uuid: bytes)
    }

    /// Returns the sequence that a UUID was derived from, or `nil` if this store did not derive it.
    public func sequence(of uuid: UUID) -> Int64? {
        var bytes = uuid.uuid
        let (high, check) = withUnsafeBytes(of: &bytes) {
            (
                UInt64(bigEndian: $0.load(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self))
            )
        }
        guard high & 0xF000 == 0x8000 else { return nil }
        let permuted = (high >> 16) << 12 | (high & 0xFFF)
        let expected = Self.mix(permuted ^ Self.mix(seed)) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        guard check == expected else { return nil }
        return Int64(bitPattern: Self.decrypt(permuted, key: seed))
    }

    private static let mask: UInt64 = (1 << 60) - 1
    private static let half: UInt64 = (1 << 30) - 1

    /// Four Feistel rounds over two 30-bit halves: a permutation whatever the round function is.
    private static func encrypt(_ value: UInt64, key: UInt64) -> UInt64 {
        var left = value >> 30 & half
        var right = value & half
        for round in 0..<4 as Range<UInt64> {
            (left, right) = (right, left ^ (mix(right ^ key &+ round &* 0x9E37_79B9_7F4A_7C15) & half))
        }
        return left << 30 | right
    }

    private static func decrypt(_ value: UInt64, key: UInt64) -> UInt64 {
        var left = value >> 30 & half
        var right = value & half
        for round in (0..<4 as Range<UInt64>).reversed() {
            (left, right) = (right ^ (mix(left ^ key &+ round &* 0x9E37_79B9_7F4A_7C15) & half), left)
        }
        return left << 30 | right
    }

    /// The finalizer of SplitMix64 (Steele, Lea, Flood 2014).
    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
