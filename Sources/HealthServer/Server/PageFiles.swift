import Foundation
import HTTPTypes
import HealthCompression
import Hummingbird
import NIOCore
import Synchronization

/// The files of the page: loaded once, sent compressed, and revalidated by browsers.
final class PageFiles: Sendable {
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

    /// The folder of the files.
    let folder: String
    private let charts: [String]
    private let files = Mutex<[String: File]>([:])
    private let languages = Mutex<[String: PageLanguage]>([:])

    /// - Parameter charts: Where Chart.js may be, in the order of preference.
    init(folder: String, charts: [String] = PageFiles.chartPaths) {
        self.folder = folder
        self.charts = charts
    }

    /// Where Debian's libjs-chart.js, and a copy beside the page, have Chart.js.
    static let chartPaths = [
        "/usr/share/javascript/chart.js/chart.min.js", "/usr/share/javascript/chart.js/Chart.min.js",
        "/usr/share/nodejs/chart.js/dist/chart.min.js",
    ]

    /// The folder of the page's files: the given one, that of `$OPENHEALTHKIT_PAGE`, the one installed with the
    /// program, or the one in the build folder.
    ///
    /// - Throws: ``ServerError`` if there is none.
    static func folder(given: String?) throws -> String {
        if let given {
            guard isPage(given) else {
                throw ServerError("The folder “\(given)” doesn’t contain the page’s index.html.")
            }
            return given
        }
        let program = URL(fileURLWithPath: ProcessInfo.processInfo.arguments.first ?? "hk")
        let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let folders = [executable, program].map { $0.deletingLastPathComponent() }
        let candidates =
            [ProcessInfo.processInfo.environment["OPENHEALTHKIT_PAGE"]].compactMap { $0 }
            + folders.map { $0.deletingLastPathComponent().appendingPathComponent("share/openhealthkit/page").path }
            + folders.map { $0.appendingPathComponent("OpenHealthKit_HealthServer.resources/Page").path }
        guard let found = candidates.first(where: isPage) else {
            throw ServerError("The page’s files aren’t found. Set $OPENHEALTHKIT_PAGE to their folder.")
        }
        return found
    }

    private static func isPage(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/index.html")
    }

    // MARK: Files

    /// The file at a path of the URL; `nil` if there is none. Reads the disk when the file is new or changed.
    ///
    /// - Parameter accepted: The `Accept-Language` field of the request.
    /// - Throws: ``Problem`` `notFound` with a reason if Chart.js isn't installed.
    func file(_ path: String, accepted: String? = nil) throws -> File? {
        if path == "/vendor/chart.js" { return try chart() }
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        // Only names that the page can have: no hidden files and no way out of the folder.
        guard
            parts.allSatisfy({ part in
                part.first != "."
                    && part.utf8.allSatisfy { byte in
                        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                            || [0x2D, 0x2E, 0x5F].contains(byte)
                    }
            })
        else { return nil }
        let name = parts.isEmpty ? "index.html" : parts.joined(separator: "/")
        guard let file = load(folder + "/" + name) else { return nil }
        switch name {
        case "index.html": return localized(file, accepted) { $0.index($1, languages: languageNames()) }
        case "manifest.webmanifest": return localized(file, accepted) { $0.manifest($1) }
        default: return file
        }
    }

    private func localized(_ file: File, _ accepted: String?, by change: (PageLanguage, String) -> String) -> File {
        let language = language(accepted)
        var made = Self.file(
            Data(change(language, String(buffer: file.bytes)).utf8), type: file.type, modified: file.modified)
        made.language = language.name
        return made
    }

    /// The page's languages besides English: those with a catalogue.
    private func languageNames() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/languages")) ?? []
        return names.compactMap { try? /([a-z]{2,3})\.json/.wholeMatch(in: $0)?.output.1 }.map(String.init).sorted()
    }

    /// The language in which a browser wants the page.
    func language(_ accepted: String?) -> PageLanguage {
        let name = PageLanguage.preferred(accepted ?? "", of: languageNames())
        guard name != "en", let file = load(folder + "/languages/\(name).json") else { return .english }
        if let known = languages.withLock({ $0[name] }), known.tag == file.tag { return known }
        let language = PageLanguage(name: name, tag: file.tag, catalogue: Data(file.bytes.readableBytesView))
        languages.withLock { $0[name] = language }
        return language
    }

    private func chart() throws -> File {
        for path in [folder + "/vendor/chart.js"] + charts {
            if let file = load(path) { return file }
        }
        throw Problem(
            .notFound, "Chart.js isn’t installed. Install it with “apt-get install libjs-chart.js” and reload the page."
        )
    }

    private func load(_ path: String) -> File? {
        guard
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: (path as NSString).resolvingSymlinksInPath),
            attributes[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        let modified = attributes[.modificationDate] as? Date ?? .distantPast
        if let known = files.withLock({ $0[path] }), known.modified == modified { return known }
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let file = Self.file(data, type: Self.type(of: path), modified: modified)
        files.withLock { $0[path] = file }
        return file
    }

    private static func file(_ data: Data, type: String, modified: Date) -> File {
        let compressed = isText(type) && data.count > 512 ? Deflater.deflated(data, format: .gzip) : nil
        return File(
            type: type, tag: "\"" + Secret.digest(data).prefix(24) + "\"", bytes: ByteBuffer(bytes: data),
            compressed: compressed.flatMap { $0.count < data.count ? ByteBuffer(bytes: $0) : nil }, modified: modified)
    }

    /// The response to a request for a file.
    func response(_ file: File, to request: Request) -> Response {
        var headers: HTTPFields = [.contentType: file.type, .eTag: file.tag, .cacheControl: "no-cache"]
        headers[.contentLanguage] = file.language
        let varying = [file.compressed.map { _ in "Accept-Encoding" }, file.language.map { _ in "Accept-Language" }]
        if file.compressed != nil || file.language != nil {
            headers[.vary] = varying.compactMap { $0 }.joined(separator: ", ")
        }
        let known = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
        if known.contains(where: { $0 == file.tag || $0 == "W/" + file.tag || $0 == "*" }) {
            return Response(status: .notModified, headers: headers)
        }
        var body = file.bytes
        if let compressed = file.compressed, Gzip.isAccepted(request.headers[.acceptEncoding]) {
            headers[.contentEncoding] = "gzip"
            body = compressed
        }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || type.hasPrefix("application/") || type.hasPrefix("image/svg")
    }

    private static func type(of path: String) -> String {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "html": "text/html; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}

/// Compression of responses.
enum Gzip {
    /// Returns whether a client accepts the gzip form.
    static func isAccepted(_ field: String?) -> Bool {
        (field ?? "").split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            guard pieces.first == "gzip" || pieces.first == "*" else { return false }
            return !pieces.dropFirst().contains { $0.hasPrefix("q=") && (Double($0.dropFirst(2)) ?? 1) == 0 }
        }
    }
}
