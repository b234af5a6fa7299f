import Foundation
import HealthCompression
import HealthFormats
import HealthStorageFiles

/// The files that commands write beside their answers: pictures and reports. As with an export, only what an earlier run
/// wrote is replaced.
enum ResultFile {
    /// Throws what ``write(_:to:)`` would, before the work is done whose result is written.
    static func check(_ path: String) throws {
        guard path != "-", !TargetPath.isStream(path) else { return }
        try TargetPath(path, as: .file, replaces: true).remove()
    }

    static func write(_ data: Data, to path: String) throws {
        guard !TargetPath.isStream(path) else { return try data.write(to: URL(fileURLWithPath: path)) }
        try FormatOptions(replaces: true).write(to: path, as: .file) { path in
            let file = try OutputFile(path)
            try file.write(Array(data))
            try file.finish()
        }
    }

    /// An SVG document with this program's mark.
    static func marked(svg: String) -> Data {
        Data("<!-- \(ExportMarker.comment) -->\n\(svg)".utf8)
    }

    /// A PNG image with this program's mark, as a comment after its header.
    static func marked(png: Data) -> Data {
        let chunk = Array("tEXtComment\0\(ExportMarker.comment)".utf8)
        func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        let sum = chunk.withUnsafeBytes { CRC32($0).value }
        let headerEnd = 8 + 25
        var marked = Data(png.prefix(headerEnd))
        marked.append(contentsOf: bytes(UInt32(chunk.count - 4)))
        marked.append(contentsOf: chunk)
        marked.append(contentsOf: bytes(sum))
        marked.append(png.dropFirst(headerEnd))
        return marked
    }
}
