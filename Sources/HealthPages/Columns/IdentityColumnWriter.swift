import Foundation
import HealthModel

/// Writes the UUIDs that applications gave. Twin of ``IdentityColumnReader``.
enum IdentityColumnWriter {
    /// First byte: every row has one.
    static let allTag: UInt8 = 1
    /// First byte: a bitmap says which rows have one.
    static let bitmapTag: UInt8 = 2

    /// Writes nothing and returns false when no row has a UUID.
    static func write(_ uuids: [UUID?], rows: Range<Int>, to writer: inout ByteWriter) -> Bool {
        guard !uuids.isEmpty else { return false }
        let given = rows.reduce(into: 0) { if uuids[$1] != nil { $0 += 1 } }
        guard given > 0 else { return false }
        if given == rows.count {
            writer.byte(allTag)
        } else {
            writer.byte(bitmapTag)
            writer.packed(count: rows.count, width: 1) { uuids[rows.lowerBound + $0] == nil ? 0 : 1 }
        }
        for row in rows {
            guard let uuid = uuids[row] else { continue }
            withUnsafeBytes(of: uuid.uuid) { writer.raw($0) }
        }
        return true
    }
}
