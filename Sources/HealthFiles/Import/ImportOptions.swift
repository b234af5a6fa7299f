/// The options of an import of any files. Those of one reader belong to it.
public struct ImportOptions: Hashable, Sendable {
    /// The number of records committed in one transaction. Larger batches are slightly faster and use more memory.
    public var batchSize: Int
    /// The number of skipped elements that are reported individually; the others are only counted.
    public var maximumReasons: Int

    /// A Boolean value that indicates whether a zip file may unpack to more than 250 times its size. No export
    /// does; zip bombs do.
    public var trustsSize = false
    /// A Boolean value that indicates whether the contents of a truncated or damaged main file are imported up to the
    /// place of the damage. Otherwise a zip file with a wrong checksum is refused as a whole.
    public var recoversDamagedArchives = false
    /// A Boolean value that indicates whether every copy of a workout that several files of devices have is imported, not
    /// only the one with the most detail.
    public var keepsCopies = false
    /// The identifier of the time zone in which the person lives, such as `Europe/Berlin`, if the user gave one. It
    /// is stored with the import's notes.
    public var timeZone: String?

    /// The raw value of the activity of a GPX or TCX track whose file doesn't say it.
    package var activity: UInt?
    /// The time of a GPX track whose file has no times, in seconds since 2001-01-01 00:00:00 UTC.
    package var trackTime: ClosedRange<Double>?

    /// Creates import options. The defaults suit archives of any size.
    public init(batchSize: Int = 262_144, maximumReasons: Int = 100, timeZone: String? = nil) {
        (self.batchSize, self.maximumReasons, self.timeZone) = (batchSize, maximumReasons, timeZone)
    }
}

/// The progress of an import.
public struct ImportProgress: Hashable, Sendable {
    /// The phases of an import.
    public enum Phase: Hashable, Sendable {
        /// Another import into the store is running; this one begins when it is complete.
        case waiting
        /// The main file is being read while batches are written.
        case reading
        /// Everything has been read; the last batch is being written.
        case finishing
    }

    /// The number of uncompressed bytes of the main file read so far.
    public var bytesRead: Int
    /// The uncompressed size of the main file in bytes; `nil` if it is unknown.
    public var bytesTotal: Int?
    /// The number of records read so far.
    public var records: Int
    /// The current phase.
    public var phase: Phase

    package init(bytesRead: Int, bytesTotal: Int?, records: Int, phase: Phase) {
        (self.bytesRead, self.bytesTotal, self.records, self.phase) = (bytesRead, bytesTotal, records, phase)
    }
}
