import AppleHealthExport
import ArgumentParser
import Foundation
import HealthEngine
import HealthFormats
import HealthModel
import HealthStorageFiles

/// `hk export PATH`: writes the contents of the store.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export the store as an Apple Health archive or in another format.",
        discussion: """
            A path ending in .zip creates an export.zip like the one an iPhone creates, a path ending in .xml only \
            the main file, and any other path a folder. “-” writes the main file to standard output. Importing the \
            archive into an empty store restores the same samples and objects. What Apple’s format can’t express, such \
            as fractions of a second, states of mind or medications, is written to supplement.ndjson beside the main \
            file, where other programs ignore it. A main file on its own has no supplement.

              hk export backup.zip
              hk export steps.xml --type stepCount --since 2024-01-01

            For other programs, --format csv writes a folder with one file per type, ndjson one JSON object per \
            line, sqlite a database with the tables of “hk sql”, and fhir a folder of FHIR R4 bundles.

              hk export tables --format csv
              hk export health.db --format sqlite
            """)

    @Argument(help: "The destination.", completion: .file())
    var path: String

    @Option(name: .long, help: "The format: apple, csv, ndjson, sqlite or fhir.")
    var format: ExportFormat = .apple

    @Option(name: .long, help: "Export only this type. Can be repeated.", completion: TypeCompletion.name)
    var type: [String] = []

    @Option(name: .long, help: "Export only samples that start on or after this day, or at or after this instant.")
    var since: String?

    @Option(
        name: .long,
        help: "Export only samples that start on or before this day, month or year, or before this instant.")
    var until: String?

    @Option(name: .long, help: "The time zone of the dates (default: the system’s).")
    var timeZone: String?

    @Flag(name: .long, help: "Don’t write supplement.ndjson.")
    var noSupplement = false

    @Flag(name: .long, help: "Replace an earlier export. Anything else is never replaced.")
    var force = false

    @Flag(name: .long, help: "Print no progress and no table.")
    var quiet = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        try TimeZoneArgument.validate(timeZone)
    }

    func run() throws {
        try PathAlias.requireName(path)
        let interruption = Interruption { TargetPath.removeUnfinished() }
        defer { interruption.end() }
        let engine = try options.openEngine()
        switch format {
        case .apple: try exportArchive(of: engine)
        case .csv, .ndjson, .sqlite, .fhir: try exportTables(of: engine)
        }
        try engine.close()
    }

    /// The time zone that defines days and that dates are written in.
    var zone: TimeZone {
        timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// The contents that the options select.
    func selection(in engine: HealthEngine) throws -> ContentsSelection {
        let text = DateArgument(calendar: DateArgument.calendar(in: zone))
        var selection = ContentsSelection()
        selection.since = try since.map { try text.span($0, option: "--since").start.timeIntervalSinceReferenceDate }
        selection.until = try until.map { try text.span($0, option: "--until").end.timeIntervalSinceReferenceDate }
        if let since = selection.since, let until = selection.until, since >= until {
            throw UsageError("--since is later than --until.")
        }
        guard !type.isEmpty else { return selection }
        let dictionaries = try engine.dictionaries()
        selection.types = Set(try type.map { try TypeName.resolve($0, dictionaries: dictionaries).code })
        return selection
    }
}

/// The format that `hk export` writes.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    /// An Apple Health archive.
    case apple
    /// A folder with one table per type.
    case csv
    /// One JSON object per line.
    case ndjson
    /// A SQLite file of plain tables.
    case sqlite
    /// A folder of FHIR R4 bundles.
    case fhir
}

extension ExportCommand {
    private struct Answer: Encodable {
        var path: String
        var written: Int
        var leftOut: [String: Int]
        var supplemented: [String: Int]
        var completed: Int
        var types: [String: Int]
        var bytes: Int
        var xmlBytes: Int
        var auxiliaryFiles: Int
        var seconds: Double
    }

    /// Writes an Apple Health archive and prints a report.
    func exportArchive(of engine: HealthEngine) throws {
        let target = ExportTarget(path: path)
        // Standard output carries the archive and nothing else.
        let isSilent = quiet || target == .standardOutput
        let progress = isSilent || options.json ? nil : ProgressLine()
        let exporter = ArchiveExporter(
            engine: engine,
            options: ExportOptions(
                selection: try selection(in: engine), exportDate: CurrentTime.now, timeZone: zone,
                replacesTarget: force, writesSupplement: !noSupplement))
        let report = try exporter.run(to: target) { progress?.show($0) }
        progress?.finish()
        guard !isSilent else { return }
        if options.json {
            try JSONOutput.print(
                Answer(
                    path: path, written: report.writtenCount, leftOut: report.leftOut,
                    supplemented: report.supplemented, completed: report.completedCount, types: report.written,
                    bytes: report.bytes, xmlBytes: report.xmlBytes, auxiliaryFiles: report.auxiliaryFiles,
                    seconds: (report.seconds * 1_000).rounded() / 1_000))
        } else {
            print(ExportListing(report: report, path: path).text, terminator: "")
        }
    }
}

extension ExportCommand {
    private struct FormatAnswer: Encodable {
        var path: String
        var written: Int
        var files: Int
        var kinds: [String: Int]
        var leftOut: [String: Int]
    }

    /// Writes a format for other programs and prints a report.
    func exportTables(of engine: HealthEngine) throws {
        let formatting = FormatOptions(selection: try selection(in: engine), timeZone: zone, replaces: force)
        if path == "-", format != .ndjson {
            throw UsageError("The format \(format.rawValue) needs a path: it can’t be written to standard output.")
        }
        let report: FormatReport
        switch format {
        case .csv: report = try CSVExporter(formatting).export(engine, to: path, as: .person)
        case .ndjson: report = try NDJSONExporter(formatting).export(engine, to: path, as: .person)
        case .sqlite: report = try SQLiteExporter(formatting).export(engine, to: path, as: .person)
        case .fhir, .apple: report = try FHIRExporter(formatting).export(engine, to: path, as: .person)
        }
        guard !quiet, path != "-" else { return }
        if options.json {
            try JSONOutput.print(
                FormatAnswer(
                    path: path, written: report.total, files: report.files, kinds: report.counts,
                    leftOut: report.leftOut))
        } else {
            print(FormatListing(report: report, path: path).text, terminator: "")
        }
    }
}
