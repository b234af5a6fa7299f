/// How far an import is.
public struct ImportProgress: Hashable, Sendable {
    /// What is being done.
    public enum Phase: Hashable, Sendable {
        /// The main file is read; batches are written beside it.
        case reading
        /// All is read, the last batch is written.
        case finishing
    }

    /// Bytes of the main file read so far, unpacked.
    public var bytesRead: Int
    /// How many it has, where that is known.
    public var bytesTotal: Int?
    /// Records understood so far.
    public var records: Int
    /// What is being done.
    public var phase: Phase

    /// Makes word of how far an import is.
    public init(bytesRead: Int, bytesTotal: Int?, records: Int, phase: Phase) {
        self.bytesRead = bytesRead
        self.bytesTotal = bytesTotal
        self.records = records
        self.phase = phase
    }
}
