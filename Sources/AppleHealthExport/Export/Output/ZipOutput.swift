import CZlib
import Foundation
import Synchronization

/// A zip file. Every piece is packed by itself, on the thread that made it; in the file they are one stream.
final class ZipOutput: ArchiveOutput {
    let takesCompanions = true
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
        try target.put()
        return bytes
    }

    func abandon() {
        target.remove()
    }
}
