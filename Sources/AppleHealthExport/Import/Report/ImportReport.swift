/// What an import did. Nothing in it is a health value.
public struct ImportReport: Hashable, Sendable {
    /// An element that was left out.
    public struct Skip: Hashable, Sendable, Codable {
        /// Line of the main file, from 1; 0 for a file beside it that it does not mention.
        public var line: Int
        /// The type identifier, or the element's name where it has none.
        public var type: String
        /// Why, as the end of a sentence about the element.
        public var reason: String

        /// Makes the mention of one element.
        public init(line: Int, type: String, reason: String) {
            self.line = line
            self.type = type
            self.reason = reason
        }
    }

    /// The files in one of the folders beside the main file.
    public struct Companions: Hashable, Sendable, Codable {
        /// How many there are.
        public var found: Int
        /// How many of them were read.
        public var read: Int

        /// Makes the count of a folder.
        public init(found: Int, read: Int) {
            self.found = found
            self.read = read
        }
    }

    /// New samples and objects, by type identifier.
    public var added: [String: Int] = [:]
    /// Those the store had already.
    public var alreadyThere: [String: Int] = [:]
    /// What earlier imports brought and the archive no longer has, where mirroring was asked for.
    public var removed: [String: Int] = [:]
    /// Whether the archive's bytes were known from the last import, so that nothing had to be read.
    public var isKnown = false
    /// Elements that could not be understood; they are not in the store.
    public var skipped: [String: Int] = [:]
    /// The first of those, in the order of the file.
    public var skips: [Skip] = []
    /// What was out of the ordinary but kept, with counts.
    public var notes: [String: Int] = [:]
    /// The line on which each of those was first met, from 1; what is of the whole file has none.
    public var noteLines: [String: Int] = [:]
    /// Files beside the main file, by the name of their folder.
    public var companions: [String: Companions] = [:]
    /// Identifiers of the characteristics that the archive gives.
    public var characteristics: [String] = []
    /// Those of them that the store did not have yet and has now.
    public var characteristicsAdded: [String] = []
    /// When the archive was made, in seconds since 2001; `nil` where it does not say.
    public var exportDate: Double?
    /// Language and region of the archive.
    public var locale: String?
    /// What was read: the path, and the entry for a zip file.
    public var file = ""
    /// Bytes of the main file.
    public var bytes = 0
    /// How long it took.
    public var seconds = 0.0

    /// Makes the report of an import that has done nothing yet.
    public init() {}

    /// How many samples and objects are new, of all types together.
    public var addedCount: Int { added.values.reduce(0, +) }
    /// How many the store had already, of all types together.
    public var alreadyThereCount: Int { alreadyThere.values.reduce(0, +) }
    /// How many were removed, of all types together.
    public var removedCount: Int { removed.values.reduce(0, +) }
    /// How many elements could not be understood, of all kinds together.
    public var skippedCount: Int { skipped.values.reduce(0, +) }
}
