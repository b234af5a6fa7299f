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

              hk generate demo.zip
              hk generate million.xml --records 1000000 --until 2025-11-16T12:00
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

    @Flag(name: .long, help: "Answer with one JSON value.")
    var json = false

    private struct Answer: Encodable {
        var path: String
        var records: Int
    }

    func validate() throws {
        if records < 1 { throw ValidationError("--records is at least 1.") }
        if let timeZone, TimeZone(identifier: timeZone) == nil {
            throw ValidationError("“\(timeZone)” is no time zone; it is wanted like Europe/Berlin.")
        }
    }

    func run() throws {
        var calendar = RangeOptions.machineCalendar
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? calendar.timeZone
        calendar.timeZone = zone
        let until = try self.until.map {
            try DateText(calendar: calendar, now: Present.now).span($0, option: "--until").end
        }
        let generator = ArchiveGenerator(
            options: GeneratorOptions(records: records, seed: seed, exportDate: until ?? Present.now, timeZone: zone))
        let written = try generator.write(toPath: path)
        if json {
            try JSONOutput.print(Answer(path: path, records: written))
        } else {
            print("Wrote \(NumberOutput.grouped(written)) records to \(path).")
        }
    }
}
