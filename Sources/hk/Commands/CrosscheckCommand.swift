import AppleHealthExport
import ArgumentParser
import Foundation
import HealthEngine

/// `hk crosscheck PATH`: compares an archive's clinical document with the store.
struct CrosscheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crosscheck", abstract: "Compare an archive's clinical document with the store.",
        discussion: """
            Archives repeat vital signs in export_cda.xml, a clinical document. After an import, this command looks \
            up each of its observations in the store and counts those with equal values and dates as found. \
            It prints no values and changes nothing. The exit status is 1 if an observation is missing or the \
            document couldn’t be read to the end.

              hk crosscheck ~/Downloads/export.zip
            """)

    @Argument(help: "The archive or its export_cda.xml.", completion: .file())
    var path: String

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        struct Row: Encodable {
            var found: Int
            var missing: Int
        }

        var types: [String: Row]
        var unreadable: Int
        var isCutOff: Bool
    }

    func run() throws {
        let engine = try options.openEngine()
        let report = try ArchiveCrossCheck(engine: engine).run(path: path)
        try engine.close()
        if options.json {
            try JSONOutput.print(
                Answer(
                    types: report.types.mapValues { .init(found: $0.found, missing: $0.missing) },
                    unreadable: report.unreadable, isCutOff: report.isCutOff))
        } else {
            print(CrosscheckListing(report: report).text, terminator: "")
        }
        if report.missing > 0 || report.isCutOff { throw ExitCode.failure }
    }
}

/// The result of a comparison with a clinical document, as a table by type.
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
            text += "\n\(count) observation\(report.unreadable == 1 ? "" : "s") couldn’t be read.\n"
        }
        if report.isCutOff { text += "\nThe document couldn’t be read to the end.\n" }
        return text
    }
}
