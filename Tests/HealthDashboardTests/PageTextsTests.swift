import Foundation
import HealthDashboard
import Testing

/// The texts of the page: every sentence is in the catalogue of each language, and nothing else is.
@Suite("Texts of the page")
struct PageTextsTests {
    private static let texts = PageTexts.own

    /// The words and sentences of the server, what they are filled with as `{}`.
    private static let serverTexts: Set<String> = {
        let folders = [
            "HealthServer", "HealthIngest", "HealthDevices", "HealthModel", "HealthAnswers", "HealthInsights",
            "AppleHealthGenerator",
        ]
        let files = folders.flatMap {
            PageSources.files(["swift"], in: PageSources.root.appendingPathComponent("Sources/\($0)"))
        }
        return files.reduce(into: []) { found, file in
            let text = ((try? PageSources.text(file)) ?? "").replacing(/\\\((?:[^()\n]|\([^()\n]*\))*\)/, with: "{}")
            for literal in text.matches(of: /"([^"\n]*)"/) { found.insert(String(literal.1)) }
            for link in text.matches(of: #/>([^<>\n]+)<\/a>/#) { found.insert(String(link.1)) }
        }
    }()

    /// The ends of HealthKit's identifiers, in lowercase.
    private static let serverNames: Set<String> = {
        let names = serverTexts.flatMap { text in
            let short = text.replacing(/^HK[A-Za-z]*?(DataTypeIdentifier|TypeIdentifier|DataType)(?=[A-Z])/, with: "")
            return [text, short, short.replacing(/^HK|TypeIdentifier$/, with: "")]
        }
        return Set(names.map { $0.lowercased() })
    }()

    private static func placeholders(_ sentence: String) -> Set<String> {
        Set(sentence.matches(of: /\{(\w+)\}/).map { String($0.1) })
    }

    private static func unfilled(_ sentence: String) -> String { sentence.replacing(/\{\w+\}/, with: "{}") }

    // MARK: Tests

    @Test("There are texts to read")
    func isNotEmpty() {
        #expect(Self.texts.catalogues.map(\.lastPathComponent).contains("de.json"))
        #expect(Self.texts.sentences.count > 400 && Self.texts.sentences.values.contains { $0.count == 2 })
        #expect(Self.serverTexts.contains("Resource not found.") && Self.serverNames.contains("heartrate"))
    }

    @Test("Every sentence of the page is translated", arguments: texts.catalogues)
    func isComplete(file: URL) throws {
        #expect(try Self.texts.gaps(in: file) == [])
    }

    @Test("A language is a file: the page offers it, and the sentences that it lacks are named")
    func newLanguage() throws {
        let copy = try DashboardCopy()
        let folder = copy.page.appendingPathComponent("languages")
        let french = folder.appendingPathComponent("fr.json")
        try FileManager.default.copyItem(at: folder.appendingPathComponent("de.json"), to: french)
        try PageSources.write("", to: french, inPlaceOf: "  \"Copied.\": \"Kopiert.\",\n")
        let texts = PageTexts(page: copy.page)
        #expect(texts.catalogues.map(\.lastPathComponent) == ["de.json", "fr.json"])
        #expect(try texts.gaps(in: french) == ["“Copied.” is missing"])

        let page = try #require(PageFolder(path: copy.page.path))
        #expect(page.languages == ["de", "fr"])
        let index = try #require(page.file("/", accepted: "fr-CH, fr;q=0.9")?.contents)
        #expect(String(decoding: index, as: UTF8.self).contains(#"<html lang="fr" data-languages="de fr">"#))
    }

    /// A report of each type of the generated script whose name a catalogue lacks.
    static func missingTypes(of script: String, in catalogue: URL) throws -> [String] {
        let known = try PageTexts.translations(catalogue)
        return names(of: script).filter { known[$0] == nil }.map {
            "\(catalogue.lastPathComponent) lacks “\($0)”, the name of a type"
        }
    }

