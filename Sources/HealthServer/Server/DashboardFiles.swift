import Foundation
import HTTPTypes
import HealthAccess
import HealthCompression
import HealthDashboard
import Hummingbird
import NIOCore
import Synchronization

/// The files of the page over HTTP: prepared once, sent compressed, and revalidated by browsers.
final class DashboardFiles: Sendable {
    /// One file, ready to send.
    struct File: Sendable {
        var type: String
        var tag: String
        var bytes: ByteBuffer
        /// The gzip form, if it is smaller.
        var compressed: ByteBuffer?
        /// The time of the last change of the file when it was read.
        var modified: Date
        /// The language of a file that depends on what the browser asks for.
        var language: String?
    }

    let folder: PageFolder
    private let files = Mutex<[String: File]>([:])

    /// The page in a folder; `nil` for that of the program.
    ///
    /// - Throws: ``ServerError`` if there is none.
    init(path: String?, charts: [String] = PageFolder.chartPaths) throws {
        guard let folder = path.map({ PageFolder(path: $0, charts: charts) }) ?? PageFolder.ofProgram() else {
            throw ServerError(
                path.map { "The folder “\($0)” doesn’t contain the page’s index.html." }
                    ?? "The page’s files aren’t found. Set $OPENHEALTHKIT_PAGE to their folder.")
        }
        self.folder = folder
    }

    /// The file at a path of the URL; `nil` if there is none. Reads the disk when the file is new or changed.
    ///
    /// - Parameter accepted: The `Accept-Language` field of the request.
    /// - Throws: ``Problem`` `notFound` with a reason if Chart.js isn't installed.
    func file(_ path: String, accepted: String? = nil) throws -> File? {
        guard let found = folder.file(path, accepted: accepted) else {
            guard path == PageFolder.chart else { return nil }
            throw Problem(
                .notFound,
                "Chart.js isn’t installed. Install it with “apt-get install libjs-chart.js” and reload the page.")
        }
        if let known = files.withLock({ $0[found.path] }), known.modified == found.modified { return known }
        guard let data = found.contents else { return nil }
        let compressed = data.count > 512 ? Deflater.deflated(data, format: .gzip) : nil
        let file = File(
            type: Self.type(of: found.path), tag: "W/\"" + Secret.digest(data).prefix(24) + "\"",
            bytes: ByteBuffer(bytes: data),
            compressed: compressed.flatMap { $0.count < data.count ? ByteBuffer(bytes: $0) : nil },
            modified: found.modified, language: found.language?.name)
        // A file in its reader's language changes with other files, too.
        if file.language == nil { files.withLock { $0[found.path] = file } }
        return file
    }

    /// The response to a request for a file.
    func response(_ file: File, to request: Request) -> Response {
        var headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
        headers[.contentLanguage] = file.language
        let varying = [file.compressed.map { _ in "Accept-Encoding" }, file.language.map { _ in "Accept-Language" }]
            .compactMap { $0 }
        headers[.vary] = varying.isEmpty ? nil : varying.joined(separator: ", ")
        var body = file.bytes
        if let compressed = file.compressed, ResponseCompression.acceptsGzip(request.headers[.acceptEncoding]) {
            headers[.contentEncoding] = "gzip"
            body = compressed
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private static func type(of path: String) -> String {
        types[URL(fileURLWithPath: path).pathExtension.lowercased()] ?? "application/octet-stream"
    }
}
