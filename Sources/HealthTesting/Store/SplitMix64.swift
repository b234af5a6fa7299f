package import Foundation

/// A small random number generator with a reproducible sequence, for test data. Do not use it for secrets.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates a generator.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns `true` with a probability of one in `n`.
    package mutating func oneIn(_ n: Int) -> Bool {
        Int.random(in: 0..<n, using: &self) == 0
    }

    /// Returns one of the elements, which must not be empty.
    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }

    /// Returns a random UUID.
    package mutating func uuid() -> UUID {
        var bytes = (next(), next())
        return withUnsafeBytes(of: &bytes) { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns random bytes.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}
