/// The metadata of one sample or object: keys and values in the order they were given.
public struct Metadata: Hashable, Sendable, Codable {
    /// One key with its value.
    public struct Entry: Hashable, Sendable, Codable {
        /// The key's raw string, such as `HKWasUserEntered`.
        public var key: String
        /// The key's value.
        public var value: MetadataValue
        /// The value's text in the archive it came from, kept only where printing ``value`` would
        /// not give the same text again.
        public var archivedText: String?

        /// Makes an entry.
        public init(key: String, value: MetadataValue, archivedText: String? = nil) {
            self.key = key
            self.value = value
            self.archivedText = archivedText
        }
    }

    /// The entries in order. An archive may repeat a key; the first one answers the subscript.
    public var entries: [Entry]

    /// Makes metadata of entries, keeping their order.
    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// No entries.
    public static let empty = Metadata()

    /// Whether there is no entry.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of the first entry with this key.
    public subscript(key: String) -> MetadataValue? {
        entries.first { $0.key == key }?.value
    }

    /// Whether the sample says that a person typed it in (`HKWasUserEntered`).
    public var wasUserEntered: Bool {
        self[MetadataKey.wasUserEntered]?.number.map { $0 != 0 } ?? false
    }
}
