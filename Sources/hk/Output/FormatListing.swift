import HealthFormats

/// What an export in another program's format wrote.
struct FormatListing {
    let report: FormatReport
    let path: String

    var text: String {
        var table = Table([.init(title: "kind"), .init(title: "written", isNumber: true)])
        for (kind, count) in report.counts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
            table.add([kind, NumberOutput.grouped(count)])
        }
        table.add(["all", NumberOutput.grouped(report.total)])
        let files = report.files == 1 ? "" : " in \(NumberOutput.grouped(report.files)) files"
        return table.text() + "\nWrote \(path)\(files).\n"
    }
}
