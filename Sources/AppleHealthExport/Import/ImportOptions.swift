/// How an import is done.
public struct ImportOptions: Hashable, Sendable {
    /// How many records are committed together. More are a little faster and take more memory.
    public var batchSize: Int
    /// How many skipped elements are reported one by one; the others are only counted.
    public var reasonsKept: Int

    /// Whether a zip file may unpack to more than 250 times its size. No export does; files made to fill
    /// disks do.
    public var trustsSize = false

    /// Makes the options of an import; the defaults are right for archives of any size.
    public init(batchSize: Int = 262_144, reasonsKept: Int = 100) {
        self.batchSize = batchSize
        self.reasonsKept = reasonsKept
    }
}
