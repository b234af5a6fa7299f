extension PageHeader {
    /// What may be found among the samples. Raw values are those of the format.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// One bit a trait, as the header keeps them.
        public let rawValue: UInt8

        /// Makes a set of the traits whose bits are set.
        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// Some sample starts before an earlier one's end.
        public static let overlaps = Traits(rawValue: 1 << 0)
        /// Some sample has metadata.
        public static let metadata = Traits(rawValue: 1 << 1)
        /// Some sample's metadata says that a person typed it in.
        public static let userEntered = Traits(rawValue: 1 << 2)
        /// Some sample has a UUID given by an application.
        public static let givenUUIDs = Traits(rawValue: 1 << 3)
        /// Some sample has a creation date.
        public static let creations = Traits(rawValue: 1 << 4)
        /// Some sample starts and ends at one instant.
        public static let zeroLength = Traits(rawValue: 1 << 5)

        static let known = Traits(rawValue: 0x3F)
    }
}
