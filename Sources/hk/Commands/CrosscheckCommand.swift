import AppleHealthExport
import ArgumentParser
import Foundation
import HealthEngine

/// `hk crosscheck PATH`: whether the store has what an archive's clinical document says.
struct CrosscheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crosscheck", abstract: "Compare an archive's clinical document with the store.",
        discussion: """
            Archives repeat the vital signs in export_cda.xml, a document for clinics. After an import, this looks \
            up every observation of it: those with equal value and instants in the store are counted as found. \
            Values are not printed, and nothing is changed.

              hk crosscheck ~/Downloads/export.zip
            """)

    @Argument(help: "The archive, or its export_cda.xml.", completion: .file())
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
        guard options.json else {
            print(CrosscheckListing(report: report).text, terminator: "")
            return
        }
        try JSONOutput.print(
            Answer(
                types: report.types.mapValues { .init(found: $0.found, missing: $0.missing) },
                unreadable: report.unreadable, isCutOff: report.isCutOff))
    }
}
