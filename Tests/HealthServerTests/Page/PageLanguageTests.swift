import Foundation
import HealthModel
import HealthTesting
import Testing

@testable import HealthServer

/// The languages of the page, as the server sends it. What the scripts say is checked in HouseTests.
@Suite("Languages of the page")
struct PageLanguageTests {
    private static let catalogues: [(name: String, language: PageLanguage)] = {
        let folder = ((try? PageFiles.folder(given: nil)) ?? "") + "/languages"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.sorted().compactMap { file in
            FileManager.default.contents(atPath: folder + "/" + file).map { data in
                (file, PageLanguage(name: String(file.prefix { $0 != "." }), tag: "", catalogue: data))
            }
        }
    }()

    @Test("Every type, value of a category and workout activity has a name in every language")
    func names() {
        let values = TypeCatalog.all.flatMap { type in
            (type.categoryValues ?? 0...0).compactMap { ValueNames.name(of: $0, of: type) }
        }
        let activities = (0...4_000).compactMap { ValueNames.activity($0) }
        let names = Set(TypeCatalog.all.map(\.shortName) + values + activities)
        #expect(names.count > 300 && !Self.catalogues.isEmpty)
        for (file, language) in Self.catalogues {
            for name in names.sorted() where name != "notApplicable" {
                #expect(language.text(name) != nil, "\(file) has no “\(name)”")
            }
        }
    }

    @Test(
        "The first language that the browser wants and the page speaks counts",
        arguments: [
            ("", "en"), ("de", "de"), ("de-DE,de;q=0.9,en;q=0.8", "de"), ("fr-FR, DE-at;q=0.5", "de"), ("fr", "en"),
            ("en-GB,de", "en"), ("de;q=0.4,en;q=0.6", "en"), ("de;q=0,fr", "en"), ("de;q=x,en", "en"), ("*", "en"),
            (";;,=,de;q=nan,de", "de"),
        ])
    func preference(accepted: String, expected: String) {
        #expect(PageLanguage.preferred(accepted, of: ["de", "pt"]) == expected)
    }

    private static let german = PageLanguage(
        name: "de", tag: "",
        catalogue: Data(
            """
            {"Today": "Heute", "{count} days": {"one": "{count} Tag", "other": "{count} Tage"}, "Not found": "Weg",
            "The resource supports {methods} at most {times} times.": "Höchstens {times} Mal {methods}.", "{a} is {b}.": "x"}
            """.utf8))

    @Test("Sentences that the server fills are recognized")
    func sentences() {
        #expect(Self.german.text("Today") == "Heute" && Self.german.text("Tomorrow") == nil)
        #expect(Self.german.text("The resource supports GET, PUT at most 3 times.") == "Höchstens 3 Mal GET, PUT.")
        for other in [
            "The resource supports GET.", "The resource supports  at most 3 times.", "It is so.", "{count} days",
            "The resource supports GET at most 3 times. And more.",
        ] { #expect(Self.german.text(other) == nil, "\(other)") }
        #expect(PageLanguage.english.text("Anything") == "Anything")
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

    @Test("A problem is told in the browser's language")
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
        let text = ProblemPage.text(problem, in: Self.german)
        #expect(text.contains("<h1>Weg</h1>") && text.contains(#"<p lang="en">No &lt;b&gt;such&lt;/b&gt; thing.</p>"#))
    }
}
