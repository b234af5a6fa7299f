import AppleHealthExport

/// What an export did, as a table by type.
struct ExportListing {
    let report: ExportReport
    let path: String

    var text: String {
        let types = Set(report.written.keys).union(report.leftOut.keys)
        let hasLeftOut = !report.leftOut.isEmpty
        var columns: [Table.Column] = [.init(title: "type"), .init(title: "written", isNumber: true)]
        if hasLeftOut { columns.append(.init(title: "left out", isNumber: true)) }
        var table = Table(columns)
        for type in types.sorted(by: { (count($0), $1) > (count($1), $0) }) {
            table.add(cells(TypeName.short(type), report.written[type] ?? 0, report.leftOut[type] ?? 0, hasLeftOut))
        }
        table.add(cells("all", report.writtenCount, report.leftOutCount, hasLeftOut))
        return table.text() + remarks
    }

    private func count(_ type: String) -> Int {
        (report.written[type] ?? 0) + (report.leftOut[type] ?? 0)
    }

    private func cells(_ name: String, _ written: Int, _ leftOut: Int, _ hasLeftOut: Bool) -> [String] {
        func number(_ count: Int) -> String { count == 0 && name != "all" ? "" : NumberOutput.grouped(count) }
        return [name, number(written)] + (hasLeftOut ? [number(leftOut)] : [])
    }

    private var remarks: String {
        var text = ""
        if !report.leftOut.isEmpty {
            text += "\nAn archive has no place for what was left out; it is still in the store.\n"
        }
        if !report.notes.isEmpty {
            text += "\nNot written exactly:\n"
            for (note, count) in report.notes.sorted(by: { ($0.value, $1.key) > ($1.value, $0.key) }) {
                text += "  \(NumberOutput.grouped(count)) × \(note)\n"
            }
        }
        let files = report.companions == 0 ? "" : " and \(NumberOutput.grouped(report.companions)) files beside it"
        let rate = report.seconds > 0 ? Double(report.xmlBytes) / report.seconds / 1_000_000 : 0
        let whole = report.bytes == report.xmlBytes ? "" : ", \(Self.size(report.bytes)) there"
        return text + "\n\(Self.size(report.xmlBytes)) of XML\(files) to \(path)\(whole)\n"
            + "\(NumberOutput.text(report.seconds, digits: 1)) s, \(NumberOutput.text(rate, digits: 0)) MB/s\n"
    }

    /// `12.3 MB`.
    private static func size(_ bytes: Int) -> String {
        let steps: [(Double, String)] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
        guard let (step, unit) = steps.first(where: { Double(bytes) >= $0.0 }) else { return "\(bytes) bytes" }
        return NumberOutput.text(Double(bytes) / step, digits: 1) + " " + unit
    }
}
