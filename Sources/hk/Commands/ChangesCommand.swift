import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthModel
import HealthStorage

/// `hk changes`: what was added to the store and deleted from it since a time.
struct ChangesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "Show what was added and deleted since a time.",
        discussion: """
            The time is that of the import, sync or other write, whatever the dates of the samples: an archive that was \
            imported today is today’s change. A store knows it to the quarter of an hour. Samples that were added and \
            deleted since are shown as deleted only, and replaced ones as added and deleted. What happens from now on \
            is shown by “hk watch”.

              hk changes
              hk changes --since 2024-05-17
              hk changes stepCount heartRate --since 12h --limit 0 --json
            """)

    @Argument(help: "The data types (default: all).", completion: TypeCompletion.name)
    var types: [String] = []

    @Option(
        name: .long,
        help: "The time: 2024-01-31, 2024-01, today, yesterday or 2024-01-31T08:30, or a period such as 12h, 7d or 2w.")
    var since = "yesterday"

    @Option(name: .long, help: "The maximum number of samples and deletions to list, or 0 for all.")
    var limit = 10

    @Option(name: .long, help: "The time zone that defines days (default: the one given at import, or the system’s).")
    var timeZone: String?

    @OptionGroup var options: StoreOptions

    /// The changes that are read at once.
    private static let chunk = 1_000

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
        try TimeZoneArgument.validate(timeZone)
    }

    func run() throws {
        let engine = try options.engine()
        let calendar = try RangeOptions.calendar(timeZone, options)
        let dictionaries = try engine.dictionaries()
        let asked =
            try types.isEmpty
            ? (TypeCatalog.all + dictionaries.types).filter(\.hasSamples)
            : types.map { name in
                let type = try TypeName.resolve(name, dictionaries: dictionaries)
                guard type.hasSamples else { throw UsageError("“\(type.shortName)” has no samples.") }
                return type
            }
        let position = try engine.changePosition(since: start(calendar).timeIntervalSinceReferenceDate)
        var output: any ChangesOutput =
            options.json
            ? ChangesJSON(position, calendar.timeZone)
            : ChangesText(
                position, engine, calendar: calendar,
                units: try WorkoutUnits(
                    QuestionSetting(engine: engine, caller: .person, calendar: calendar, now: CurrentTime.now)))
        var request = ChangesRequest(
            parts: Set(asked.map(\.code)).sorted().map { SampleRequest.Part(type: $0) }, after: position.sequence,
            limit: Self.chunk)
        var (tally, left, isComplete) = (ChangeTally(), limit == 0 ? Int.max : limit, false)
        while !isComplete {
            let changes = try engine.changes(request, as: .person)
            tally.add(changes)
            let listed = changes.added.order.prefix(left)
            left -= listed.count
            let deleted = changes.deleted.prefix(left)
            left -= deleted.count
            try output.list(listed, deleted, of: changes)
            isComplete = changes.added.count + changes.deleted.count < Self.chunk
            request.after = changes.sequence
        }
        try output.end(tally, left: tally.total - (limit == 0 ? tally.total : min(limit, tally.total)))
    }

    private func start(_ calendar: Calendar) throws -> Date {
        let text = DateArgument(calendar: calendar, now: CurrentTime.now)
        let isPeriod = since.wholeMatch(of: /[1-9][0-9]*[hdwmy]/) != nil
        let start = try isPeriod ? text.back(since) : text.span(since, option: "--since").start
        guard start <= CurrentTime.now else { throw UsageError("--since is in the future.") }
        return start
    }
}

/// The numbers of changes.
struct ChangeTally {
    private(set) var added: [String: Int] = [:]
    private(set) var deleted: [String: Int] = [:]

    var total: Int { added.values.reduce(0, +) + deleted.values.reduce(0, +) }

    mutating func add(_ changes: ChangesResult) {
        let dictionaries = changes.added.dictionaries
        for batch in changes.added.batches { count(batch.count, of: batch.type, dictionaries, in: &added) }
        for object in changes.added.objects { count(1, of: object.type, dictionaries, in: &added) }
        for deletion in changes.deleted { count(1, of: deletion.type, dictionaries, in: &deleted) }
    }

    private func count(
        _ count: Int, of type: TypeCode, _ dictionaries: StoreDictionaries, in numbers: inout [String: Int]
    ) {
        guard count > 0 else { return }
        numbers[dictionaries.type(type)?.identifier ?? "", default: 0] += count
    }
}
