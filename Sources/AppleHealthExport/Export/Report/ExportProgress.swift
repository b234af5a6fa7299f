/// How far an export is.
public struct ExportProgress: Hashable, Sendable {
    /// Samples and objects written so far.
    public var written: Int
    /// How many there are about; a selection by time may leave out some of them.
    public var total: Int
    /// Bytes of the main file so far.
    public var bytes: Int

    /// Makes word of how far an export is.
    public init(written: Int, total: Int, bytes: Int) {
        self.written = written
        self.total = total
        self.bytes = bytes
    }
}
