/// The last archive that was imported as a whole, and the state the store was in afterwards: while
/// nothing has been taken away since, the same bytes bring nothing new.
public struct KnownArchive: Hashable, Sendable, Codable {
    /// What tells its bytes from all others, as the importer makes it.
    public var fingerprint: String
    /// Which way of reading archives made sense of it; a later one may find more in it.
    public var reader: Int
    /// Samples and objects it holds, by type identifier.
    public var counts: [String: Int]
    /// What the importer wants to say about it once more.
    public var summary: String

    /// Makes the memory of an archive.
    public init(fingerprint: String, reader: Int, counts: [String: Int], summary: String) {
        self.fingerprint = fingerprint
        self.reader = reader
        self.counts = counts
        self.summary = summary
    }
}
