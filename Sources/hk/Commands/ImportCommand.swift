import AppleHealthExport
import ArgumentParser
import Foundation
import HealthEngine

/// `hk import PATH`: an Apple Health archive goes into the store.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import an Apple Health archive.",
        discussion: """
            Takes an export.zip, an unzipped folder or the bare XML file, under any name, or a zip or XML file on \
            standard input. Importing the same or a \
            newer archive again adds only what is new. What cannot be understood is reported by line and \
            counted, and does not stop the rest.

              hk import ~/Downloads/export.zip
              ssh phone-backup cat export.zip | hk import -
            """)

    @Argument(help: "The archive; - for standard input.", completion: .file())
    var path: String

    @Flag(name: .long, help: "No progress and no table.")
    var quiet = false

    @Flag(name: .long, help: "Take a zip file that unpacks to more than 250 times its size.")
    var trustSize = false

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var added: Int
        var alreadyThere: Int
        var skipped: Int
        var seconds: Double
        var types: [String: Int]
    }

    private var importOptions: ImportOptions {
        var options = ImportOptions()
        options.trustsSize = trustSize
        return options
    }

    func run() throws {
        let engine = try options.openEngine()
        let progress = quiet || options.json ? nil : ProgressLine()
        let report = try ArchiveImporter(engine: engine, options: importOptions).run(path: path) { progress?.show($0) }
        progress?.finish()
        try engine.close()
        if options.json {
            try JSONOutput.print(
                Answer(
                    added: report.addedCount, alreadyThere: report.alreadyThereCount, skipped: report.skippedCount,
                    seconds: (report.seconds * 1_000).rounded() / 1_000, types: report.added))
        } else if !quiet {
            print(ImportListing(report: report).text, terminator: "")
        }
    }
}
