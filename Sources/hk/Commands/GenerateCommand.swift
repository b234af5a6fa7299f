import AppleHealthExport
import ArgumentParser
import Foundation

/// `hk generate PATH`: an archive of a person who does not exist.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Write an Apple Health archive of a person who does not exist.",
        discussion: """
            Demo data and benchmark input: the same options give the same bytes. A name ending in .zip gives \
            an export.zip, one ending in .xml a bare XML file, any other a folder.

            With --ios the archive is like those of that iOS, 8 to 26, in its own format: routes, electrocardiograms, \
            audiograms, prescriptions and clinical records as far as it had them, and the mistakes it made, \
            from metadata as attributes (8) to a torn document type (16.0 and 16.1; mended in 16.2). What lies in \
            files of its own is left out of a bare XML file.

              hk generate demo.zip
              hk generate million.xml --records 1000000 --until 2025-11-16T12:00
              hk generate old.zip --ios 12 --locale fr_FR
              hk generate torn.xml --ios 16 --records 2000
            """)

    @Argument(help: "Where to.", completion: .file())
    var path: String

    @Option(name: .long, help: "About how many records; a thousand at the least.")
    var records = 100_000

    @Option(name: .long, help: "What chance starts from.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "The instant of the export; nothing is later. Now, if not given.")
    var until: String?

    @Option(name: .long, help: "The person's time zone.")
    var timeZone: String?

    @Option(name: .long, help: ArgumentHelp("Write as this iOS does, like 9, 16.2 or 26.", valueName: "version"))
    var ios: String?

    @Option(name: .long, help: "Language and region of the telephone, with --ios; en_US, if not given.")
    var locale: String?

    @Flag(name: .long, inversion: .prefixedNo, help: "With --ios: the mistakes of that iOS as well, or not.")
    var defects = true

    @Flag(name: .long, help: "Answer with one JSON value.")
    var json = false

    private struct Answer: Encodable {
        var path: String
        var records: Int
        /// Samples and objects by type: what an import finds.
        var types: [String: Int]
        var files: [String]
    }

    func validate() throws {
        if records < 1 { throw ValidationError("--records is at least 1.") }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("“\(timeZone)” is no time zone; it is wanted like Europe/Berlin.")
        }
        if let ios, ArchiveDialect(ios) == nil {
            throw ValidationError("--ios “\(ios)” is no version known here; it is wanted like 9, 16.2, 18 or 26.")
        }
        if let locale, !GeneratorOptions.takes(locale: locale) {
            throw ValidationError("--locale “\(locale)” is no language and region; they are wanted like fr_FR.")
        }
        if ios == nil, locale != nil || !defects {
            throw ValidationError("--locale and --no-defects are for archives of an iOS: --ios is wanted too.")
        }
    }

    func run() throws {
        var calendar = RangeOptions.machineCalendar
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? calendar.timeZone
        calendar.timeZone = zone
        let until = try self.until.map {
            try DateText(calendar: calendar, now: Present.now).span($0, option: "--until").end
        }
        var generated = GeneratorOptions(records: records, seed: seed, exportDate: until ?? Present.now, timeZone: zone)
        generated.dialect = ios.flatMap { ArchiveDialect($0) }
        generated.locale = locale ?? generated.locale
        generated.hasDefects = defects
        let written = try ArchiveGenerator(options: generated).make(atPath: path)
        if json {
            try JSONOutput.print(Answer(path: path, records: written.records, types: written.contents, files: written.files))
        } else {
            print("Wrote \(NumberOutput.grouped(written.records)) records to \(path).")
        }
    }
}
