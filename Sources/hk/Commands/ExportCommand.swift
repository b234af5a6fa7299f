import AppleHealthExport
import ArgumentParser
import Foundation
import HealthAnswers
import HealthDevices
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
            the main file, and a path without an ending a folder. “-” writes the main file to standard output. Importing the \
            archive into an empty store restores the same samples and objects. What Apple’s format can’t express, such \
            as fractions of a second, states of mind or medications, is written to supplement.ndjson beside the main \
            file, where other programs ignore it. A main file on its own has no supplement.

              hk export backup.zip
              hk export steps.xml --type stepCount --since 2024-01-01

            For other programs, --format csv writes a folder with one file per type, ndjson one JSON object per \
            line, sqlite a database with the tables of “hk sql”, fhir a folder of FHIR R4 bundles, and omh one file of Open mHealth data points. gpx writes the \
            routes of workouts with heart rate, cadence and power, which Apple’s routes don’t have, and tcx and \
            fit also workouts without a route: a folder with a file for each, or one file. Without --format, \
            a path ending in .csv is one table of one type, and one ending in .ndjson, .jsonl, .sqlite, .db, .gpx, \
            .tcx or .fit has that format. Days and activity summaries are whole days of the range.

            For Android, --format health-connect writes a zip file that Health Connect imports in its settings, under \
            Backup and restore, Import data. What it has no records for is left out and counted.

              hk export steps-2024.csv --type stepCount --from 2024 --to 2024
              hk export tables --format csv
              hk export health.db
              hk export routes --format gpx --last 1y
              hk export android.zip --format health-connect

            For a simulator or an iPhone, a path ending in .seed is a file that the library HealthSync writes into HealthKit: what \
            apps may write.

              hk export person.seed --last 90d
            """)

    @Argument(help: "The destination.", completion: .file())
    var path: String

    @Option(
        name: .long,
        help:
            "The format: apple, csv, ndjson, sqlite, fhir, omh, gpx, tcx, fit, health-connect or seed (default: that of the path’s ending, otherwise apple)."
    )
    var format: ExportFormat?

    @Option(name: .long, help: "Export only this type. Can be repeated.", completion: TypeCompletion.name)
    var type: [String] = []

    @OptionGroup var range: RangeOptions

    @Option(name: .long, help: "The same as --from: only samples that start on or after this day are exported.")
    var since: String?

    @Option(name: .long, help: "The same as --to: only samples that start on or before this day are exported.")
    var until: String?

    @Flag(name: .long, help: "Don’t write supplement.ndjson.")
    var noSupplement = false

    @Flag(name: .long, help: "Replace an earlier export. Anything else is never replaced.")
    var force = false

    @Flag(name: .long, help: "Print no progress and no table.")
    var quiet = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if since != nil, range.from != nil || range.last != nil {
            throw ValidationError("--since can’t be combined with --from or --last.")
        }
        if until != nil, range.to != nil || range.last != nil {
            throw ValidationError("--until can’t be combined with --to or --last.")
        }
    }

    func run() throws {
        let format = try chosenFormat()
        let interruption = InterruptHandler { TargetPath.removeUnfinished() }
        defer { interruption.end() }
        let engine = try options.engine()
        let calendar = try range.calendar(options)
        let types = try selectedTypes(in: engine)
        let selection = try selection(of: types, calendar)
        switch format {
        case .apple: try exportArchive(of: engine, selection, calendar.timeZone)
        case .gpx, .tcx, .fit:
            guard types.allSatisfy({ ["workout", "workoutRoute"].contains($0.shortName) }) else {
                throw UsageError("A \(format.rawValue) file has workouts. Leave --type out.")
            }
            var selection = selection
            selection.types = nil
            try WorkoutExport(
                format: WorkoutFileFormat(rawValue: format.rawValue) ?? .gpx,
                formatting: FormatOptions(selection: selection, timeZone: calendar.timeZone, replaces: force),
                path: path, isQuiet: quiet, isJSON: options.json
            ).run(engine)
        case .csv, .ndjson, .sqlite, .fhir, .omh, .healthConnect, .seed:
            let formatting = FormatOptions(selection: selection, timeZone: calendar.timeZone, replaces: force)
            try exportTables(of: engine, as: format, formatting, table: format == .csv ? onlyTable(types) : nil)
        }
    }

    /// The format that was asked for, or that of the path’s ending.
    ///
    /// - Throws: ``UsageError`` if they contradict each other.
    private func chosenFormat() throws -> ExportFormat {
        let named = ExportFormat(ofName: path)
        if format == .healthConnect {
            guard ExportFormat.ending(of: path) == "zip" else {
                throw UsageError("Health Connect imports a zip file. Choose a name that ends in .zip.")
            }
            return .healthConnect
        }
        if let format {
            guard let named, named != format else { return format }
            throw UsageError(
                "--format \(format.rawValue) and the name “\(path)”, which is that of \(named.rawValue), contradict each "
                    + "other. Leave --format out, or choose another name.")
        }
        guard ExportFormat.ending(of: path) != "json" else {
            throw UsageError(
                "The extension .json is not supported. Use .ndjson, which has one JSON object per line.")
        }
        // A folder of such a name isn't what was meant.
        if named == nil, Self.otherFiles.contains(ExportFormat.ending(of: path)) {
            throw UsageError(
                "“\(path)” is the name of a file in a format that isn’t written. Use an ending such as .csv, .ndjson or .db, or none for a folder."
            )
        }
        return named ?? .apple
    }

    /// The endings of files that people expect tables or archives in.
    private static let otherFiles: Set<String> = [
        "tsv", "txt", "xls", "xlsx", "ods", "parquet", "arrow", "feather", "html", "pdf", "rds", "dta", "sav", "kml",
        "gz",
        "tgz", "tar", "7z", "rar", "bz2", "xz", "zst",
    ]

    private func selectedTypes(in engine: HealthEngine) throws -> [TypeDescription] {
        let dictionaries = try engine.dictionaries()
        return try type.map { try TypeName.resolve($0, dictionaries: dictionaries) }
    }

    /// The contents that the options select.
    private func selection(of types: [TypeDescription], _ calendar: Calendar) throws -> ContentsSelection {
        let text = DateArgument(calendar: calendar)
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let first = try since.map { try text.span($0, option: "--since").start } ?? start
        let last = try until.map { try text.span($0, option: "--until").end } ?? end
        if let first, let last, first >= last {
            throw UsageError(since ?? until == nil ? "--from is later than --to." : "--since is later than --until.")
        }
        let codes = Set(types.map(\.code))
        return ContentsSelection(
            types: codes.isEmpty ? nil : codes, since: first?.timeIntervalSinceReferenceDate,
            until: last?.timeIntervalSinceReferenceDate)
    }

    /// The type of a CSV export to one file; `nil` for one to a folder.
    ///
    /// - Throws: ``UsageError`` if the file would have more than one type.
    private func onlyTable(_ types: [TypeDescription]) throws -> TypeDescription? {
        let codes = Set(types.map(\.code))
        guard path != "-" || codes.count == 1 else { return nil }
        guard path == "-" || ExportFormat(ofName: path) == .csv else { return nil }
        guard let only = types.first, codes.count == 1 else {
            throw UsageError(
                "A CSV file has one type. Choose it with --type, or export a folder with a file for each: "
                    + "hk export FOLDER --format csv.")
        }
        guard only.hasSamples || only.kind == .activitySummary else {
            throw UsageError("“\(only.shortName)” has no samples. “hk profile” shows it.")
        }
        return only
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
    /// A file of data points of Open mHealth.
    case omh
    /// The routes of workouts.
    case gpx
    /// Workouts as Training Center XML.
    case tcx
    /// Workouts as FIT files.
    case fit
    /// The zip file that Android imports.
    case healthConnect = "health-connect"
    /// The file that HealthSync writes into HealthKit.
    case seed

    /// The format of a file with this name; `nil` for a name that any folder can have.
    init?(ofName path: String) {
        switch Self.ending(of: path) {
        case "zip", "xml": self = .apple
        case "csv": self = .csv
        case "ndjson", "jsonl": self = .ndjson
        case "sqlite", "sqlite3", "db": self = .sqlite
        case "gpx": self = .gpx
        case "tcx": self = .tcx
        case "fit": self = .fit
        case "seed": self = .seed
        default: return nil
        }
    }

    /// The extension of a file's name, in lowercase. A path that ends with a slash is that of a folder.
    static func ending(of path: String) -> String {
        path.hasSuffix("/") ? "" : (path as NSString).pathExtension.lowercased()
    }
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
    private func exportArchive(of engine: HealthEngine, _ selection: ContentsSelection, _ zone: TimeZone) throws {
        let target = ExportTarget(path: path)
        // Standard output carries the archive and nothing else.
        let isSilent = quiet || target == .standardOutput
        let progress = isSilent || options.json ? nil : ProgressLine()
        let exporter = ArchiveExporter(
            engine: engine,
            options: ExportOptions(
                selection: selection, exportDate: CurrentTime.now, timeZone: zone,
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
    /// Writes a format for other programs and prints a report.
    ///
    /// - Parameter table: The only type of a CSV file.
    private func exportTables(
        of engine: HealthEngine, as format: ExportFormat, _ formatting: FormatOptions, table: TypeDescription?
    ) throws {
        if path == "-", format != .ndjson, format != .omh, format != .seed, table == nil {
            throw UsageError("The format \(format.rawValue) needs a path: it can’t be written to standard output.")
        }
        let report: FormatReport
        switch format {
        case .csv:
            let exporter = CSVExporter(formatting)
            report =
                try table.map { try exporter.export($0, of: engine, to: path, as: .person) }
                ?? exporter.export(engine, to: path, as: .person)
        case .ndjson: report = try NDJSONExporter(formatting).export(engine, to: path, as: .person)
        case .sqlite: report = try SQLiteExporter(formatting).export(engine, to: path, as: .person)
        case .omh: report = try OpenMHealthExporter(formatting).export(engine, to: path, as: .person)
        case .healthConnect: report = try HealthConnectExporter(formatting).export(engine, to: path, as: .person)
        case .seed: report = try SeedExporter(formatting).export(engine, to: path, as: .person)
        case .fhir, .apple, .gpx, .tcx, .fit:
            report = try FHIRExporter(formatting).export(engine, to: path, as: .person)
        }
        try WorkoutExport.show(report, path, isQuiet: quiet, isJSON: options.json)
    }
}
