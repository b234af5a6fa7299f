import Foundation

/// Rows of text in aligned columns.
struct Table {
    /// A column's heading and alignment. A literal is the heading of a column of text.
    struct Column: ExpressibleByStringLiteral {
        let title: String
        var isNumber = false

        static func text(_ title: String) -> Column { Column(title: title) }
        static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
    }

    let columns: [Column]
    private(set) var rows: [[String]] = []

    init(_ columns: [Column]) {
        self.columns = columns
    }

    /// Titles with counts by type identifier, one of each per column, with a row for all types.
    ///
    /// - Parameter rank: Determines the order of the types, the greatest first.
    init(ofTypes columns: [(String, [String: Int])], rank: (String) -> Int) {
        self.init(["type"] + columns.map { .number($0.0) })
        let types = columns.reduce(into: Set<String>()) { $0.formUnion($1.1.keys) }
        for type in types.sorted(by: { (rank($0), $1) > (rank($1), $0) }) {
            let numbers = columns.map { $0.1[type] ?? 0 }
            add([TypeName.short(type)] + numbers.map { $0 == 0 ? "" : NumberOutput.grouped($0) })
        }
        add(["all"] + columns.map { NumberOutput.grouped($0.1.values.reduce(0, +)) })
    }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The table, with bold headings on a terminal and no trailing spaces. On a terminal, texts are shortened so that
    /// no line is wider than it; if that isn't enough, each row has one line per column.
    func text(on terminal: Terminal = .output) -> String {
        let widths = widths(on: terminal)
        guard fits(widths, on: terminal) else {
            let blocks = rows.map { block($0, on: terminal) }
            return blocks.isEmpty
                ? terminal.wrapped(columns.map(\.title).joined(separator: "  "), after: 0) + "\n"
                : blocks.joined(separator: "\n")
        }
        var text = terminal.styled(line(columns.map(\.title), widths, on: terminal), .bold) + "\n"
        for row in rows { text += line(row, widths, on: terminal) + "\n" }
        return text
    }

    /// The widths of the columns: those of their longest cells, or less where a terminal is too narrow.
    func widths(on terminal: Terminal) -> [Int] {
        var widths = columns.indices.map { index in
            ([columns[index].title] + rows.map { $0[index] }).map(Self.width).max() ?? 0
        }
        guard terminal.isTerminal else { return widths }
        var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - terminal.columns
        // Numbers are never shortened: a part of a number is another number.
        while excess > 0,
            let widest = columns.indices.filter({ !columns[$0].isNumber }).max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.minimumWidth
        {
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    /// Whether lines of these widths fit the terminal.
    func fits(_ widths: [Int], on terminal: Terminal) -> Bool {
        !terminal.isTerminal || widths.reduce(0, +) + 2 * (widths.count - 1) <= terminal.columns
    }

    /// A row as lines of a heading and a cell.
    func block(_ cells: [String], on terminal: Terminal) -> String {
        let width = columns.map { Self.width($0.title) }.max() ?? 0
        return zip(columns, cells).map { column, cell in
            let cell =
                column.isNumber ? cell : Self.shortened(cell, to: max(Self.minimumWidth, terminal.columns - width - 2))
            let title = column.title + String(repeating: " ", count: width - Self.width(column.title))
            return "\(terminal.styled(title, .bold))\(cell.isEmpty ? "" : "  \(cell)")\n"
        }.joined()
    }

    /// The width below which a column isn't shortened.
    private static let minimumWidth = 8

    func line(_ cells: [String], _ widths: [Int], on terminal: Terminal) -> String {
        var bytes: [UInt8] = []
        append(cells, widths, on: terminal, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends one line of the table, without its end, to others.
    func append(_ cells: [String], _ widths: [Int], on terminal: Terminal, to bytes: inout [UInt8]) {
        let (space, start) = (UInt8(ascii: " "), bytes.count)
        for (index, cell) in cells.enumerated() {
            let isNumber = columns[index].isNumber
            var cell = terminal.isTerminal && !isNumber ? Self.shortened(cell, to: widths[index]) : cell
            let padding = max(0, widths[index] - Self.width(cell))
            // Appending a collection takes longer than a few bytes, and one that isn't a buffer longer still.
            for _ in 0..<(index > 0 ? 2 : 0) + (isNumber ? padding : 0) { bytes.append(space) }
            cell.withUTF8 { bytes.append(contentsOf: $0) }
            if !isNumber { for _ in 0..<padding { bytes.append(space) } }
        }
        while bytes.count > start, bytes.last == space { bytes.removeLast() }
    }

    /// The beginning of a text, with an ellipsis if it is wider than `columns`.
    static func shortened(_ text: String, to columns: Int) -> String {
        guard width(text) > columns else { return text }
        var kept = ""
        var room = columns - 1
        for character in text {
            room -= width(String(character))
            guard room >= 0 else { break }
            kept.append(character)
        }
        return kept + "…"
    }

    /// The number of terminal columns of a text: emoji and East Asian characters take two.
    static func width(_ text: String) -> Int {
        // Most cells are ASCII, or have accents and quotation marks. Finding characters takes long.
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.utf8.count }
        let scalars = text.unicodeScalars
        if scalars.allSatisfy({ $0.value < 0x300 || (0x2010...0x2027).contains($0.value) }) { return scalars.count }
        return text.reduce(0) { total, character in
            guard let scalar = character.unicodeScalars.first else { return total }
            let isWide =
                scalar.properties.isEmojiPresentation || (0x1100...0x115F).contains(scalar.value)
                || (0x2E80...0xA4CF).contains(scalar.value) || (0xAC00...0xD7A3).contains(scalar.value)
                || (0xF900...0xFAFF).contains(scalar.value) || (0xFF00...0xFF60).contains(scalar.value)
            return total + (isWide ? 2 : 1)
        }
    }
}

extension Table.Column {
    init(stringLiteral title: String) { self.init(title: title) }
}

/// Prints one JSON value on one line, with sorted keys.
enum JSONOutput {
    static func print(_ value: some Encodable) throws {
        try StandardOutput.send(Array((text(value) + "\n").utf8))
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
