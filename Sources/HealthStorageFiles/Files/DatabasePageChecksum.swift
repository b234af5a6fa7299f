import Foundation
import HealthModel

/// The checksum at the end of each page of a store that isn't encrypted, in bytes that SQLite leaves free.
///
/// It is a sum of the hashes of blocks, so that the one bit of a page that was flipped is found by hashing only the
/// block that it is in.
enum DatabasePageChecksum {
    /// The bytes that SQLite leaves free.
    static let size = 8
    static let offset = Int(StoreFile.pageSize) - size
    private static let blockSize = 512

    /// The bytes of the first page that aren't hashed: counters that any SQLite program changes in a copy that it makes
    /// (of changes, of the schema's changes, and its version), none of which changes an answer, and the record of the
    /// log, which has its own checksum.
    private static let unhashed = [24..<28, 40..<44, 72..<100]

    private static func hash(_ page: UnsafeRawPointer, block: Int, number: Int64) -> UInt64 {
        let start = block * blockSize
        let bytes = UnsafeRawBufferPointer(start: page + start, count: min(blockSize, offset - start))
        // An odd factor for each place, so that blocks can't change places.
        let factor = UInt64(2 * block + 1)
        guard number == 1, block == 0 else { return Checksum.of(bytes) &* factor }
        return withUnsafeTemporaryAllocation(byteCount: blockSize, alignment: 8) { copy in
            copy.copyMemory(from: bytes)
            for range in unhashed { memset(copy.baseAddress! + range.lowerBound, 0, range.count) }
            return Checksum.of(UnsafeRawBufferPointer(copy)) &* factor
        }
    }

    /// The checksum of a page at its place in the file. It is never 0, which means that there is none.
    static func of(_ page: UnsafeRawPointer, number: Int64) -> UInt64 {
        var sum = UInt64(bitPattern: number) &* 0x9E37_79B1_85EB_CA87
        for block in 0..<Int(StoreFile.pageSize) / blockSize { sum &+= hash(page, block: block, number: number) }
        return sum == 0 ? 1 : sum
    }

    /// The checksum that a page has; 0 for none.
    static func stored(in page: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: page.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    static func store(_ sum: UInt64, in page: UnsafeMutableRawPointer) {
        page.storeBytes(of: sum.littleEndian, toByteOffset: offset, as: UInt64.self)
    }

    /// The place of the only bit that can have been flipped in a page.
    static func flippedBit(of page: UnsafeMutableRawPointer, number: Int64) -> Int? {
        let (stored, sum) = (stored(in: page), of(page, number: number))
        let difference = stored ^ sum
        // The bit is one of the checksum.
        if difference.nonzeroBitCount == 1 { return offset * 8 + difference.trailingZeroBitCount }
        let bytes = page.assumingMemoryBound(to: UInt8.self)
        for block in 0..<Int(StoreFile.pageSize) / blockSize {
            let others = sum &- hash(page, block: block, number: number)
            for place in block * blockSize..<min(offset, (block + 1) * blockSize) {
                for bit in 0..<8 {
                    bytes[place] ^= 1 << UInt8(bit)
                    let isFound = others &+ hash(page, block: block, number: number) == stored
                    bytes[place] ^= 1 << UInt8(bit)
                    if isFound { return place * 8 + bit }
                }
            }
        }
        return nil
    }
}
