package import HealthModel

/// The payload of an object row: metadata, creation date and body. See Docs/Format/Object-v1.md.
package enum ObjectCoder {
    /// The first two bytes: "HO".
    static let magic: [UInt8] = [0x48, 0x4F]
    static let currentVersion: UInt8 = 1
    /// The maximum nesting depth of archived elements and fields.
    package static let maximumDepth = 256

    /// The maximum total length of a document's series, enough for eight hours of voltages at 512 Hz.
    package static let maximumSeriesLength = 1 << 24

    /// Encodes a payload.
    /// - Precondition: Archived elements and fields nest at most ``maximumDepth`` deep, and the series of a document
    ///   contain at most ``maximumSeriesLength`` numbers.
    package static func encode(metadata: Metadata, creation: Double?, body: ObjectBody) -> [UInt8] {
        var content = ObjectWriter()
        content.metadata(metadata)
        content.bytes.optionalNumber(creation)
        content.body(body)
        var writer = ByteWriter()
        writer.raw(magic)
        writer.byte(currentVersion)
        writer.fixed32(0)
        content.pool.write(to: &writer)
        content.bytes.withBytes { writer.raw($0) }
        writer.replace32(writer.withBytes { checksum($0) }, at: 3)
        return writer.bytes
    }

    /// Decodes a payload written by ``encode(metadata:creation:body:)``.
    package static func decode(
        _ bytes: [UInt8]
    ) throws(PageError) -> (metadata: Metadata, creation: Double?, body: ObjectBody) {
        try ByteReader.lending(bytes) { raw throws(PageError) in try decode(raw) }
    }

    /// Decodes a payload written by ``encode(metadata:creation:body:)``.
    package static func decode(
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

    /// The low half of the XXH64 hash of the bytes after the checksum.
    private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        UInt32(truncatingIfNeeded: Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[7...])))
    }
}

/// The kind of an object's body. The raw value precedes the body.
enum ObjectBodyKind: UInt8 {
    case none = 0
    case workout = 1
    case activitySummary = 2
    case archived = 3
    case document = 4
}

/// The kind of a document's field. The raw value precedes the field.
enum FieldKind: UInt8 {
    case no = 0
    case yes = 1
    case integer = 2
    case double = 3
    case string = 4
    case date = 5
    case uuid = 6
    case data = 7
    case quantity = 8
    case list = 9
    case record = 10
}
