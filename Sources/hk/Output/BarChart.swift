/// Bars of text, one a row.
struct BarChart {
    /// A row: its label, its value, and the value as it is shown.
    struct Row {
        var label: String
        var value: Double?
        var shown: String
    }

    var rows: [Row]

    /// The chart within so many columns.
    func text(columns: Int, on terminal: Terminal = .output) -> String {
        let labelWidth = rows.map { Table.width($0.label) }.max() ?? 0
        let shownWidth = rows.map { Table.width($0.shown) }.max() ?? 0
        let room = max(10, min(60, columns - labelWidth - shownWidth - 4))
        let greatest = rows.compactMap(\.value).max() ?? 0
        return rows.map { row in
            let label = row.label + String(repeating: " ", count: labelWidth - Table.width(row.label))
            let shown = String(repeating: " ", count: shownWidth - Table.width(row.shown)) + row.shown
            guard let value = row.value, greatest > 0 else { return "\(label)  \(shown)\n" }
            return "\(label)  \(shown)  \(terminal.styled(Self.bar(value / greatest * Double(room)), .cyan))\n"
        }.joined()
    }

    /// A bar to an eighth of a column; a value above zero always shows.
    private static func bar(_ length: Double) -> String {
        let eighths = max(length > 0 ? 1 : 0, Int((length * 8).rounded()))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
