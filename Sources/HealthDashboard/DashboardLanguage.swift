package import Foundation

/// A language of the page: English, which its sources have, or one with a catalogue in the folder `languages`.
package struct DashboardLanguage: Sendable {
    /// The code of the language, such as `de`.
    package let name: String
    /// The time of the last change of the catalogue.
    package let modified: Date
    private let texts: [String: String]

    package static let english = DashboardLanguage(name: "en", modified: .distantPast, catalogue: Data("{}".utf8))

    package init(name: String, modified: Date, catalogue: Data) {
        self.name = name
        self.modified = modified
        let entries = (try? JSONSerialization.jsonObject(with: catalogue)) as? [String: Any] ?? [:]
        // The forms of a sentence for numbers of things are for the page alone.
        texts = entries.compactMapValues { $0 as? String }
    }

    /// The first language of an `Accept-Language` field that is English or has a catalogue.
    package static func preferred(_ accepted: String, of names: [String]) -> String {
        let wanted = accepted.split(separator: ",").map { part -> (name: String, quality: Double) in
            let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            return (String((pieces.first ?? "").prefix { $0 != "-" }), quality ?? 1)
        }
        // Of equal ones, the first one counts.
        let ranked = wanted.enumerated().filter { $0.element.quality > 0 }
            .sorted { ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset) }
        return ranked.map(\.element.name).first { $0 == "en" || names.contains($0) } ?? "en"
    }

    // MARK: Sentences

    /// An English sentence in this language; `nil` if the catalogue lacks it.
    package func text(_ english: String) -> String? {
        if name == "en" { return english }
        if let text = texts[english] { return text }
        for (sentence, translation) in texts where sentence.hasSuffix(".") && sentence.contains("{") {
            if let values = Self.values(in: english, of: sentence) { return Self.filled(translation, values) }
        }
        return nil
    }

    package func localized(_ english: String) -> String { text(english) ?? english }

    /// The texts in a sentence at the placeholders of another one; `nil` if it is a different sentence.
    private static func values(in text: String, of sentence: String) -> [String: String]? {
        let pieces = sentence.split(separator: "{", omittingEmptySubsequences: false)
        // Sentences of little but placeholders would match others.
        guard sentence.replacing(/\{\w+\}/, with: "").count > 15, text.hasPrefix(pieces[0]) else { return nil }
        var values: [String: String] = [:]
        var rest = text.dropFirst(pieces[0].count)
        for (index, piece) in pieces.enumerated().dropFirst() {
            let parts = piece.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let isLast = index == pieces.count - 1
            let end = isLast && rest.hasSuffix(parts[1]) ? rest.dropLast(parts[1].count).endIndex : nil
            guard let value = isLast ? end : rest.firstRange(of: parts[1])?.lowerBound, value > rest.startIndex
            else { return nil }
            values[String(parts[0])] = String(rest[..<value])
            rest = rest[value...].dropFirst(parts[1].count)
        }
        return values
    }

    private static func filled(_ sentence: String, _ values: [String: String]) -> String {
        sentence.replacing(/\{(\w+)\}/) { values[String($0.1)] ?? String($0.0) }
    }

    // MARK: Files

    /// A document in this language. It names the languages that there are, and what the page fetches first.
    func index(_ html: String, _ languages: [String]) -> String {
        let preload = "<link rel=\"preload\" href=\"languages/\(name).json\" as=\"fetch\" crossorigin>\n  "
        return html.replacing(
            "<html lang=\"en\" data-languages=\"\">",
            with: "<html lang=\"\(name)\" data-languages=\"\(languages.joined(separator: " "))\">"
        )
        .replacing(/data-text="([^"]*)">[^<]*</) { "data-text=\"\($0.1)\">\(escaped($0.1))<" }
        .replacing(/data-(label|content)="([^"]*)" (aria-label|content)="[^"]*"/) {
            "data-\($0.1)=\"\($0.2)\" \($0.3)=\"\(escaped($0.2))\""
        }
        .replacing("<script type=\"module\"", with: (name == "en" ? "" : preload) + "<script type=\"module\"")
    }

    /// The manifest in this language, by which the page is installed.
    func manifest(_ text: String) -> String {
        text.replacing(/"(name|description)": "([^"]*)"/) { "\"\($0.1)\": \"\(localized(String($0.2)))\"" }
    }

    private func escaped(_ english: Substring) -> String { localized(String(english)).escapedForHTML }
}

extension String {
    /// This text with the entities of HTML in place of its special characters.
    package var escapedForHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
