import AppleHealthExport
import ArgumentParser
import Foundation
import HealthDevices
import HealthIngest
import HealthEngine
import Synchronization
import HealthFormats
import HealthImport
import HealthModel

/// `hk import PATH`: imports an Apple Health archive, files of devices or the archive of a service.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import an Apple Health archive or files of devices.",
        discussion: """
            Imports an export.zip, an unzipped folder or the main XML file, under any name, or a zip or XML file \
            from standard input. Importing the same archive again, or a newer one, adds only what is new and removes \
            nothing unless --mirror is given. Elements that can’t be read are counted and reported with their line; \
            everything else is imported. If nothing can be read, the exit status is 1. Nothing is imported from a zip \
            file with a wrong checksum.

            FIT, TCX and GPX files of watches, bike computers and programs are recognized by their content, alone, \
            compressed with gzip, or in a folder or zip file. So are the archives of Strava, Garmin, Withings, WHOOP \
            and Google Takeout (Fitbit, Google Health, Google Fit), Health Connect’s database, and the JSON of Health Auto \
            Export. If a file is truncated, everything before that place is imported. Any other CSV file is imported with --columns, whose \
            file says which type, unit and time the columns have. --propose prints such a file, which you check and complete.

              hk import ~/Downloads/export.zip
              hk import ~/Downloads/export.zip --mirror --dry-run
              ssh phone-backup cat export.zip | hk import -
              hk import run.fit
              hk import ride.gpx --activity cycling
              hk import glucose.csv --propose > glucose.json
              hk import glucose.csv --columns glucose.json
            """)

    @Argument(help: "The archive or file, or - for standard input.", completion: .file())
    var path: String

    @Flag(
        name: .long,
        help: "Remove imported samples that are no longer in this archive. Samples saved by applications stay.")
    var mirror = false

    @Flag(name: .long, help: "Report what would be done without changing anything.")
    var dryRun = false

    @Flag(name: .long, help: "Import even if date of birth, sex or blood type differ from earlier archives.")
    var anyPerson = false

    @Option(
        name: .long,
        help: "The person’s time zone, such as Europe/Berlin, which other commands use by default.")
    var timeZone: String?

    @Option(name: .long, help: "Write a JSON report to this file.", completion: .file())
    var report: String?

    @Flag(name: .long, help: "Print no progress and no table.")
    var quiet = false

    @Flag(name: .long, help: "Accept a zip file that expands to more than 250 times its size.")
    var trustSize = false

    @Flag(
        name: .long, help: "Import a truncated or damaged archive up to the place of the damage.")
    var recover = false

    @Flag(
        name: .long,
        help:
            "Import every copy of a workout that several files of devices have, not only the one with the most detail."
    )
    var keepCopies = false

    @Option(name: .long, help: "The activity of a GPX or TCX file that doesn’t say it, such as cycling.")
    var activity: String?

    @Option(name: .long, help: "The start of a GPX track without times, which has one speed until --end.")
    var start: String?

    @Option(name: .long, help: "The end of a GPX track without times.")
    var end: String?

    @Option(
        name: .long,
        help: "A JSON file that says which type, unit and time the columns of a CSV file have.", completion: .file())
    var columns: String?

    @Flag(name: .long, help: "Print a mapping for --columns that fits a CSV file, and import nothing.")
    var propose = false

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: .hidden)
    var batchSize: Int?

    private struct Answer: Encodable {
        var added: Int
        var alreadyThere: Int
        var removed: Int?
        var skipped: Int
        /// The number of files that were not read.
        var notRead: Int
        var seconds: Double
        var types: [String: Int]
    }

    func validate() throws {
        try TimeZoneArgument.validate(timeZone)
        if (start == nil) != (end == nil) {
            throw ValidationError("A track without times needs both --start and --end.")
        }
        if let batchSize, batchSize < 1 { throw ValidationError("--batch-size must be at least 1.") }
        if propose, columns != nil { throw ValidationError("--propose prints what --columns reads. Give one of them.") }
    }

    /// Prints a mapping on standard output, and what it lacks on standard error.
    private func printProposal() throws {
        let proposal = try FileImport.proposal(path: path)
        print(proposal.mapping, terminator: "")
        for remark in proposal.remarks { Terminal.printError(remark + "\n") }
    }

    func run() throws {
        if propose { return try printProposal() }
        // A copy for a dry run goes when it isn't needed any more, also when the command is interrupted.
        let copy = Mutex<StoreCopy?>(nil)
        let interruption = InterruptHandler { copy.withLock { $0?.remove() } }
        defer { interruption.end() }
        if let report { try ResultFile.check(report) }
        let isNew = !dryRun && !options.isDatabase && !FileManager.default.fileExists(atPath: options.path)
        var opened: HealthEngine?
        let progress = quiet || options.json ? nil : ProgressLine()
        var importOptions = ImportOptions(timeZone: timeZone)
        importOptions.trustsSize = trustSize
        importOptions.recoversDamagedArchives = recover
        importOptions.keepsCopies = keepCopies
        try readTrack(into: &importOptions)
        let mapping = try columns.map { path in
            guard let data = FileManager.default.contents(atPath: path) else {
                throw ImportError(.notFound, "“\(path)” can’t be read. Give the path of a column mapping.")
            }
            return [UInt8](data)
        }
        if let batchSize { importOptions.batchSize = batchSize }
        let outcome: ImportReport
        do {
            let show: @Sendable (ImportProgress) -> Void = {
                // Another import may take long, and nothing has begun.
                interruption.isAwaited = $0.phase != .waiting
                progress?.show($0)
            }
            let open = {
                let made = dryRun ? try StoreCopy(of: options) : nil
                copy.withLock { $0 = made }
                let engine = try made?.engine ?? options.openEngine(creating: true)
                opened = engine
                interruption.isAwaited = true
                return engine
            }
            outcome = try FileImport.run(
                path: path, options: importOptions, archive: .init(mirrors: mirror, acceptsAnyPerson: anyPerson),
                columns: mapping, isInterrupted: { interruption.isRequested }, progress: show, opening: open)
        } catch {
            progress?.finish()
            if let opened { try isNew ? discardIfEmpty(opened) : opened.close() }
            switch error {
            case let error as ImportError where error.kind == .anotherPerson:
                throw ImportError(
                    error.kind, error.description + " Nothing was imported. Use --any-person to import it anyway.")
            case let error as InterruptedImport:
                Terminal.printError(interrupted(error) + "\n")
                throw interruption.exitCode
            default: throw error
            }
        }
        progress?.finish()
        // An archive of which nothing can be read is an error, unlike an empty one.
        let skippedCount = outcome.skippedCount + outcome.unread.reduce(0) { $0 + $1.count }
        let isNothing = skippedCount > 0 && outcome.addedCount == 0 && outcome.alreadyThereCount == 0
        if let opened {
            try isNew && isNothing && outcome.characteristicsAdded.isEmpty ? discardIfEmpty(opened) : opened.close()
        }
        if let report {
            try ImportReportFile(outcome, isDryRun: dryRun, mirrors: mirror).write(to: report)
        }
        if options.json {
            try JSONOutput.print(
                Answer(
                    added: outcome.addedCount, alreadyThere: outcome.alreadyThereCount,
                    removed: mirror ? outcome.removedCount : nil, skipped: outcome.skippedCount,
                    notRead: outcome.unread.reduce(0) { $0 + $1.count },
                    seconds: (outcome.seconds * 1_000).rounded() / 1_000, types: outcome.added))
        } else if !quiet {
            print(ImportListing(report: outcome, isDryRun: dryRun, mirrors: mirror).text, terminator: "")
        }
        if isNothing {
            let count = NumberOutput.grouped(skippedCount)
            throw ImportError(
                .unreadable, "Nothing of “\(path)” can be imported: everything in it was skipped (\(count)).")
        }
    }

    /// Reads what the person says of a track.
    private func readTrack(into options: inout ImportOptions) throws {
        do {
            if let activity { options.activity = try ValueNames.activity(called: activity) }
        } catch {
            throw UsageError("--activity: \(error)")
        }
        guard let start, let end else { return }
        let dates = DateArgument(calendar: try RangeOptions.calendar(timeZone, self.options))
        let time = (try dates.span(start, option: "--start").start, try dates.span(end, option: "--end").end)
        guard time.0 < time.1 else { throw UsageError("--end is not later than --start.") }
        guard time.1 <= CurrentTime.now else { throw UsageError("--end is in the future.") }
        options.trackTime = time.0.timeIntervalSinceReferenceDate...time.1.timeIntervalSinceReferenceDate
    }

    /// Closes a store that this command created, and removes it if nothing was imported.
    private func discardIfEmpty(_ engine: HealthEngine) throws {
        let isEmpty = try engine.typeOverview(as: .person).isEmpty
        try engine.close()
        guard isEmpty else { return }
        for suffix in ["", "-wal", "-shm"] { unlink(options.path + suffix) }
    }

    private func interrupted(_ error: InterruptedImport) -> String {
        guard !dryRun, error.added > 0 else { return "Interrupted. Nothing was imported." }
        return "Interrupted. \(NumberOutput.grouped(error.added)) samples and objects were imported and stay in the "
            + "store. Run the command again to import the rest."
    }
}
