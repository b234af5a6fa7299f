import HealthSQL

/// A statement's answer as aligned columns. Widths are found on the first thousand rows, so that any number of rows
/// can go by.
struct ResultTable {
    private let statement: SQLStatement
    private static let looked = 1_000

    init(_ statement: SQLStatement) {
        self.statement = statement
    }

    func print() throws {
        var first: [[(text: String, isNumber: Bool)]] = []
        var isEnded = false
        while first.count < Self.looked {
            guard try statement.step() else {
                isEnded = true
                break
            }
            first.append(cells())
        }
        let columns = statement.columnNames.indices.map { column in
            // Numbers stand on the right where a column has nothing else.
            Table.Column(
                title: statement.columnNames[column],
                isNumber: first.contains { $0[column].isNumber }
                    && first.allSatisfy { $0[column].isNumber || $0[column].text.isEmpty })
        }
        var table = Table(columns)
        for row in first { table.add(row.map(\.text)) }
        try StandardOutput.send(Array(table.text().utf8))
        guard !isEnded else { return }
        let widths = columns.indices.map { column in
            first.map { Table.width($0[column].text) }.max() ?? 0
        }
        while try statement.step() {
            let line = Self.line(cells().map(\.text), columns, widths)
            try StandardOutput.send(Array((line + "\n").utf8))
        }
    }

    private static func line(_ cells: [String], _ columns: [Table.Column], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let width = max(widths[index], Table.width(columns[index].title))
            let padding = String(repeating: " ", count: max(0, width - Table.width(cell)))
            line += (index > 0 ? "  " : "") + (columns[index].isNumber ? padding + cell : cell + padding)
        }
        while line.last == " " { line.removeLast() }
        return line
    }

    private func cells() -> [(text: String, isNumber: Bool)] {
        statement.values.map { value in
            switch value {
            case .null: ("", false)
            case .integer(let number): (String(number), true)
            case .real(let number): (Self.text(number), true)
            // A line of the table is a row: breaks within a text would look like others.
            case .text(let text): (text.split(whereSeparator: \.isNewline).joined(separator: " "), false)
            case .blob(let bytes): ("\(bytes.count) bytes", false)
            }
        }
    }

    /// Whole numbers without a point, sums without the dust of binary fractions.
    private static func text(_ number: Double) -> String {
        if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
        return NumberOutput.plain(number)
    }
}
