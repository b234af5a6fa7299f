import Foundation
import ProcessTestSupport
import Testing

/// The part of the site of `make docs` that needs no build: the guides and the reference of Python.
@Suite("The site", .serialized)
final class SiteTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("site-\(UUID().uuidString)")
    private var site: URL { folder.appendingPathComponent("site") }

    init() throws {
        let python = SourceTree.root.path + "/.build/python/bin/python"
        let run = try run(python, [SourceTree.root.path + "/Scripts/make-docs", "--guides", folder.path])
        try #require(run.status == 0, "\(run.output)")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("Every guide is listed on every page; the first page has three ways to get started")
    func pages() throws {
        let start = try SourceTree.text(site.appendingPathComponent("index.html"))
        let cards = start.matches(of: /<section><h3[^>]*>([^<]+)</).map { String($0.1) }
        #expect(cards == ["I build an iOS app", "I have an export", "I run a study or a backend"])
        let guides = try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.path + "/Docs")
            .filter { $0.hasSuffix(".md") }
        #expect(guides.count >= 20)
        for guide in guides {
            #expect(start.contains("href=\"guides/\(guide.dropLast(3)).html\""), "\(guide)")
        }
        let page = try SourceTree.text(site.appendingPathComponent("guides/Testing.html"))
        #expect(page.contains("href=\"../guides/API.html\""))
    }

    @Test("The reference of Python has every public name, with what its docstring says")
    func python() throws {
        let reference = try SourceTree.text(site.appendingPathComponent("guides/Python-reference.html"))
        let package = try SourceTree.text(SourceTree.root.appendingPathComponent("Python/openhealthkit/__init__.py"))
        let names = try #require(package.components(separatedBy: "__all__ = [").last).matches(of: /"(\w+)",/)
        #expect(names.count >= 12)
        for name in names { #expect(reference.contains(">\(name.1)<"), "\(name.1)") }
        // Of a class that is not public itself.
        #expect(reference.contains(">Store.statistics<") && reference.contains(">RemoteStore.statistics<"))
        #expect(reference.contains("imports an export.zip into the person's store"))
    }

    @Test(
        "The search finds what only the text of a page has, and nothing where a word is missing",
        arguments: [("ellipsoidal altitude", "Compatibility"), ("ellipsoidal xylophone", nil)])
    func search(words: String, page: String?) throws {
        let output = try shown("index.html?q=\(words.replacing(" ", with: "+"))")
        let results = try #require(output.firstMatch(of: /(?s)<div id="search-results"[^>]*>(.*?)<\/div>/)).1
        if let page {
            #expect(results.contains("href=\"guides/\(page).html"), "\(results)")
            for word in words.split(separator: " ") { #expect(results.contains("<mark>\(word)</mark>"), "\(results)") }
        } else {
            #expect(results.contains("Nothing has all of these words") && !results.contains("<a "), "\(results)")
        }
    }

    /// Pages, and words that people type who look for what is there.
    private static let goals: KeyValuePairs<String, [String]> = [
        "Questions": [
            "steps", "sleep", "heart rate", "HRV", "ECG", "blood pressure", "glucose", "weight", "cycle", "medication",
            "rings", "vo2max", "vaccination", "Excel", "delete data", "duplicate steps",
        ],
        "CommandLine": ["workout", "export", "import", "SQL"],
        "Sync": ["iPhone", "sync", "simulator"],
        "Server": ["phone", "token", "Claude", "share"],
        "index": ["Apple Watch", "demo", "Mac"],
        "Devices": ["Garmin", "CSV", "GPX", "FIT"],
        "Python": ["pandas", "Jupyter"],
        "Install": ["docker", "install", "Windows", "Raspberry Pi", "update"],
        "Operating": ["HTTPS", "backup", "encryption", "reset password", "time zone", "troubleshooting"],
        "Scale": ["PostgreSQL", "delete", "GDPR"],
        "Background": ["webhook", "notification"],
        "API": ["MCP", "FHIR"],
        "Recipes": ["Grafana", "Home Assistant"],
        "Application": ["Xcode", "CI", "GitHub Actions"],
        "Testing": ["test", "mock", "fixture", "error injection", "snapshot", "anonymize"],
    ]

    @Test("A page with the answer is among the first three results of words that people type")
    func goals() throws {
        let words = try JSONEncoder().encode(Self.goals.flatMap { $0.value })
        // One page that searches for all of them: starting Chromium takes longer than searching.
        let page = """
            <!doctype html><meta charset="utf-8">
            <input type="search"><div id="search-results"></div><pre id="found"></pre>
            <script>const ROOT = "";</script><script src="search.js"></script><script>(async () => {
              for (const words of \(String(decoding: words, as: UTF8.self))) {
                box.value = words;
                await search();
                const links = [...list.querySelectorAll("a")].slice(0, 3).map((link) => link.getAttribute("href"));
                document.querySelector("#found").textContent += `\\n${words}: ${links.join(" ")}`;
              }
            })();</script>
            """
        try Data(page.utf8).write(to: site.appendingPathComponent("words.html"))
        let output = try shown("words.html")
        for (page, goals) in Self.goals {
            for words in goals {
                let found = try #require(output.components(separatedBy: "\n\(words): ").dropFirst().first, "\(words)")
                let links = found.prefix { $0 != "\n" && $0 != "<" }
                #expect(links.contains("\(page).html"), "\(words): \(links)")
            }
        }
    }

    /// The elements of a page of the site when its scripts have run.
    private func shown(_ address: String) throws -> String {
        try run(
            "chromium",
            [
                "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "--virtual-time-budget=20000",
                "file://\(site.path)/\(address)",
            ]
        ).output
    }

    private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        let end = try process.finish()
        return (end.status, end.output)
    }
}
