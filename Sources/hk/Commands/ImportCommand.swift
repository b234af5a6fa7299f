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
            standard input. Importing the same or a newer archive again adds only what is new, and removes \
            nothing unless --mirror is given. What cannot be understood is reported by line and counted, and does \
            not stop the rest.

              hk import ~/Downloads/export.zip
              hk import ~/Downloads/export.zip --mirror --dry-run
              ssh phone-backup cat export.zip | hk import -
            """)

    @Argument(help: "The archive; - for standard input.", completion: .file())
    var path: String

    @Flag(
        name: .long,
        help: "Remove what earlier imports brought and this archive no longer has; what applications saved stays.")
    var mirror = false

    @Flag(name: .long, help: "Say what would be done, and change nothing.")
    var dryRun = false

    @Flag(name: .long, help: "Import although date of birth, sex or blood type are not those of earlier archives.")
    var anyPerson = false

    @Option(
        name: .long,
        help: "The zone the person lives in, such as Europe/Berlin: commands cut days in it unless told otherwise.")
    var timeZone: String?

    @Option(name: .long, help: "Write what was done to this file, as JSON.", completion: .file())
    var report: String?

    @Flag(name: .long, help: "No progress and no table.")
    var quiet = false

    @Flag(name: .long, help: "Take a zip file that unpacks to more than 250 times its size.")
    var trustSize = false

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: .hidden)
    var batchSize: Int?

    private struct Answer: Encodable {
        var added: Int
        var alreadyThere: Int
        var removed: Int?
        var skipped: Int
        var seconds: Double
        var types: [String: Int]
    }

    func validate() throws {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("“\(timeZone)” is no time zone; it is wanted like Europe/Berlin.")
        }
        if let batchSize, batchSize < 1 { throw ValidationError("--batch-size is 1 or more.") }
    }

    func run() throws {
        let copy = dryRun ? try StoreCopy(of: options) : nil
        let engine = try copy?.engine ?? options.openEngine(making: true)
        let progress = quiet || options.json ? nil : ProgressLine()
        var importOptions = ImportOptions(mirrors: mirror, takesAnyPerson: anyPerson, timeZone: timeZone)
        importOptions.trustsSize = trustSize
        if let batchSize { importOptions.batchSize = batchSize }
        let outcome: ImportReport
        do {
            outcome = try ArchiveImporter(engine: engine, options: importOptions).run(path: path) { progress?.show($0) }
        } catch let error as ImportError where error.kind == .anotherPerson {
            progress?.finish()
            throw ImportError(error.kind, error.description + " Nothing was imported; --any-person imports it all the same.")
        }
        progress?.finish()
        try engine.close()
        if let report {
            try ImportReportFile(outcome, isDryRun: dryRun, mirrors: mirror).write(to: report)
        }
        if options.json {
            try JSONOutput.print(
                Answer(
                    added: outcome.addedCount, alreadyThere: outcome.alreadyThereCount,
                    removed: mirror ? outcome.removedCount : nil, skipped: outcome.skippedCount,
                    seconds: (outcome.seconds * 1_000).rounded() / 1_000, types: outcome.added))
        } else if !quiet {
            print(ImportListing(report: outcome, isDryRun: dryRun, mirrors: mirror).text, terminator: "")
        }
    }
}
