import Foundation
import HealthEngine
import HealthModel
import HealthPages

/// One line of a supplement: the file beside an archive's main file that holds what the archive's format cannot.
/// See Docs/Archive.md for the lines and their order.
///
/// The contents of samples and objects are in the store's own page and object formats, which have versions and
/// checksums of their own, as Base64. Sources, devices and units are numbered within the file.
enum SupplementLine: Codable, Hashable, Sendable {
    /// The first line: the format's version and the length of the main file it belongs to.
    case supplement(version: Int, mainBytes: Int)
    /// A source revision and the number by which later lines refer to it.
    case source(number: UInt32, revision: SourceRevisionRecord)
    /// A device and the number by which later lines refer to it.
    case device(number: UInt32, device: DeviceRecord)
    /// A unit and the number by which later lines refer to it.
    case unit(number: UInt32, unit: String)
    /// Samples that are in the main file as the records of their type from position `place` on, counted from 0.
    case records(place: Int, page: SupplementPage)
    /// An object. With a `place` it is at that position among the archive's objects of its type; without one it is not
    /// in the archive. `members` are the samples that belong to it, which are also in the archive on their own.
    /// It has a UUID if it was given one, or if later lines refer to it.
    case object(
        type: String, place: Int?, uuid: UUID?, start: Double, end: Double, source: UInt32?, device: UInt32?,
        payload: Data, members: [SupplementPage])
    /// Objects that belong to an object.
    case members(of: UUID, uuids: Data)
    /// The quantities of a series sample.
    case quantities(of: UUID, payload: Data)
    /// A file attached to a sample or object; its bytes follow piece by piece.
    case attachment(of: UUID, identifier: UUID, name: String, contentType: String, size: Int, payload: Data)
    /// Bytes of the most recent attachment.
    case piece(bytes: Data)
    /// The last line: the number of lines before it.
    case end(lines: Int)

    /// The name of the file, which is beside the main file.
    static let fileName = "supplement.ndjson"
    /// The version written here.
    static let version = 1

    /// Encodes UUIDs as sixteen bytes each.
    static func data(_ uuids: [UUID]) -> Data {
        var data = Data(capacity: uuids.count * 16)
        for uuid in uuids { withUnsafeBytes(of: uuid.uuid) { data.append(contentsOf: $0) } }
        return data
    }

    /// Decodes UUIDs from what ``data(_:)`` wrote; `nil` for other bytes.
    static func uuids(_ data: Data) -> [UUID]? {
        guard data.count.isMultiple(of: 16) else { return nil }
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 16).map { UUID(uuid: bytes.loadUnaligned(fromByteOffset: $0 * 16, as: uuid_t.self)) }
        }
    }
}

/// Samples of one type in a supplement: a page in the store's format, with the supplement's numbers for units,
/// sources and devices.
struct SupplementPage: Codable, Hashable, Sendable {
    /// The type's identifier; the code within the page belongs to the store that wrote it.
    var type: String
    /// As ``PageHeader`` is encoded.
    var header: Data
    /// As ``PageWriter`` writes it.
    var body: Data

    /// Makes a page of these rows, which are in order of start.
    init(_ columns: SampleColumns, rows: Range<Int>, type: String) throws {
        let page = try PageWriter.write(columns, rows: rows)
        self.type = type
        header = Data(page.headerBytes)
        body = Data(page.body)
    }

    /// Decodes all columns. Throws for bytes that are not a page and for impossible dates.
    func columns() throws -> SampleColumns {
        let header = try PageHeader(decoding: Array(header))
        let columns = try Array(body).withUnsafeBytes { try PageReader(header: header, body: $0).read(.all) }
        for row in columns.starts.indices {
            let (start, end) = (columns.starts[row], columns.ends[row])
            guard start <= end, start > -.infinity, end < .infinity else {
                throw PageError(.inconsistent, "sample", at: row)
            }
        }
        return columns
    }
}

/// Converts a supplement's lines to and from bytes: `{"check":"…","line":{…}}`, where the check is a digest of the
/// line's text, so that a damaged line is detected before it is decoded.
enum SupplementText {
    /// The maximum length of a line, for reading and writing.
    static let maximumLineLength = 1 << 24

    private static let opening = Array("{\"check\":\"".utf8)
    private static let middle = Array("\",\"line\":".utf8)
    private static let digits = 16

    /// Encodes a line with its line break. Throws for values that JSON cannot hold.
    static func encode(_ line: SupplementLine) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = Array(try encoder.encode(line))
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + 64)
        bytes += opening
        bytes += check(text[...])
        bytes += middle
        bytes += text
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Decodes a line without its line break; `nil` for damaged bytes.
    static func decode(_ bytes: ArraySlice<UInt8>) -> SupplementLine? {
        let start = opening.count + digits + middle.count
        guard bytes.count > start + 1, bytes.starts(with: opening), bytes.last == UInt8(ascii: "}"),
            bytes.dropFirst(opening.count + digits).starts(with: middle)
        else { return nil }
        let text = bytes.dropFirst(start).dropLast()
        guard bytes.dropFirst(opening.count).starts(with: check(text)) else { return nil }
        return try? JSONDecoder().decode(SupplementLine.self, from: Data(text))
    }

    private static func check(_ text: ArraySlice<UInt8>) -> [UInt8] {
        Array(text.withUnsafeBytes { Checksum.text(of: $0) }.utf8)
    }
}
