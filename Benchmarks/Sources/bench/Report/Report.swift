import Foundation

/// Everything one run says: the table, the spread of each line, and the machine.
struct Report {
    var lines: [Line]
    var machine: Machine
    /// Remarks of the measurements, such as that something optional was not there.
    var notes: [String]

    private static let begin = "<!-- bench: begin -->"
    private static let end = "<!-- bench: end -->"

    var text: String {
        var text = "```text\n\(Table(lines: lines).text)\n```\n\n"
        text += machine.text + "\n\n"
        let spreads = lines.compactMap { line in line.spread.map { "- \(line.what): \($0)." } }
        if !spreads.isEmpty { text += "Spread:\n\n" + spreads.joined(separator: "\n") + "\n" }
        if !notes.isEmpty { text += "\nNotes:\n\n" + notes.map { "- \($0)" }.joined(separator: "\n") + "\n" }
        return text
    }

    /// Puts the text between the markers of a page, in place of what is there.
    ///
    /// - Throws: ``BenchError`` when the page has no markers.
    func write(into document: URL) throws {
        let page = try String(contentsOf: document, encoding: .utf8)
        guard let begin = page.range(of: Self.begin), let end = page.range(of: Self.end),
            begin.upperBound <= end.lowerBound
        else {
            throw BenchError("\(document.lastPathComponent) has no place for the table")
        }
        let whole = page[..<begin.upperBound] + "\n" + text + page[end.lowerBound...]
        try String(whole).write(to: document, atomically: true, encoding: .utf8)
    }
}
