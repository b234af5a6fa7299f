import CZlib
import Foundation
import Synchronization

/// A zip file. Each piece is compressed on the thread that made it; together they form one stream.
final class ZipOutput: ArchiveOutput {
    let acceptsCompanions = true
    private let target: TargetPath
    private let zip: Mutex<ZipWriter>

    init(path: String, options: ExportOptions) throws {
        target = try TargetPath(path, replaces: options.replacesTarget)
        var zipOptions = ZipWriter.Options()
        zipOptions.modified = ZipTime(options.exportDate, in: options.timeZone)
        do {
            zip = Mutex(try ZipWriter(path: target.temporary, options: zipOptions))
        } catch {
            throw ExportError.writing(path, errno: errno)
        }
    }

    func begin(_ path: String) throws {
        try zip.withLock { try $0.beginEntry(ArchiveLayout.folder + "/" + path, isPacked: true) }
    }

    func pack(_ piece: ExportPiece) {
        let deflater = piece.deflater ?? BlockDeflater()
        piece.deflater = deflater
        deflater.pack(piece.text.bytes, into: piece.packed)
        piece.checksum = crc32_z(0, piece.text.base, piece.text.count)
    }

    func append(_ piece: ExportPiece) throws {
        try zip.withLock { zip in
            try zip.write(
                packed: piece.packed.bytes, unpackedCount: piece.text.count, checksum: piece.checksum)
        }
    }

    func finish() throws -> Int {
        let bytes = try zip.withLock { zip in
            try zip.finish()
            return zip.offset
        }
        try target.commit()
        return bytes
    }

    func abandon() {
        target.remove()
    }
}

/// Compresses the blocks of a stream independently, so that several can be compressed at once: the output ends on a
/// byte boundary and can be followed by any other block.
final class BlockDeflater {
    /// zlib keeps the address of its stream, so it needs a fixed location.
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter level: The compression level of zlib; see Docs/Decisions/Archive-writing.md for measurements.
    init(level: Int = 4) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        precondition(czlib_deflateInitRaw(stream, Int32(level)) == Z_OK, "zlib cannot allocate memory")
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses a block and appends it to `target`.
    func pack(_ bytes: UnsafeRawBufferPointer, into target: ByteBuffer) {
        deflateReset(stream)
        var position = 0
        repeat {
            // zlib counts in 32 bits.
            let length = min(bytes.count - position, 1 << 30)
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: bytes.baseAddress.map { ($0 + position).assumingMemoryBound(to: UInt8.self) })
            stream.pointee.avail_in = UInt32(length)
            position += length
            let flush = position == bytes.count ? Z_SYNC_FLUSH : Z_NO_FLUSH
            repeat {
                let room = 1 << 18
                stream.pointee.next_out = target.room(room)
                stream.pointee.avail_out = UInt32(room)
                deflate(stream, flush)
                target.advance(by: room - Int(stream.pointee.avail_out))
            } while stream.pointee.avail_out == 0
        } while position < bytes.count
    }
}
