import Foundation
import HealthModel

/// Reads what ``IdentityColumnWriter`` wrote.
enum IdentityColumnReader {
    /// Appends `count` entries.
    static func append(
        _ reader: inout ByteReader, count: Int, to uuids: inout [UUID?]
    ) throws(PageError) {
        var bitmap: UnsafeRawBufferPointer?
        switch try reader.byte("uuid column") {
        case IdentityColumnWriter.allTag: break
        case IdentityColumnWriter.bitmapTag:
            bitmap = try reader.take(BitPacking.size(count: count, width: 1), "uuid column")
        default: throw reader.error(.inconsistent, "uuid column")
        }
        uuids.reserveCapacity(uuids.count + count)
        for row in 0..<count {
            if let bitmap, bitmap[row >> 3] >> UInt8(row & 7) & 1 == 0 {
                uuids.append(nil)
            } else {
                let field = try reader.take(16, "uuid column")
                uuids.append(UUID(uuid: field.loadUnaligned(as: uuid_t.self)))
            }
        }
        try reader.finish("uuid column")
    }
}
