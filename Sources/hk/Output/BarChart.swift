import Foundation

/// A horizontal bar chart made of block characters.
struct BarChart {
    /// A row: its label, its value, and the formatted value.
    struct Row {
        var label: String
        var value: Double?
        var shown: String
    }

    var rows: [Row]

    /// The chart, at most as wide as the terminal.
    func text() -> String {
        let terminal = Terminal.output
        let labelWidth = rows.map { Table.width($0.label) }.max() ?? 0
        let shownWidth = rows.map { Table.width($0.shown) }.max() ?? 0
        let room = max(1, min(60, terminal.columns - labelWidth - shownWidth - 4))
        let greatest = rows.compactMap(\.value).filter(\.isFinite).max() ?? 0
        return rows.map { row in
            let label = row.label + String(repeating: " ", count: labelWidth - Table.width(row.label))
            let shown = String(repeating: " ", count: shownWidth - Table.width(row.shown)) + row.shown
            let length = row.value.map { Self.length($0, of: greatest) * Double(room) } ?? 0
            guard length > 0 else { return "\(label)  \(shown)\n" }
            return "\(label)  \(shown)  \(terminal.styled(Self.bar(length), .cyan))\n"
        }.joined()
    }

    /// The share of a value in the greatest finite one. Infinity is as long as the greatest; what isn't a number has no
    /// bar.
    private static func length(_ value: Double, of greatest: Double) -> Double {
        if value == .infinity { return 1 }
        return value.isFinite && value > 0 && greatest > 0 ? max(.leastNormalMagnitude, value / greatest) : 0
    }

    /// A bar with a resolution of an eighth of a column. A value above zero is always visible.
    private static func bar(_ length: Double) -> String {
        let eighths = max(length > 0 ? 1 : 0, Int((length * 8).rounded()))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}

/// A chart of ranges: a line from each minimum to each maximum, with a dot at the average.
struct RangeChart {
    /// A row: its label, its figures, and the formatted figures. Without figures, it is a gap.
    struct Row {
        var label: String
        var minimum: Double?
        var average: Double?
        var maximum: Double?
        var shown: String
    }

    var rows: [Row]
    /// The formatted ends of the scale.
    var scale: (minimum: String, maximum: String)

    /// The chart, at most as wide as the terminal. The first line is the scale, from the least minimum to the greatest maximum.
    func text() -> String {
        let terminal = Terminal.output
        let known = rows.flatMap { [$0.minimum, $0.average, $0.maximum] }.compactMap { $0 }.filter(\.isFinite)
        let labelWidth = rows.map { Table.width($0.label) }.max() ?? 0
        let shownWidth = rows.map { Table.width($0.shown) }.max() ?? 0
        let room = max(1, min(60, terminal.columns - labelWidth - shownWidth - 4))
        let (low, high) = (known.min() ?? 0, known.max() ?? 0)
        func column(_ value: Double) -> Int {
            guard value.isFinite else { return value == .infinity ? room - 1 : 0 }
            // Halved, because the difference of two finite numbers can be infinite.
            let share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5
            return min(room - 1, max(0, Int((share * Double(room - 1)).rounded())))
        }
        let lines = rows.map { row in
            let label = row.label + String(repeating: " ", count: labelWidth - Table.width(row.label))
            let shown = String(repeating: " ", count: shownWidth - Table.width(row.shown)) + row.shown
            guard let minimum = row.minimum, let maximum = row.maximum, !minimum.isNaN, !maximum.isNaN else {
                return "\(label)  \(shown)\n"
            }
            let (first, last) = (column(minimum), column(maximum))
            var band = [String](repeating: "━", count: last - first + 1)
            if let average = row.average, !average.isNaN { band[min(last, max(first, column(average))) - first] = "●" }
            return
                "\(label)  \(shown)  \(String(repeating: " ", count: first))\(terminal.styled(band.joined(), .cyan))\n"
        }
        let gap = room - Table.width(scale.minimum) - Table.width(scale.maximum)
        guard !known.isEmpty, gap > 0 else { return lines.joined() }
        let axis = scale.minimum + String(repeating: " ", count: gap) + scale.maximum
        return String(repeating: " ", count: labelWidth + shownWidth + 4) + terminal.styled(axis, .dim) + "\n"
            + lines.joined()
    }
}
