import Foundation
import Testing

/// The texts of the page: every sentence is in the catalogue of each language, and nothing else is.
@Suite("Texts of the page")
struct PageTextsTests {
    private static let page = House.root.appendingPathComponent("Sources/HealthServer/Page")

    /// A translation: a sentence, or its forms for numbers of things.
    private enum Translation: Decodable {
        case sentence(String)
        case forms([String: String])

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .sentence(text)
            } else {
                self = .forms(try container.decode([String: String].self))
            }
        }
    }

    static let catalogues = files(["json"]).filter { $0.path.contains("/languages/") }

    private static func files(_ extensions: Set<String>) -> [URL] {
        let found = FileManager.default.enumerator(at: page, includingPropertiesForKeys: nil)
        return (found?.compactMap { $0 as? URL } ?? []).filter { extensions.contains($0.pathExtension) }
            .sorted { $0.path < $1.path }
    }

    private static func translations(_ file: URL) throws -> [String: Translation] {
        try JSONDecoder().decode([String: Translation].self, from: Data(contentsOf: file))
    }

    // MARK: What the page says

    /// The scripts without comments.
    private static let scripts: [(name: String, text: String)] = files(["js"]).map { file in
        let text = (try? House.text(file)) ?? ""
        return (House.name(file), text.replacing(/(?s)\/\*.*?\*\//, with: "").replacing(/(?m)^\s*\/\/.*$/, with: ""))
    }

    private static var calls: Regex<(Substring, Substring)> {
        /\blocalized(?:Content)?\(\s*("(?:[^"\\]|\\.)*"(?:\s*\+\s*"(?:[^"\\]|\\.)*")*)/
    }

    private static var counts: Regex<(Substring, Substring, Substring)> {
        /\b(?:count|plural)\([^"`;]*?,\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"/
    }

    /// The sentences in the scripts and in index.html, by their key in a catalogue. Those of a number have two forms.
    private static let sentences: [String: [String]] = {
        var found: [String: [String]] = [:]
        for (_, text) in scripts {
            for call in text.matches(of: calls) {
                let parts = call.1.matches(of: /"((?:[^"\\]|\\.)*)"/)
                let sentence = parts.map { String($0.1) }.joined()
                found[sentence] = [sentence]
            }
            for call in text.matches(of: counts) { found[String(call.2)] = [String(call.1), String(call.2)] }
        }
        let html = (try? House.text(page.appendingPathComponent("index.html"))) ?? ""
        for mark in html.matches(of: /data-(?:text|label|content)="([^"]*)"/) {
            found[String(mark.1)] = [String(mark.1)]
        }
        let table = scripts.first { $0.name.hasSuffix("app/foods.js") }?.text ?? ""
        for row in table.matches(of: /(?m)^([^|\n`]+)\|([^|\n]+)\|\d/) {
            for text in [row.1, row.2] { found[String(text)] = [String(text)] }
        }
        return found
    }()

    /// The words and sentences of the server, what they are filled with as `{}`.
    private static let serverTexts: Set<String> = {
        let folders = ["HealthServer", "HealthModel", "HealthAnswers", "HealthInsights", "AppleHealthGenerator"]
        return folders.flatMap { House.swiftFiles("Sources/\($0)") }.reduce(into: []) { found, file in
            let text = ((try? House.text(file)) ?? "").replacing(/\\\((?:[^()\n]|\([^()\n]*\))*\)/, with: "{}")
            for literal in text.matches(of: /"([^"\n]*)"/) { found.insert(String(literal.1)) }
            for link in text.matches(of: #/>([^<>\n]+)<\/a>/#) { found.insert(String(link.1)) }
        }
    }()

    /// What HealthKit calls so, in lowercase: the ends of identifiers.
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
        #expect(Self.catalogues.map(\.lastPathComponent).contains("de.json"))
        #expect(Self.sentences.count > 400 && Self.sentences.values.contains { $0.count == 2 })
        #expect(Self.serverTexts.contains("Resource not found.") && Self.serverNames.contains("heartrate"))
    }

    @Test("Every sentence of the page is translated", arguments: catalogues)
    func isComplete(file: URL) throws {
        let known = try Self.translations(file)
        for (sentence, forms) in Self.sentences.sorted(by: { $0.key < $1.key }) {
            switch known[sentence] {
            case .sentence: #expect(forms.count == 1, "\(House.name(file)): “\(sentence)” needs forms for numbers")
            case .forms(let own):
                #expect(forms.count == 2 && own["other"] != nil, "\(House.name(file)): “\(sentence)” has forms")
            case nil: Issue.record("\(House.name(file)) lacks “\(sentence)”")
            }
        }
    }

    @Test("Every title of a problem is translated", arguments: catalogues)
    func problems(file: URL) throws {
        let known = try Self.translations(file)
        let source = try House.text(House.root.appendingPathComponent("Sources/HealthServer/Problem.swift"))
        let titles = source.matches(of: /Self\(\s*"\w+", \.\w+,\s*"([^"]+)"\)/).map { String($0.1) }
        #expect(titles.count > 20)
        for title in titles { #expect(known[title] != nil, "\(House.name(file)) lacks “\(title)”") }
    }

    @Test("No translation is of a sentence that is gone", arguments: catalogues)
    func isUsed(file: URL) throws {
        // A word of a sentence begins with a capital where it stands alone.
        let texts = Self.serverTexts.map(Self.unfilled)
        let server = Set(texts + texts.map { $0.prefix(1).uppercased() + $0.dropFirst() })
        for sentence in try Self.translations(file).keys.sorted() where Self.sentences[sentence] == nil {
            let isName = !sentence.contains(" ") && Self.serverNames.contains(sentence.lowercased())
            #expect(
                isName || server.contains(Self.unfilled(sentence)), "\(House.name(file)): nothing says “\(sentence)”")
        }
    }

    @Test("Translations have the placeholders of their sentences", arguments: catalogues)
    func placeholders(file: URL) throws {
        for (sentence, translation) in try Self.translations(file) {
            let wanted = Self.placeholders(sentence)
            switch translation {
            case .sentence(let text):
                let found = Self.placeholders(text)
                // What the server has filled in need not be repeated.
                let isRight = Self.sentences[sentence] == nil ? found.isSubset(of: wanted) : found == wanted
                #expect(isRight, "\(House.name(file)): “\(sentence)” has \(found.sorted())")
            case .forms(let forms):
                for (form, text) in forms {
                    let found = Self.placeholders(text)
                    #expect(
                        found == wanted || form != "other" && found.isSubset(of: wanted),
                        "\(House.name(file)): “\(sentence)” (\(form)) has \(found.sorted())")
                }
            }
        }
    }

    @Test("A catalogue has one entry a line, sorted", arguments: catalogues)
    func order(file: URL) throws {
        let lines = try House.text(file).split(separator: "\n").dropFirst().dropLast()
        let keys = try lines.map { line in
            try #require(line.wholeMatch(of: #/  "((?:[^"\\]|\\.)*)": (?:"(?:[^"\\]|\\.)*"|\{.*\}),?/#)?.1, "\(line)")
        }
        for (key, next) in zip(keys, keys.dropFirst()) {
            #expect(
                key.unicodeScalars.lexicographicallyPrecedes(next.unicodeScalars), "“\(next)” is not after “\(key)”")
        }
        #expect(try Self.translations(file).count == keys.count)
    }

    /// Texts for machines that look like texts for people.
    private static let technical: Set<String> = [
        "Cal", "fl oz", "Quantity", "Category", "Correlation", "Characteristic", "Document", "Clinical", "Enter",
        "Escape", "Files",
        "Name",
        "Systolic", "Diastolic", "Protein", "Carbohydrates", "Home Assistant",
        "Control+Z Meta+Z",
    ]

    @Test("No text for people bypasses the catalogue")
    func literals() throws {
        for (name, text) in Self.scripts {
            if !name.hasSuffix("app/language.js") {
                let variable = text.firstMatch(of: /\blocalized(?:Content)?\((?!\s*").*/)?.0
                #expect(variable == nil, "\(name): the sentence isn’t written here: \(variable ?? "")")
            }
            let rest = text.replacing(Self.calls, with: "").replacing(Self.counts, with: "")
            for line in rest.split(separator: "\n") {
                // The English names of types are looked up by their names in HealthKit.
                if name.hasSuffix("app/types.js"), line.contains(#/^  \w+: "[^"]*",$/#) { continue }
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
