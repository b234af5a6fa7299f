import Foundation

/// The texts of a page, and their translations.
struct PageTexts: Sendable {
    /// Those of the page in this package.
    static let own = PageTexts(page: PageSources.page)

    /// A translation: a sentence, or its forms for numbers of things.
    enum Translation: Decodable {
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

    /// The scripts without comments, by their paths in the page's folder.
    let scripts: [(name: String, text: String)]
    /// The sentences in the scripts and documents, by their key in a catalogue. Those of a number have two forms.
    let sentences: [String: [String]]
    /// The catalogues of the languages.
    let catalogues: [URL]

    init(page: URL) {
        let scripts = PageSources.files(["js"], in: page).map { file in
            let text = (try? PageSources.text(file)) ?? ""
            return (
                name: String(file.path.dropFirst(page.path.count + 1)),
                text: text.replacing(/(?s)\/\*.*?\*\//, with: "").replacing(/(?m)^\s*\/\/.*$/, with: "")
            )
        }
        self.scripts = scripts
        let html = ["index.html", "offline.html"]
            .map { (try? PageSources.text(page.appendingPathComponent($0))) ?? "" }.joined()
        sentences = Self.sentences(scripts, html)
        catalogues = PageSources.files(["json"], in: page.appendingPathComponent("languages"))
    }

    static func translations(_ catalogue: URL) throws -> [String: Translation] {
        try JSONDecoder().decode([String: Translation].self, from: Data(contentsOf: catalogue))
    }

    /// The sentences of the page that a catalogue lacks, or has in the wrong form.
    func gaps(in catalogue: URL) throws -> [String] {
        let known = try Self.translations(catalogue)
        return sentences.sorted { $0.key < $1.key }.compactMap { sentence, forms in
            switch known[sentence] {
            case .sentence: forms.count == 1 ? nil : "“\(sentence)” needs forms for numbers"
            case .forms(let own): forms.count == 2 && own["other"] != nil ? nil : "“\(sentence)” has forms"
            case nil: "“\(sentence)” is missing"
            }
        }
    }

    // MARK: What the page says

    static var calls: Regex<(Substring, Substring)> {
        /\blocalized(?:Content)?\(\s*("(?:[^"\\]|\\.)*"(?:\s*\+\s*"(?:[^"\\]|\\.)*")*)/
    }

    static var counts: Regex<(Substring, Substring, Substring)> {
        /\b(?:count|plural)\([^"`;]*?,\s*"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"/
    }

    private static func sentences(_ scripts: [(name: String, text: String)], _ html: String) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (_, text) in scripts {
            for call in text.matches(of: calls) {
                let parts = call.1.matches(of: /"((?:[^"\\]|\\.)*)"/)
                let sentence = parts.map { String($0.1) }.joined()
                found[sentence] = [sentence]
            }
            for call in text.matches(of: counts) { found[String(call.2)] = [String(call.1), String(call.2)] }
        }
        for mark in html.matches(of: /data-(?:text|label|content)="([^"]*)"/) {
            found[String(mark.1)] = [String(mark.1)]
        }
        let table = scripts.first { $0.name == "app/foods.js" }?.text ?? ""
        for row in table.matches(of: /(?m)^([^|\n`]+)\|([^|\n]+)\|\d/) {
            for text in [row.1, row.2] { found[String(text)] = [String(text)] }
        }
        return found
    }
}
