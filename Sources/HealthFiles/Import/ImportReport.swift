/// The result of an import. It contains no health values.
public struct ImportReport: Hashable, Sendable, Codable {
    /// An element that was skipped.
    public struct Skip: Hashable, Sendable, Codable {
        /// The line in the main file or table, counted from 1; 0 for an auxiliary file that the main file does not refer to.
        public var line: Int
        /// The byte in a device's file, counted from 0; `nil` for an element of an archive.
        public var byte: Int?
        /// The type identifier, or the element's name if it has none.
        public var type: String
        /// The reason, worded as the end of a sentence about the element.
        public var reason: String

        package init(line: Int, type: String, reason: String) {
            (self.line, self.type, self.reason) = (line, type, reason)
        }

        /// Creates the report of something at a byte of a file, with its name if it is one of several.
        package init(byte: Int, of file: String?, type: String, reason: String) {
            (line, self.byte, self.type) = (0, byte, type)
            self.reason = file.map { "in “\($0)”, \(reason)" } ?? reason
        }

        /// Creates the report of something on a line of a table, likewise.
        package init(line: Int, of file: String?, type: String, reason: String) {
            self.init(line: line, type: type, reason: file.map { "in “\($0)”, \(reason)" } ?? reason)
        }
    }

    /// The number of auxiliary files in a folder beside the main file.
    public struct AuxiliaryFileCount: Hashable, Sendable, Codable {
        /// The number of files in the folder.
        public var found: Int
        /// The number of files that were read.
        public var read: Int

        package init(found: Int, read: Int) {
            (self.found, self.read) = (found, read)
        }
    }

    /// Files that were not read, for one reason.
    public struct UnreadFiles: Hashable, Sendable, Codable {
        /// The reason, worded as the end of a sentence about the file, with what to do.
        public var reason: String
        /// The number of files.
        public var count = 0
        /// The names of the first files.
        public var files: [String] = []

        init(reason: String) {
            self.reason = reason
        }
    }

    /// The number of samples and objects added, by type identifier.
    public var added: [String: Int] = [:]
    /// The number of samples and objects that the store already had, by type identifier.
    public var alreadyThere: [String: Int] = [:]
    /// The number of samples and objects of earlier imports that a mirroring import removed, by type identifier.
    public var removed: [String: Int] = [:]
    /// A Boolean value that indicates whether the archive is identical to the last one imported and was not read again.
    public var isKnown = false
    /// The number of elements that could not be read, by type identifier. Those whose reason says so are preserved as
    /// markup.
    public var skipped: [String: Int] = [:]
    /// The first skipped elements, in file order.
    public var skips: [Skip] = []
    /// The number of irregularities, by description.
    public var irregularities: [String: Int] = [:]
    /// The line of the first occurrence of each irregularity, counted from 1; those of the whole file have no line.
    public var irregularityLines: [String: Int] = [:]
    /// The files at the path that were not read, the most frequent reason first.
    public var unread: [UnreadFiles] = []
    /// Sentences about the import as a whole, such as the time zone in which days begin.
    public var remarks: [String] = []
    /// The counts of auxiliary files, by folder name.
    public var auxiliaryFiles: [String: AuxiliaryFileCount] = [:]
    /// The identifiers of the characteristics in the archive.
    public var characteristics: [String] = []
    /// The identifiers of the characteristics that were added to the store.
    public var characteristicsAdded: [String] = []
    /// The date of the export, in seconds since 2001; `nil` if the archive has none.
    public var exportDate: Double?
    /// The language and region of the archive.
    public var locale: String?
    /// The path of the archive, followed by the entry for a zip file.
    public var file = ""
    /// The uncompressed size of the main file in bytes.
    public var bytes = 0
    /// The duration of the import in seconds.
    public var seconds = 0.0

    /// Creates an empty report.
    public init() {}

    /// The number of samples and objects added, of all types.
    public var addedCount: Int { added.values.reduce(0, +) }
    /// The number of samples and objects that the store already had, of all types.
    public var alreadyThereCount: Int { alreadyThere.values.reduce(0, +) }
    /// The number of samples and objects removed, of all types.
    public var removedCount: Int { removed.values.reduce(0, +) }
    /// The number of elements that could not be read, of all types.
    public var skippedCount: Int { skipped.values.reduce(0, +) }
}
