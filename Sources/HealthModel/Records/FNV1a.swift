/// The 64-bit FNV-1a hash of Glenn Fowler, Landon Curt Noll and Phong Vo
/// (<http://www.isthe.com/chongo/tech/comp/fnv/>): the same on every run and machine, unlike `Hasher`. It names files
/// and is part of stored identifiers, so it must never change.
package enum FNV1a {
    /// The hash of the bytes.
    ///
    /// - Parameter seed: The hash of the bytes before these; the algorithm's offset basis if these are the first.
    @inlinable
    package static func hash(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
