/// Lines as aligned text.
struct Table {
    var lines: [Line]

    private static let head = ["what", "ours", "other", "ratio", "target", "held"]

    var text: String {
        let rows = [Self.head] + lines.map(Self.cells)
        let widths = Self.head.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var written = rows.map { row in
            var text = ""
            for (column, cell) in row.enumerated() {
                let space = String(repeating: " ", count: widths[column] - cell.count)
                let isText = column == 0 || column == row.count - 1
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
        return [line.what, line.ours, line.other, figure, target(line), held]
    }

    private static func target(_ line: Line) -> String {
        switch line.target {
        case .atMost(let limit): "≤ \(Figure.with(line.unit, limit))"
        case .atLeast(let limit): "≥ \(Figure.with(line.unit, limit))"
        case .none: ""
        }
    }
}
