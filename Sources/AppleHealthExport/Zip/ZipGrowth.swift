/// How much an entry may grow when it is unpacked. Exports pack to a twentieth of their size, seldom to
/// less than a fortieth; what packs to a thousandth was made to fill disks.
enum ZipGrowth {
    /// Up to a factor of 250 beyond the first 64 MB.
    case bounded
    /// Whatever it grows to.
    case unbounded

    static let greatestFactor = 250
    static let freeLength = 1 << 26

    func allows(_ produced: Int, from packed: Int) -> Bool {
        switch self {
        case .unbounded: true
        case .bounded: produced <= Self.freeLength || produced / Self.greatestFactor <= packed
        }
    }
}
