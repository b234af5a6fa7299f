/// What an export did. Nothing in it is a health value.
public struct ExportReport: Hashable, Sendable {
    /// Samples and objects written, by type identifier. A correlation's members are counted once, as samples.
    public var written: [String: Int] = [:]
    /// What the format has no place for, by type identifier; it is in the store and not in the archive.
    public var leftOut: [String: Int] = [:]
    /// What the format has no place for and the supplement has, by type identifier.
    public var supplemented: [String: Int] = [:]
    /// What was written and is told in full by the supplement, by type identifier: with its identity, exact
    /// instants, source and device, kinds of metadata, and what belongs to it.
    public var completed: [String: Int] = [:]
    /// Whether there is a supplement beside the main file.
    public var hasSupplement = false
    /// What could not be written exactly, by description, with counts.
    public var notes: [String: Int] = [:]
    /// Files written beside the main one.
    public var companions = 0
    /// Bytes of the main file.
    public var xmlBytes = 0
    /// Bytes of all that was written: of the zip file, or of all files together.
    public var bytes = 0
    /// How long it took.
    public var seconds = 0.0

    /// Makes the report of an export that has done nothing yet.
    public init() {}

    /// How many samples and objects were written, of all types together.
    public var writtenCount: Int { written.values.reduce(0, +) }
    /// How many the format has no place for and the supplement has, of all types together.
    public var supplementedCount: Int { supplemented.values.reduce(0, +) }
    /// How many were written and are told in full by the supplement, of all types together.
    public var completedCount: Int { completed.values.reduce(0, +) }
    /// How many the format has no place for, and are not in the archive, of all types together.
    public var leftOutCount: Int { leftOut.values.reduce(0, +) }
}
