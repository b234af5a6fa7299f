/// One file of a zip, as its central directory describes it.
public struct ZipEntry: Hashable, Sendable {
    /// How an entry's bytes are kept.
    public enum Method: UInt16, Hashable, Sendable {
        /// As they are.
        case stored = 0
        /// Packed by deflate, without a zlib header.
        case deflated = 8
    }

    /// The path inside the zip, parts joined by `/`.
    public var name: String
    /// The raw method number; ``method`` where it is one that can be read.
    public var methodNumber: UInt16
    /// CRC-32 of the unpacked bytes.
    public var crc: UInt32
    /// Bytes in the zip.
    public var compressedSize: Int
    /// Bytes once unpacked.
    public var size: Int
    /// Where the entry's local header starts in the file.
    public var offset: Int
    /// Whether a password is needed; such entries cannot be read.
    public var isEncrypted: Bool

    /// Makes an entry as a directory describes it.
    public init(
        name: String, methodNumber: UInt16, crc: UInt32, compressedSize: Int, size: Int, offset: Int,
        isEncrypted: Bool = false
    ) {
        self.name = name
        self.methodNumber = methodNumber
        self.crc = crc
        self.compressedSize = compressedSize
        self.size = size
        self.offset = offset
        self.isEncrypted = isEncrypted
    }

    /// How the bytes are kept; `nil` for a method that cannot be read.
    public var method: Method? { Method(rawValue: methodNumber) }
}
