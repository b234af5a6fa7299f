import Synchronization

/// Takes results that nobody needs, so that the compiler cannot leave their making out.
enum Sink {
    private static let bits = Atomic<UInt64>(0)

    static func take(_ integer: Int64, _ number: Double) {
        bits.store(UInt64(bitPattern: integer) ^ number.bitPattern, ordering: .relaxed)
    }
}
