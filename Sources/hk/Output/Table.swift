import Foundation

/// Rows of text in aligned columns.
struct Table {
    /// A column's heading and alignment.
    struct Column {
        var title: String
        var isNumber = false
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The table, with bold headings on a terminal and no trailing spaces.
    func text(on terminal: Terminal = .output) -> String {
        let widths = columns.indices.map { index in
            ([columns[index].title] + rows.map { $0[index] }).map(Self.width).max() ?? 0
        }
        let heading = line(columns.map(\.title), widths).map { terminal.styled($0, .bold) }
        let body = rows.compactMap { line($0, widths) }
        return ([heading ?? ""] + body).joined(separator: "\n") + "\n"
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String? {
        var text = ""
        for (index, cell) in cells.enumerated() {
            let padding = String(repeating: " ", count: widths[index] - Self.width(cell))
            text += (index > 0 ? "  " : "") + (columns[index].isNumber ? padding + cell : cell + padding)
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The number of terminal columns of a text: emoji and East Asian characters take two.
    static func width(_ text: String) -> Int {
        text.reduce(0) { total, character in
            guard let scalar = character.unicodeScalars.first else { return total }
            let isWide =
                scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
                || (0x2E80...0xA4CF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
                || (0xF900...0xFAFF).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
            return total + (isWide ? 2 : 1)
        }
    }
}

/// Prints one JSON value on one line, with sorted keys.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        Swift.print(try text(value))
    }

    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // NaN and infinity can be stored but are not JSON numbers.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
