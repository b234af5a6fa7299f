import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthKit
import HealthModel

/// `hk samples TYPE`: lists samples.
struct SamplesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "samples", abstract: "List the samples of a type.",
        discussion: """
            Lists the ten most recent samples, newest first. Use --limit for another number.

              hk samples heartRate --last 1d
              hk samples sleepAnalysis --from 2024-03 --to 2024-03 --limit 0 --json
            """)

    @Argument(
        help: "The data type, such as stepCount, steps or HKQuantityTypeIdentifierStepCount.",
        completion: TypeCompletion.name)
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "The maximum number of samples, or 0 for all.")
    var limit = 10

    @Flag(name: .long, help: "List the oldest first.")
    var ascending = false

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
    }

    func run() throws {
        let engine = try options.openEngine()
        let type = try TypeName.resolve(type, dictionaries: engine.dictionaries())
        let calendar = try range.calendar(options)
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        var filters: [SampleFilter] = []
        if let start { filters.append(.end(.greaterThanOrEqual, start.timeIntervalSinceReferenceDate)) }
        if let end { filters.append(.start(.lessThan, end.timeIntervalSinceReferenceDate)) }
        let selection = try engine.samples(
            SampleRequest(
                parts: [.init(type: type.code, filter: filters.isEmpty ? .all : .and(filters))],
                sort: [SampleSort(.start, ascending: ascending)], limit: limit), as: .person)
        let listing = SampleListing(selection: selection, type: type, dates: DateOutput(calendar: calendar))
        if options.json {
            var writer = SampleJSONWriter(selection, timeZone: calendar.timeZone)
            writer.add("{\"samples\":[")
            writer.write(selection)
            writer.add("]}\n")
            try StandardOutput.send(writer.bytes)
        } else {
            print(listing.table, terminator: "")
        }
    }
}

/// Samples as rows of a table.
struct SampleListing {
    let selection: SampleSelection
    let type: TypeDescription
    let dates: DateOutput

    /// The object's dates. Those of a summary are its day in this calendar, whatever time zone the archive was read in.
    private func interval(_ object: ObjectRecord) -> (start: Date, end: Date) {
        guard case .activitySummary(let summary) = object.body,
            let start = dates.calendar.date(
                from: DateComponents(year: summary.year, month: summary.month, day: summary.day)),
            let end = dates.calendar.date(byAdding: .day, value: 1, to: start)
        else { return (Date(reference: object.start), Date(reference: object.end)) }
        return (start, end)
    }

    private func text(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .date(let seconds): dates.iso(Date(reference: seconds))
        // As it was written, without grouping.
        case .quantity(let value, let unit): "\(Int(exactly: value).map(String.init) ?? String(value)) \(unit)"
        }
    }

    var table: String {
        guard !selection.order.isEmpty else { return "No samples.\n" }
        var table = Table([
            .init(title: "start"), .init(title: "end"),
            .init(title: type.kind.isPaged ? "value" : "what", isNumber: type.kind == .quantity),
            .init(title: "source"),
        ])
        for reference in selection.order {
            switch reference {
            case .sample(let batch, let row):
                let columns = selection.batches[Int(batch)]
                let row = Int(row)
                table.add(
                    span(Date(reference: columns.starts[row]), Date(reference: columns.ends[row])) + [
                        shown(columns, row), selection.dictionaries.revision(columns.revisions[row])?.source.name ?? "",
                    ])
            case .object(let index):
                let object = selection.objects[Int(index)]
                table.add(span(object) + [shown(object), object.revision?.source.name ?? ""])
            }
        }
        return table.text()
    }

    private func span(_ object: ObjectRecord) -> [String] {
        let (start, end) = interval(object)
        if case .activitySummary = object.body { return [dates.day(start), ""] }
        return span(start, end)
    }

    private func span(_ first: Date, _ last: Date) -> [String] {
        if first == last { return [dates.minute(first), ""] }
        let isSameDay = dates.day(first) == dates.day(last)
        return [dates.minute(first), isSameDay ? String(dates.minute(last).suffix(5)) : dates.minute(last)]
    }

    private func shown(_ columns: SampleColumns, _ row: Int) -> String {
        guard type.kind == .quantity else {
            return NameOutput.text(Int(exactly: columns.values[row]) ?? 0, of: type)
        }
        return NumberOutput.quantity(columns.values[row], selection.dictionaries.unit(columns.units[row]))
    }

    private func shown(_ object: ObjectRecord) -> String {
        switch object.body {
        case .workout(let workout):
            shown(workout)
        case .none: shown(members: object.members, of: object)
        case .activitySummary(let summary):
            "move \(NumberOutput.text(summary.activeEnergyBurned?.value ?? 0, digits: 0)), exercise "
                + "\(NumberOutput.text(summary.appleExerciseTime?.value ?? 0, digits: 0)), stand "
                + NumberOutput.text(summary.appleStandHours?.value ?? 0, digits: 0)
        case .archived(let element): element.name
        case .document(let document): DocumentSummary.text(document, of: type)
        }
    }

    /// `running, 34 min, 299 kcal, 9.43 km, heartRate zones 2/4/20/8/0 min`.
    private func shown(_ workout: WorkoutBody) -> String {
        let name = HKWorkoutActivityType(rawValue: workout.activityType).map { NameOutput.words("\($0)") }
        let parts = [
            name ?? "activity \(workout.activityType)", "\(NumberOutput.text(workout.duration / 60, digits: 1)) min",
            workout.total(.energyBurned).map { "\(NumberOutput.text($0.value, digits: 0)) \($0.unit)" },
            workout.total(.distance).map { NumberOutput.quantity($0.value, $0.unit) },
        ]
        // The whole minutes in each zone.
        let zones = workout.zones.filter { $0.activity == nil }.map { zones in
            let minutes = zones.durations.map { NumberOutput.text($0 / 60, digits: 0) }.joined(separator: "/")
            return "\(TypeName.short(zones.type)) zones \(minutes) min"
        }
        return (parts.compactMap { $0 } + zones).joined(separator: ", ")
    }

    /// The members by type: `bloodPressureDiastolic 76 mmHg, bloodPressureSystolic 117 mmHg`.
    private func shown(members: [SampleRecord], of object: ObjectRecord) -> String {
        let kind = object.metadata.entries.first { $0.key == HKMetadataKeyFoodType }.map { text($0.value) }
        let parts = members.prefix(4).map { sample in
            let type = selection.dictionaries.type(sample.type)
            return "\(TypeName.short(type?.identifier ?? "")) \(NumberOutput.quantity(sample.value, sample.unit))"
        }
        let rest = members.count > 4 ? ["\(members.count - 4) more"] : []
        return ([kind].compactMap { $0 } + parts.sorted() + rest).joined(separator: ", ")
    }
}
