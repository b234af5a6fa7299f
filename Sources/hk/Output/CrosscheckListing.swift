import AppleHealthExport

/// What a comparison with a clinical document came to, as a table by type.
struct CrosscheckListing {
    let report: CrossCheckReport

    var text: String {
        var table = Table([
            .init(title: "type"), .init(title: "found", isNumber: true), .init(title: "missing", isNumber: true),
        ])
        for (type, count) in report.types.sorted(by: { $0.key < $1.key }) {
            table.add([TypeName.short(type), NumberOutput.grouped(count.found), NumberOutput.grouped(count.missing)])
        }
        table.add(["all", NumberOutput.grouped(report.found), NumberOutput.grouped(report.missing)])
        var text = table.text()
        if report.unreadable > 0 {
            let count = NumberOutput.grouped(report.unreadable)
            text += "\n\(count) observation\(report.unreadable == 1 ? "" : "s") could not be understood.\n"
        }
        if report.isCutOff { text += "\nThe document could not be read to its end.\n" }
        return text
    }
}
