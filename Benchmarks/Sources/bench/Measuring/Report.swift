import CSQLite
import Foundation

/// The output of one run: the table and the machine.
struct Report {
    var lines: [Line]
    var machine: Machine
    /// Remarks, for example that something optional was not measured.
    var notes: [String]

    private static let begin = "<!-- bench: begin -->"
    private static let end = "<!-- bench: end -->"

    var text: String {
        var text = "```text\n\(Table(lines: lines).text)\n```\n\n"
        text += machine.text + "\n"
        if !notes.isEmpty { text += "\nNotes:\n\n" + notes.map { "- \($0)" }.joined(separator: "\n") + "\n" }
        return text
    }

    /// Replaces the text between the markers of a page.
    ///
    /// - Throws: ``BenchError`` if the page has no markers.
    func write(into document: URL) throws {
        let page = try String(contentsOf: document, encoding: .utf8)
        guard let begin = page.range(of: Self.begin), let end = page.range(of: Self.end),
            begin.upperBound <= end.lowerBound
        else {
            throw BenchError("\(document.lastPathComponent) has no markers for the table")
        }
        let whole = page[..<begin.upperBound] + "\n" + text + page[end.lowerBound...]
        try String(whole).write(to: document, atomically: true, encoding: .utf8)
    }
}

/// Formats lines as aligned text.
struct Table {
    var lines: [Line]

    private static let head = ["what", "ours", "other", "ratio", "target", "held", "spread"]

    var text: String {
        let rows = [Self.head] + lines.map(Self.cells)
        let widths = Self.head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var written = rows.map { row in
            var text = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                let isText = column == 0 || column >= row.count - 2
                text += (column > 0 ? "  " : "") + (isText ? cell + space : space + cell)
            }
            while text.last == " " { text.removeLast() }
            return text
        }
        written.insert(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "), at: 1)
        return written.joined(separator: "\n")
    }

    private static func cells(_ line: Line) -> [String] {
        let figure = line.figure.map { Figure.with(line.unit, $0) } ?? ""
        let held = line.isHeld.map { $0 ? "yes" : "NO" } ?? ""
        return [line.what, line.ours, line.other, figure, target(line), held, line.spread ?? ""]
    }

    private static func target(_ line: Line) -> String {
        switch line.target {
        case .atMost(let limit): "≤ \(Figure.with(line.unit, limit))"
        case .atLeast(let limit): "≥ \(Figure.with(line.unit, limit))"
        case .none: ""
        }
    }
}

/// The properties of the machine that the figures depend on, without its name.
struct Machine {
    var text: String

    init(_ setting: Setting) {
        let memory = Double(ProcessInfo.processInfo.physicalMemory) / 1_073_741_824
        let day = ISO8601DateFormatter.string(
            from: Date(), timeZone: .gmt, formatOptions: [.withFullDate, .withDashSeparatorInDate])
        let parts = [
            "\(ProcessInfo.processInfo.activeProcessorCount) cores (\(Self.processor))",
            String(format: "%.0f GB of memory", memory.rounded()),
            setting.compiler,
            "SQLite \(String(cString: sqlite3_libversion()))",
        ]
        text = "Measured \(day): " + parts.joined(separator: ", ") + "."
    }

    private static var processor: String {
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) }
        return name ?? "unknown processor"
    }
}
