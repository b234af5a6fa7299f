/// How an import is done.
public struct ImportOptions: Hashable, Sendable {
    /// How many records are committed together. More are a little faster and take more memory.
    public var batchSize: Int
    /// How many skipped elements are reported one by one; the others are only counted.
    public var reasonsKept: Int

    /// Whether a zip file may unpack to more than 250 times its size. No export does; files made to fill
    /// disks do.
    public var trustsSize = false
    /// Whether what earlier imports brought, and this archive no longer has, is removed.
    public var mirrors: Bool
    /// Whether an archive is taken though its person's date of birth, sex or blood type are not those of
    /// the archives before.
    public var takesAnyPerson: Bool
    /// Whether an archive whose bytes came in before is known by them, and not read again.
    public var knowsBytes: Bool
    /// The zone the person lives in, if the user named it: an identifier such as `Europe/Berlin`. It is
    /// kept with the import's notes.
    public var timeZone: String?

    /// Makes the options of an import; the defaults are right for archives of any size.
    public init(
        batchSize: Int = 262_144, reasonsKept: Int = 100, mirrors: Bool = false, takesAnyPerson: Bool = false,
        knowsBytes: Bool = true, timeZone: String? = nil
    ) {
        self.batchSize = batchSize
        self.reasonsKept = reasonsKept
        self.mirrors = mirrors
        self.takesAnyPerson = takesAnyPerson
        self.knowsBytes = knowsBytes
        self.timeZone = timeZone
    }
}
