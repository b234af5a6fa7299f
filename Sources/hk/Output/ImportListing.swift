import AppleHealthExport

/// What an import did, as a table by type.
struct ImportListing {
    let report: ImportReport
    var isDryRun = false
    var mirrors = false

    var text: String {
        let types = columns.reduce(into: Set<String>()) { $0.formUnion($1.counts.keys) }
        var table = Table([.init(title: "type")] + columns.map { .init(title: $0.title, isNumber: true) })
        for type in types.sorted(by: { (total($0), $1) > (total($1), $0) }) {
            table.add([TypeName.short(type)] + columns.map { number($0.counts[type]) })
        }
        table.add(["all"] + columns.map { NumberOutput.grouped($0.counts.values.reduce(0, +)) })
        return table.text() + remarks
    }

    /// Counts by type identifier, a column each.
    private var columns: [(title: String, counts: [String: Int])] {
        let removed = mirrors ? [("removed", report.removed)] : []
        return [("added", report.added), ("already there", report.alreadyThere)] + removed
            + [("skipped", report.skipped)]
    }

    private func total(_ type: String) -> Int {
        (report.added[type] ?? 0) + (report.alreadyThere[type] ?? 0)
    }

    private func number(_ count: Int?) -> String {
        count.map { $0 == 0 ? "" : NumberOutput.grouped($0) } ?? ""
    }

    private var remarks: String {
        var text = ""
        if report.addedCount == 0, report.removedCount == 0, report.alreadyThereCount > 0 {
            text += "\nNothing new: the store has all of it already.\n"
        }
        if isDryRun { text += "\nThis was a dry run: nothing has been changed.\n" }
        if !report.skips.isEmpty {
            text += "\nNot understood:\n"
            for skip in report.skips.prefix(20) {
                text += "  line \(skip.line): \(TypeName.short(skip.type)), \(skip.reason)\n"
            }
            let rest = report.skippedCount - min(20, report.skips.count)
            if rest > 0 { text += "  and \(NumberOutput.grouped(rest)) more\n" }
        }
        text += notes("Kept, though out of the ordinary", report.notes.filter { !$0.key.hasSuffix("left out") })
        text += notes("Left out", report.notes.filter { $0.key.hasSuffix("left out") })
        let rate = report.seconds > 0 ? Double(report.bytes) / report.seconds / 1_000_000 : 0
        return text + "\n\(NumberOutput.text(report.seconds, digits: 1)) s, \(NumberOutput.text(rate, digits: 0)) MB/s\n"
    }

    /// The most frequent notes under a title; nothing where there are none.
    private func notes(_ title: String, _ notes: [String: Int]) -> String {
        guard !notes.isEmpty else { return "" }
        var text = "\n\(title):\n"
        for (note, count) in notes.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }).prefix(20) {
            text += "  \(NumberOutput.grouped(count)) × \(note)\n"
        }
        return text
    }
}
