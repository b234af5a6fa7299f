import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk samples TYPE`: the samples themselves.
struct SamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "samples", abstract: "List samples of a type.",
        discussion: """
            The newest come first, ten of them unless --limit says otherwise (0 for all).

              hk samples heartRate --last 1d
              hk samples sleepAnalysis --from 2024-03 --to 2024-03 --limit 0 --json
            """)

    @Argument(help: "The data type, such as stepCount or HKQuantityTypeIdentifierStepCount.")
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "How many at the most; 0 for all.")
    var limit = 10

    @Flag(name: .long, help: "The oldest first.")
    var ascending = false

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit is 0 or more.") }
    }

    func run() throws {
        let engine = try options.openEngine()
        let type = try TypeName.resolve(type, dictionaries: engine.dictionaries())
        let calendar = try range.calendar(options)
        let (start, end) = try range.interval(now: Present.now, calendar: calendar)
        var filters: [SampleFilter] = []
        if let start { filters.append(.end(.greaterThanOrEqual, start.timeIntervalSinceReferenceDate)) }
        if let end { filters.append(.start(.lessThan, end.timeIntervalSinceReferenceDate)) }
        let selection = try engine.samples(
            SampleRequest(
                parts: [.init(type: type.code, filter: filters.isEmpty ? .all : .and(filters))],
                sort: [SampleSort(.start, ascending: ascending)], limit: limit), as: .person)
        let listing = SampleListing(selection: selection, type: type, dates: DateOutput(calendar: calendar))
        if options.json {
            try JSONOutput.print(listing.answers)
        } else {
            print(listing.table, terminator: "")
        }
    }
}
