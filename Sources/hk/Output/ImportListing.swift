import AppleHealthExport

/// What an import did, as a table by type.
struct ImportListing {
    let report: ImportReport

    var text: String {
        let types = Set(report.added.keys).union(report.alreadyThere.keys).union(report.skipped.keys)
        var table = Table([
            .init(title: "type"), .init(title: "added", isNumber: true), .init(title: "already there", isNumber: true),
            .init(title: "skipped", isNumber: true),
        ])
        for type in types.sorted(by: { (total($0), $1) > (total($1), $0) }) {
            table.add([
                TypeName.short(type), number(report.added[type]), number(report.alreadyThere[type]), number(report.skipped[type]),
            ])
        }
        table.add([
            "all", NumberOutput.grouped(report.addedCount), NumberOutput.grouped(report.alreadyThereCount),
            NumberOutput.grouped(report.skippedCount),
        ])
        return table.text() + remarks
    }

    private func total(_ type: String) -> Int {
        (report.added[type] ?? 0) + (report.alreadyThere[type] ?? 0)
    }

    private func number(_ count: Int?) -> String {
        count.map { $0 == 0 ? "" : NumberOutput.grouped($0) } ?? ""
    }

    private var remarks: String {
        var text = ""
        if !report.skips.isEmpty {
            text += "\nNot understood:\n"
            for skip in report.skips.prefix(20) {
                text += "  line \(skip.line): \(TypeName.short(skip.type)), \(skip.reason)\n"
            }
            let rest = report.skippedCount - min(20, report.skips.count)
            if rest > 0 { text += "  and \(NumberOutput.grouped(rest)) more\n" }
        }
        if !report.notes.isEmpty {
            text += "\nKept, though out of the ordinary:\n"
            for (note, count) in report.notes.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }).prefix(20) {
                text += "  \(NumberOutput.grouped(count)) × \(note)\n"
            }
        }
        let rate = report.seconds > 0 ? Double(report.bytes) / report.seconds / 1_000_000 : 0
        return text + "\n\(NumberOutput.text(report.seconds, digits: 1)) s, \(NumberOutput.text(rate, digits: 0)) MB/s\n"
    }
}
