import AppleHealthExport
import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk export PATH`: what the store holds goes out again.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the store as an Apple Health archive, or for other programs.",
        discussion: """
            A name ending in .zip gives an export.zip as the telephone makes it, one ending in .xml the main \
            file alone, any other a folder; “-” writes the main file to standard output. Importing the archive \
            into an empty store gives the same samples and objects again. What Apple's format cannot say, such as \
            fractions of a second, states of mind or medications, stands beside it in supplement.ndjson, which \
            other programs pass over; a bare main file comes without.

              hk export backup.zip
              hk export steps.xml --type stepCount --since 2024-01-01

            For other programs, --format csv writes a folder with a file for each type, ndjson one JSON object \
            a line, sqlite a file of plain tables (those of “hk sql”), and fhir a folder of FHIR R4 bundles.

              hk export tables --format csv
              hk export health.db --format sqlite
            """)

    @Argument(help: "Where to.", completion: .file())
    var path: String

    @Option(name: .long, help: "What to write: apple, csv, ndjson, sqlite or fhir.")
    var format: ExportFormat = .apple

    @Option(name: .long, help: "Only this type; may be repeated.")
    var type: [String] = []

    @Option(name: .long, help: "Only what starts on this day or later, or at this instant or later.")
    var since: String?

    @Option(name: .long, help: "Only what starts up to and with this day, month or year, or before this instant.")
    var until: String?

    @Option(name: .long, help: "The time zone dates are written in; the machine's if not given.")
    var timeZone: String?

    @Flag(name: .long, help: "Write Apple's layout alone: no supplement.ndjson with what the format cannot say.")
    var noSupplement = false

    @Flag(name: .long, help: "Replace what is there.")
    var force = false

    @Flag(name: .long, help: "No progress and no table.")
    var quiet = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("“\(timeZone)” is no time zone; it is wanted like Europe/Berlin.")
        }
    }

    func run() throws {
        guard FileManager.default.fileExists(atPath: options.path) else {
            throw UsageError("There is no store at “\(options.path)”.")
        }
        let engine = try options.openEngine()
        switch format {
        case .apple: try exportArchive(of: engine)
        case .csv, .ndjson, .sqlite, .fhir: try exportTables(of: engine)
        }
        try engine.close()
    }

    /// The zone dates are cut and written in.
    var zone: TimeZone {
        timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
    }

    /// What the options ask for.
    func selection(in engine: HealthEngine) throws -> ContentsSelection {
        var calendar = RangeOptions.machineCalendar
        calendar.timeZone = zone
        let text = DateText(calendar: calendar, now: Present.now)
        var selection = ContentsSelection()
        selection.since = try since.map { try text.span($0, option: "--since").start.timeIntervalSinceReferenceDate }
        selection.until = try until.map { try text.span($0, option: "--until").end.timeIntervalSinceReferenceDate }
        if let since = selection.since, let until = selection.until, since >= until {
            throw UsageError("--since lies after --until.")
        }
        guard !type.isEmpty else { return selection }
        let dictionaries = try engine.dictionaries()
        selection.types = Set(try type.map { try TypeName.resolve($0, dictionaries: dictionaries).code })
        return selection
    }
}
