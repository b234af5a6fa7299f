/// A page as bytes, with its header for those who just made it.
public struct EncodedPage: Sendable {
    /// What the header's bytes say.
    public var header: PageHeader
    /// The header as it is stored, checksum included.
    public var headerBytes: [UInt8]
    /// The columns as they are stored; the header carries their length and checksum.
    public var body: [UInt8]
}
