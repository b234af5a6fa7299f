/// The options of an import of an Apple Health export, beyond those of an import of any files.
public struct ArchiveOptions: Hashable, Sendable {
    /// A Boolean value that indicates whether samples and objects of earlier imports that are not in this archive
    /// are removed.
    public var mirrors: Bool
    /// A Boolean value that indicates whether an archive is imported even if the date of birth, sex or blood type
    /// in it differ from those of the archives imported before.
    public var acceptsAnyPerson: Bool
    /// A Boolean value that indicates whether an archive is skipped if it is identical to the last one imported.
    public var skipsKnownArchives: Bool

    /// Creates options.
    public init(mirrors: Bool = false, acceptsAnyPerson: Bool = false, skipsKnownArchives: Bool = true) {
        (self.mirrors, self.acceptsAnyPerson) = (mirrors, acceptsAnyPerson)
        self.skipsKnownArchives = skipsKnownArchives
    }
}
