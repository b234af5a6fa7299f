import Foundation
import HealthDashboard
import HealthModel
import Testing

/// The names and sentences of the server in the languages of the page.
@Suite("Languages of the page")
struct DashboardLanguageTests {
    private static let catalogues = PageTexts.own.catalogues.map { file in
        (file: file.lastPathComponent, language: language(file.deletingPathExtension().lastPathComponent, file))
    }

    private static func language(_ name: String, _ catalogue: URL) -> DashboardLanguage {
        DashboardLanguage(name: name, modified: .distantPast, catalogue: (try? Data(contentsOf: catalogue)) ?? Data())
    }

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
        #expect(DashboardLanguage.preferred(accepted, of: ["de", "pt"]) == expected)
    }

    private static let german = DashboardLanguage(
        name: "de", modified: .distantPast,
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
        #expect(DashboardLanguage.english.text("Anything") == "Anything")
    }
}