    /// The types of the generated script, by their short names.
    private static func names(of script: String) -> [String] {
        script.matches(of: /(?m)^  (\w+): \{ category:/).map { String($0.1) }
    }

    @Test("The name of every type is translated", arguments: texts.catalogues)
    func types(file: URL) throws {
        let script = try #require(Self.texts.scripts.first { $0.name.hasSuffix("app/GENERATED-types.js") }?.text)
        #expect(Self.names(of: script).count > 220)
        for report in try Self.missingTypes(of: script, in: file) { Issue.record("\(report)") }
    }

    @Test("Every title of a problem is translated", arguments: texts.catalogues)
    func problems(file: URL) throws {
        let known = try PageTexts.translations(file)
        let source = try PageSources.text(
            PageSources.root.appendingPathComponent("Sources/HealthServer/GENERATED-Problems.swift"))
        let titles = source.matches(of: /Self\("\w+", \.\w+, "([^"]+)"\)/).map { String($0.1) }
        #expect(titles.count > 20)
        for title in titles { #expect(known[title] != nil, "\(file.lastPathComponent) lacks “\(title)”") }
    }

    @Test("No translation is of a sentence that is gone", arguments: texts.catalogues)
    func isUsed(file: URL) throws {
        // A word of a sentence begins with a capital where it stands alone.
        let texts = Self.serverTexts.map(Self.unfilled)
        let server = Set(texts + texts.map { $0.prefix(1).uppercased() + $0.dropFirst() })
        for sentence in try PageTexts.translations(file).keys.sorted() where Self.texts.sentences[sentence] == nil {
            let isName = !sentence.contains(" ") && Self.serverNames.contains(sentence.lowercased())
            #expect(
                isName || server.contains(Self.unfilled(sentence)),
                "\(file.lastPathComponent): nothing says “\(sentence)”")
        }
    }

    @Test("Translations have the placeholders of their sentences", arguments: texts.catalogues)
    func placeholders(file: URL) throws {
        for (sentence, translation) in try PageTexts.translations(file) {
            let wanted = Self.placeholders(sentence)
            switch translation {
            case .sentence(let text):
                let found = Self.placeholders(text)
                // What the server has filled in need not be repeated.
                let isRight = Self.texts.sentences[sentence] == nil ? found.isSubset(of: wanted) : found == wanted
                #expect(isRight, "\(file.lastPathComponent): “\(sentence)” has \(found.sorted())")
            case .forms(let forms):
                for (form, text) in forms {
                    let found = Self.placeholders(text)
                    #expect(
                        found == wanted || form != "other" && found.isSubset(of: wanted),
                        "\(file.lastPathComponent): “\(sentence)” (\(form)) has \(found.sorted())")
                }
            }
        }
    }

    @Test("A catalogue has one entry a line, sorted", arguments: texts.catalogues)
    func order(file: URL) throws {
        let lines = try PageSources.text(file).split(separator: "\n").dropFirst().dropLast()
        let keys = try lines.map { line in
            try #require(line.wholeMatch(of: #/  "((?:[^"\\]|\\.)*)": (?:"(?:[^"\\]|\\.)*"|\{.*\}),?/#)?.1, "\(line)")
        }
        for (key, next) in zip(keys, keys.dropFirst()) {
            #expect(
                key.unicodeScalars.lexicographicallyPrecedes(next.unicodeScalars), "“\(next)” is not after “\(key)”")
        }
        #expect(try PageTexts.translations(file).count == keys.count)
    }

    /// Texts for machines that look like texts for people.
    private static let technical: Set<String> = [
        "Cal", "fl oz", "Quantity", "Category", "Correlation", "Characteristic", "Document", "Clinical", "Enter",
        "Escape", "Files",
        "Name",
        "Systolic", "Diastolic", "Protein", "Carbohydrates", "Home Assistant", "Health Auto Export", "Shortcuts",
        "Authorization", "Bearer ", "Authorization,Bearer ",
        "Control+Z Meta+Z", "OpenHealthKit columns", ".topic span",
    ]

    @Test("No text for people bypasses the catalogue")
    func literals() throws {
        // The English names of types are looked up by their names in HealthKit.
        for (name, text) in Self.texts.scripts where !name.contains("/GENERATED-") {
            if name != "app/language.js" {
                let variable = text.firstMatch(of: /\blocalized(?:Content)?\((?!\s*").*/)?.0
                #expect(variable == nil, "\(name): the sentence isn’t written here: \(variable ?? "")")
            }
            let rest = text.replacing(PageTexts.calls, with: "").replacing(PageTexts.counts, with: "")
            for line in rest.split(separator: "\n") {
                // So are those of values.
                if name == "app/types.js", line.contains(#/^  \w+: "[^"]*",$/#) { continue }
                if line.contains(#/^import |^\} from /#) { continue }
                let code = line.replacing(/(class|"aria-keyshortcuts"): "[^"]*"/, with: "")
                for literal in code.matches(of: /"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`/) {
                    let text = String(literal.1 ?? literal.2 ?? "").replacing(/\$\{[^}]*\}/, with: "")
                    #expect(
                        Self.technical.contains(text) || !Self.isForPeople(text),
                        "\(name): “\(text)” isn’t localized (or add it to the technical ones)")
                }
            }
        }
    }

    /// Whether a text has two words, or one with a capital letter that isn’t an identifier or a header field. Commands
    /// are the same in every language.
    private static func isForPeople(_ text: String) -> Bool {
        if text.hasPrefix("hk ") { return false }
        if text.contains(/[a-z]{2} [a-z]{2}/) { return true }
        return text.contains(/^[A-Z][a-z]/) && !text.contains(/^[A-Z][a-z]+(-?[A-Z][A-Za-z]+)+( [A-Z][A-Za-z]+)*$/)
    }
}
