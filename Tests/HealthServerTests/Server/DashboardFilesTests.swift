import Foundation
import HealthDashboard
import HealthTesting
import NIOCore
import Testing

@testable import HealthServer

@Suite("The page’s files")
struct DashboardFilesTests {
    private static func page(_ files: [String: String]) throws -> TemporaryServerFolder {
        let folder = try TemporaryServerFolder()
        for (name, text) in files {
            let url = URL(fileURLWithPath: folder.path + "/" + name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        return folder
    }

    private static let text = String(repeating: "body { margin: 0 }\n", count: 200)

    @Test("Files are sent with their type, revalidated, and compressed for who accepts it")
    func files() async throws {
        let page = try Self.page([
            "index.html": "<!doctype html>", "page.css": Self.text, "app/dom.js": "export {}", "i.svg": "<svg/>",
        ])
        try await TestServer.with(configure: { $0.pageFolder = page.path }) { server async throws in
            let client = server.client.with(token: nil)
            let index = try await client.get("/")
            #expect(index.status == 200 && index.text == "<!doctype html>")
            #expect(index.headers["content-type"] == "text/html; charset=utf-8")
            #expect(try await client.get("/app/dom.js").headers["content-type"] == "text/javascript; charset=utf-8")
            #expect(try await client.get("/i.svg").headers["content-type"] == "image/svg+xml")
            let plain = try await client.get("/page.css")
            #expect(plain.text == Self.text && plain.headers["content-encoding"] == nil)
            #expect(plain.headers["vary"] == "Accept-Encoding" && plain.headers["cache-control"] == "no-cache")
            let compressed = try await client.get("/page.css", headers: ["Accept-Encoding": "br, gzip;q=0.5"])
            #expect(compressed.headers["content-encoding"] == "gzip")
            #expect(compressed.body.count < Self.text.utf8.count / 4)
            #expect(try Self.unzipped(compressed.body) == Data(Self.text.utf8))
            #expect(try await client.get("/page.css", headers: ["Accept-Encoding": "gzip;q=0"]).text == Self.text)
            let tag = try #require(plain.headers["etag"])
            let again = try await client.get("/page.css", headers: ["If-None-Match": "\"other\", \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty)
            let head = try await client.send("HEAD", "/page.css")
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test("A changed file is sent again")
    func change() async throws {
        let page = try Self.page(["index.html": "one"])
        try await TestServer.with(configure: { $0.pageFolder = page.path }) { server async throws in
            let first = try await server.client.get("/")
            let url = URL(fileURLWithPath: page.path + "/index.html")
            try Data("two".utf8).write(to: url)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: url.path)
            let second = try await server.client.get("/", headers: ["If-None-Match": first.headers["etag"] ?? ""])
            #expect(second.status == 200 && second.text == "two")
        }
    }

    @Test(
        "Nothing outside the folder and nothing hidden is sent",
        arguments: [
            "/../secret", "/..%2fsecret", "/%2e%2e/secret", "/.hidden", "/app/../../secret", "/app/.hidden", "/app",
            "/none.css",
            "//etc/passwd", "/index.html%00", "/v1/page.css",
        ])
    func outside(path: String) async throws {
        let page = try Self.page([
            "page/index.html": "page", "page/.hidden": "hidden", "page/app/.hidden": "hidden", "secret": "secret",
            "page/v1/page.css": "css",
        ])
        try await TestServer.with(configure: { $0.pageFolder = page.path + "/page" }) { server async throws in
            let answer = try await server.client.with(token: nil).get(path)
            #expect(answer.status == 404 && answer.code == "notFound")
        }
    }

    @Test("Chart.js comes from the system, or the answer says how to install it")
    func charts() async throws {
        let page = try Self.page(["index.html": "", "chart.min.js": "/* charts */"])
        let missing = try DashboardFiles(path: page.path, charts: [page.path + "/none.js"])
        #expect {
            try missing.file("/vendor/chart.js")
        } throws: { ($0 as? Problem)?.detail.contains("libjs-chart.js") == true }
        let found = try DashboardFiles(path: page.path, charts: [page.path + "/none.js", page.path + "/chart.min.js"])
        #expect(try found.file("/vendor/chart.js")?.bytes.readableBytes == 12)
    }

    @Test("A folder without a page is an error")
    func noPage() throws {
        let folder = try TemporaryServerFolder()
        #expect(throws: ServerError.self) { try DashboardFiles(path: folder.path) }
        #expect(throws: Never.self) { try DashboardFiles(path: nil) }
    }

    @Test("The page may load only its own files; data may load nothing")
    func securityPolicy() async throws {
        try await TestServer.with { server async throws in
            let page = try #require(try await server.client.get("/").headers["content-security-policy"])
            #expect(page.contains("script-src 'self';") && page.contains("style-src 'self';"))
            #expect(!page.contains("unsafe") && page.contains("frame-ancestors 'none'"))
            for path in ["/v1/people", "/v1/nothing", "/health", "/metrics"] {
                let answer = try await server.client.get(path)
                #expect(
                    answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'", "\(path)"
                )
                #expect(answer.headers["x-content-type-options"] == "nosniff", "\(path)")
                #expect(answer.headers["referrer-policy"] == "no-referrer", "\(path)")
                #expect(answer.headers["cache-control"] == "no-store", "\(path)")
            }
            let text = try await server.client.get("/").text
            #expect(
                !text.contains(/<script(?![^>]*src=)[^>]*>/) && !text.contains(/\son[a-z]+="/)
                    && !text.contains("style=\""))
        }
    }

    @Test("A browser gets the page in its language, with the catalogue fetched early")
    func index() async throws {
        try await TestServer.with { server async throws in
            let client = server.client.with(token: nil)
            let english = try await client.get("/")
            #expect(
                english.headers["content-language"] == "en"
                    && english.text.contains(#"<html lang="en" data-languages="de">"#))
            #expect(!english.text.contains("preload\" href=\"languages"))
            let german = try await client.get("/", headers: ["Accept-Language": "de-AT,en;q=0.5"])
            #expect(german.headers["content-language"] == "de" && german.headers["etag"] != english.headers["etag"])
            #expect(german.headers["vary"] == "Accept-Encoding, Accept-Language")
            #expect(german.text.contains(#"<html lang="de" data-languages="de">"#))
            #expect(german.text.contains(#"<link rel="preload" href="languages/de.json" as="fetch" crossorigin>"#))
            #expect(german.text.contains(#"<span data-text="Journal">Tagebuch</span>"#))
            #expect(german.text.contains(#"data-label="Screens" aria-label="Bereiche""#))
            let tag = try #require(german.headers["etag"])
            let again = try await client.get("/", headers: ["Accept-Language": "de", "If-None-Match": tag])
            #expect(again.status == 304)
            let catalogue = try await client.get("/languages/de.json", headers: ["Accept-Encoding": "gzip"])
            #expect(catalogue.headers["content-type"] == "application/json")
            #expect(catalogue.headers["content-encoding"] == "gzip" && catalogue.headers["cache-control"] == "no-cache")
            let manifest = try await client.get("/manifest.webmanifest", headers: ["Accept-Language": "de"])
            #expect(manifest.text.contains("Essen eintragen") && manifest.text.contains(#""name": "OpenHealthKit""#))
        }
    }

    @Test("The page of a problem has the browser's language")
    func problem() async throws {
        try await TestServer.with { server async throws in
            let client = server.client.with(token: nil)
            let page = try await client.get("/nothing", headers: ["Accept": "text/html", "Accept-Language": "de"])
            #expect(page.status == 404 && page.text.contains(#"<html lang="de">"#))
            #expect(
                page.text.contains("<h1>Nicht gefunden</h1>")
                    && page.text.contains("<p>Diese Adresse gibt es nicht.</p>"))
            #expect(page.text.contains("OpenHealthKit öffnen"))
            // Programs read the same in every language.
            let answer = try await client.get("/nothing", headers: ["Accept-Language": "de"])
            #expect(answer.text.contains("Resource not found."))
        }
    }

    @Test("A reason that the catalogue lacks stays English and says so")
    func reason() {
        let problem = Problem(.notFound, "No <b>such</b> thing.")
        let catalogue = Data(#"{"Not found": "Weg"}"#.utf8)
        let language = DashboardLanguage(name: "de", modified: .distantPast, catalogue: catalogue)
        let text = ProblemDocument.text(problem, in: language)
        #expect(text.contains("<h1>Weg</h1>") && text.contains(#"<p lang="en">No &lt;b&gt;such&lt;/b&gt; thing.</p>"#))
    }

    /// Bytes that `gzip` has unpacked.
    static func unzipped(_ bytes: Data) throws -> Data {
        let folder = try TemporaryServerFolder()
        try bytes.write(to: URL(fileURLWithPath: folder.path + "/a.gz"))
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-d", folder.path + "/a.gz"]
        try gzip.run()
        gzip.waitUntilExit()
        try #require(gzip.terminationStatus == 0)
        return try Data(contentsOf: URL(fileURLWithPath: folder.path + "/a"))
    }
}
