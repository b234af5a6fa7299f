import AppleHealthExport
import HealthFormats

/// The report of an export, as a table by type.
struct ExportListing {
    let report: ExportReport
    let path: String

    var text: String {
        let optional = [("supplement", report.supplemented), ("left out", report.leftOut)].filter { !$0.1.isEmpty }
        let columns = [("written", report.written)] + optional
        let table = Table(ofTypes: columns) { type in columns.reduce(0) { $0 + ($1.1[type] ?? 0) } }
        return table.text() + remarks
    }

    private var remarks: String {
        var text = ""
        if report.hasSupplement {
            text += "\nsupplement.ndjson holds what Apple’s format can’t express: "
            text += [
                report.completedCount > 0
                    ? "exact times, sources and metadata of \(NumberOutput.grouped(report.completedCount))" : nil,
                report.supplementedCount > 0
                    ? "\(NumberOutput.grouped(report.supplementedCount)) objects it has no element for" : nil,
            ].compactMap(\.self).joined(separator: ", and ")
            text += ".\n"
        }
        if !report.leftOut.isEmpty {
            text += "\nWhat was left out can’t be represented in an archive. It is still in the store.\n"
        }
        text += ImportListing.irregularities("Not written exactly", report.irregularities)
        let files =
            report.auxiliaryFiles == 0 ? "" : " and \(NumberOutput.grouped(report.auxiliaryFiles)) files beside it"
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

/// The report of an export in a format other than Apple's.
struct FormatListing {
    let report: FormatReport
    let path: String
    /// A sentence on how to write what was left out.
    let advice: String

    var text: String {
        let hasLeftOut = !report.leftOut.isEmpty
        var table = Table(
            ["kind", .number("written")] + (hasLeftOut ? [.number("left out")] : []))
        func add(_ kind: String, _ written: Int, _ leftOut: Int) {
            let numbers = [written, leftOut].map { $0 == 0 ? "" : NumberOutput.grouped($0) }
            table.add([kind] + numbers.prefix(hasLeftOut ? 2 : 1))
        }
        for (kind, count) in report.counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            add(kind, count, report.leftOut[kind] ?? 0)
        }
        for (kind, count) in report.leftOut.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) })
        where report.counts[kind] == nil {
            add(kind, 0, count)
        }
        add("all", report.total, report.leftOut.values.reduce(0, +))
        let files = report.files == 1 ? "" : " in \(NumberOutput.grouped(report.files)) files"
        let remark =
            hasLeftOut
            ? "\nWhat was left out can’t be represented in this format. It is still in the store.\(advice)\n" : ""
        return table.text() + remark + "\nWrote \(path)\(files).\n"
    }
}
