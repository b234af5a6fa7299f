import Foundation
import HealthCompression
import HealthFiles
import HealthFormats
import HealthStorageFiles
import Synchronization

/// A zip file. Each piece is compressed on the thread that made it; together they form one stream.
final class ZipOutput: ArchiveOutput {
    let acceptsAuxiliaryFiles = true
    private let target: TargetPath
    private let zip: Mutex<ZipWriter>

    init(path: String, options: ExportOptions) throws {
        target = try TargetPath(path, as: .file, replaces: options.replacesTarget)
        var zipOptions = ZipWriter.Options()
        zipOptions.comment = ExportMarker.comment
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
        // Pieces are compressed independently, so that several can be at once. See Docs/Decisions/Archive-writing.md
        // for measurements of levels.
        let deflater = piece.deflater ?? Deflater(level: 4)
        piece.deflater = deflater
        deflater.reset()
        deflater.deflate(piece.text.bytes, .block) { piece.packed.append($0) }
        piece.checksum = CRC32(piece.text.bytes)
    }

    func append(_ piece: ExportPiece) throws {
        try zip.withLock { zip in
            try zip.write(packed: piece.packed.bytes, unpackedCount: piece.text.count, checksum: piece.checksum)
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

    func named(_ message: String) -> String { target.named(message) }
}
