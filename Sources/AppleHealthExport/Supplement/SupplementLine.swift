import Foundation
import HealthModel

/// One line of a supplement: the file beside an archive's main file that says what the archive's format cannot.
/// See Docs/Archive.md for the lines and their order.
///
/// What a sample or object is made of stands in the store's own page and object format, which has its own
/// version and checksum, as Base64. Sources and devices are numbered within the file.
enum SupplementLine: Codable, Hashable, Sendable {
    /// The first line: the format's version, and how many bytes the main file has that it belongs to.
    case supplement(version: Int, mainBytes: Int)
    /// A source revision that later lines mean by its number.
    case source(number: UInt32, revision: SourceRevisionRecord)
    /// A device that later lines mean by its number.
    case device(number: UInt32, device: DeviceRecord)
    /// A unit that later lines mean by its number.
    case unit(number: UInt32, unit: String)
    /// Samples that the main file has as the records of their type from `place` on, counted from 0.
    case records(place: Int, page: SupplementPage)
    /// An object. With a `place` it is the one that the archive has at that place among those of its type; else
    /// the archive does not have it. `members` are the samples that belong to it; they stand by themselves, too.
    /// It has an identity if it was given one, or if later lines mean it.
    case object(
        type: String, place: Int?, uuid: UUID?, start: Double, end: Double, source: UInt32?, device: UInt32?,
        payload: Data, members: [SupplementPage])
    /// Objects that belong to an object.
    case members(of: UUID, uuids: Data)
    /// The quantities that a sample stands for.
    case quantities(of: UUID, payload: Data)
    /// A file that is kept with a sample or object; its bytes follow, piece by piece.
    case attachment(of: UUID, identifier: UUID, name: String, contentType: String, size: Int, payload: Data)
    /// Bytes of the attachment announced last.
    case piece(bytes: Data)
    /// The last line: how many there are before it.
    case end(lines: Int)

    /// What the file is called, beside the main file.
    static let fileName = "supplement.ndjson"
    /// The version that is written.
    static let version = 1

    /// Identities, sixteen bytes each.
    static func data(_ uuids: [UUID]) -> Data {
        var data = Data(capacity: uuids.count * 16)
        for uuid in uuids { withUnsafeBytes(of: uuid.uuid) { data.append(contentsOf: $0) } }
        return data
    }

    /// The identities that ``data(_:)`` wrote; `nil` for bytes that are none.
    static func uuids(_ data: Data) -> [UUID]? {
        guard data.count.isMultiple(of: 16) else { return nil }
        return data.withUnsafeBytes { bytes in
            (0..<bytes.count / 16).map { UUID(uuid: bytes.loadUnaligned(fromByteOffset: $0 * 16, as: uuid_t.self)) }
        }
    }
}
