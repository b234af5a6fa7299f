/// Some of a dictionary's numbers (source revisions, devices), 0 included.
struct NumberSet: Sendable {
    /// By number; numbers beyond the end are not in the set.
    private let flags: [Bool]

    /// The numbers up to `count` for which `isIn` says so.
    init(upTo count: Int, where isIn: (UInt32) -> Bool) {
        flags = (0...UInt32(count)).map(isIn)
    }

    @inline(__always)
    func contains(_ number: UInt32) -> Bool {
        number < flags.count && flags[Int(number)]
    }

    /// Whether all of these numbers are in the set, none of them, or (`nil`) some.
    func verdict(_ numbers: [UInt32]) -> Bool? {
        let inside = numbers.count { contains($0) }
        return inside == 0 ? false : inside == numbers.count ? true : nil
    }
}
