public import HealthModel

/// An object row's payload: metadata, creation date and body, as bytes; see Docs/Format/Object-v1.md.
public enum ObjectCoder {
    /// First two bytes: "HO".
    static let magic: [UInt8] = [0x48, 0x4F]
    static let currentVersion: UInt8 = 1
    /// Archived elements nest no deeper than this.
    public static let greatestDepth = 256

    /// A document's series together hold no more numbers than this: an hour of 512 Hz voltages eight times
    /// over.
    public static let longestSeries = 1 << 24

    /// The payload as bytes.
    /// - Precondition: archived elements and fields nest at most ``greatestDepth`` deep, and a document's
    ///   series hold at most ``longestSeries`` numbers.
    public static func encode(metadata: Metadata, creation: Double?, body: ObjectBody) -> [UInt8] {
        var content = ObjectWriter()
        content.metadata(metadata)
        content.bytes.optionalNumber(creation)
        content.body(body)
        var writer = ByteWriter()
        writer.raw(magic)
        writer.byte(currentVersion)
        writer.fixed32(0)
        content.pool.write(to: &writer)
        writer.raw(content.bytes.bytes)
        writer.replace32(checksum(writer.bytes), at: 3)
        return writer.bytes
    }

    /// Reads what ``encode(metadata:creation:body:)`` wrote.
    public static func decode(
        _ bytes: [UInt8]
    ) throws(PageError) -> (metadata: Metadata, creation: Double?, body: ObjectBody) {
        try ByteReader.lending(bytes) { raw throws(PageError) in try decode(raw) }
    }

    /// Reads what ``encode(metadata:creation:body:)`` wrote.
    public static func decode(
        _ bytes: UnsafeRawBufferPointer
    ) throws(PageError) -> (metadata: Metadata, creation: Double?, body: ObjectBody) {
        var reader = ByteReader(bytes)
        let magic = try reader.take(2, "object")
        guard magic[0] == Self.magic[0], magic[1] == Self.magic[1] else {
            throw PageError(.badMagic, "object", at: 0)
        }
        guard try reader.byte("object version") == currentVersion else {
            throw PageError(.unsupportedVersion, "object", at: 2)
        }
        guard try reader.fixed32("object checksum") == checksum(bytes) else {
            throw PageError(.badChecksum, "object checksum", at: 3)
        }
        var content = try ObjectReader(reader)
        let metadata = try content.metadata()
        let creation = try content.reader.optionalNumber("creation")
        let body = try content.body()
        try content.reader.finish("object length")
        return (metadata, creation, body)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { checksum($0) }
    }

    /// The low half of XXH64 over all behind the checksum.
    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[7...])))
    }
}
