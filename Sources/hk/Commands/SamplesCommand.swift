import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthInsights
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
              hk samples "heart rate" --top 3
              hk samples weight --source scale --last 30d
              hk samples sleepAnalysis --from 2024-03 --to 2024-03 --limit 0 --json
              hk samples ecg --waveform 1 > ecg.csv
              hk samples ecg --waveform 1 --png ecg.png
            """)

    @Argument(
        help: "The data type, such as stepCount, steps or HKQuantityTypeIdentifierStepCount.",
        completion: TypeCompletion.name)
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var sources: SourceOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "The maximum number of samples, or 0 for all.")
    var limit = 10

    @Flag(name: .long, help: "List the oldest first.")
    var ascending = false

    @Option(name: .long, help: "List the N samples with the highest values, these first.")
    var top: Int?

    @Option(name: .long, help: "The unit of quantities (default: the person’s preferred unit).")
    var unit: String?

    @Option(name: .long, help: "Print the voltages of an electrocardiogram: 1 is the newest of the range.")
    var waveform: Int?

    @Option(
        name: .long, help: "The format of a waveform: csv, or png with paper of 25 mm/s and 10 mm/mV (default: csv).")
    var format: WaveformFormat?

    @Option(name: .long, help: "Write the waveform as PNG.", completion: .file())
    var png: String?

    func validate() throws {
        if format != nil || png != nil, waveform == nil {
            throw ValidationError("--format and --png are for an electrocardiogram: add --waveform N.")
        }
        if png != nil, format == .csv || options.json {
            throw ValidationError("--png and \(options.json ? "--json" : "--format csv") contradict each other.")
        }
        if options.json, let format {
            throw ValidationError("--json and --format \(format.rawValue) contradict each other.")
        }
        if let waveform, waveform < 1 { throw ValidationError("--waveform is 1 for the newest recording, or more.") }
        if let top, top < 1 { throw ValidationError("--top must be at least 1.") }
        if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
    }

    func run() throws {
        let engine = try options.openEngine()
        let type = try TypeName.resolveSampled(type, dictionaries: engine.dictionaries(), engine: engine)
        if top != nil, type.kind != .quantity { throw UsageError("--top is for quantities, such as heart rates.") }
        let calendar = try range.calendar(options)
        var filters = try range.filters(now: CurrentTime.now, calendar: calendar)
        if let sources = try sources.identifiers(engine.dictionaries()) { filters.append(.source(Set(sources))) }
        let part = SampleRequest.Part(type: type.code, filter: filters.isEmpty ? .all : .and(filters))
        let shown = SampleJSONWriter.Options(
            unit: try unit.map { try UnitArgument.unit($0, of: type) },
            units: try engine.displayUnits(inSamplesOf: [type], as: .person))
        if let waveform { return try writeWaveform(waveform, of: type, part, engine, calendar) }
        if options.json, type.kind.isPaged, top == nil {
            return try engine.withReader(as: .person) { try stream(part, of: $0, calendar.timeZone, shown) }
        }
        let selection = try engine.samples(
            SampleRequest(
                parts: [part],
                sort: [top == nil ? SampleSort(.start, ascending: ascending) : SampleSort(.value, ascending: false)],
                limit: top ?? limit), as: .person)
        if options.json {
            let json = SampleJSONWriter.object("samples", selection, timeZone: calendar.timeZone, options: shown)
            try StandardOutput.send(json + [0x0A])
        } else if selection.order.isEmpty {
            print(
                try options.nothing(of: type, called: self.type, range, calendar, command: "samples"), terminator: "")
        } else {
            let units = try WorkoutUnits(
                QuestionSetting(engine: engine, caller: .person, calendar: calendar, now: CurrentTime.now))
            let listing = SampleListing(
                selection: selection, type: type, dates: DateOutput(calendar: calendar), shown: shown, units: units)
            print(listing.table, terminator: "")
        }
    }

    /// Prints or draws a recording.
    private func writeWaveform(
        _ number: Int, of type: TypeDescription, _ part: SampleRequest.Part, _ engine: HealthEngine,
        _ calendar: Calendar
    ) throws {
        guard type.identifier == "HKDataTypeIdentifierElectrocardiogram" else {
            throw UsageError("--waveform is for electrocardiograms: hk samples ecg --waveform \(number).")
        }
        let found = try engine.samples(
            SampleRequest(parts: [part], sort: [SampleSort(.start, ascending: false)], limit: number), as: .person)
        guard found.objects.count == number, case .object(let index)? = found.order.last,
            let waveform = Waveform(found.objects[Int(index)], DateOutput(calendar: calendar))
        else { throw UsageError("--waveform \(number) was not found. Recordings in the range: \(found.count).") }
        if let png { return try ResultFile.write(waveform.png(), to: png) }
        guard !options.json else {
            var writer = SampleJSONWriter(
                found, timeZone: calendar.timeZone, options: SampleJSONWriter.Options(includesSeries: true))
            writer.write(found.objects[Int(index)])
            writer.add("\n")
            return try StandardOutput.send(writer.bytes)
        }
        guard format == .png else { return try StandardOutput.send(waveform.csv) }
        guard !Terminal.output.isTerminal else {
            throw UsageError("A picture isn’t for a terminal. Use --png FILE.")
        }
        try StandardOutput.send(Array(try waveform.png()))
    }

    /// Prints samples page by page, so that memory use doesn’t depend on their number.
    private func stream(
        _ part: SampleRequest.Part, of reading: StoreReader, _ timeZone: TimeZone, _ shown: SampleJSONWriter.Options
    ) throws {
        var writer = SampleJSONWriter(
            dictionaries: reading.dictionaries, identities: reading.identities, timeZone: timeZone, options: shown)
        writer.add("{\"samples\":[")
        var (left, isFirst) = (limit == 0 ? Int.max : limit, true)
        let pages = try reading.pages(of: part.type, matching: part.filter)
        for page in ascending ? pages : pages.reversed() where left > 0 {
            let rows = try reading.rows(of: page, columns: .all)
            let (starts, indices) = (rows.starts, rows.starts.indices)
            let order = ascending ? Array(indices) : indices.sorted { (starts[$1], $0) < (starts[$0], $1) }
            for row in order.prefix(left) {
                if !isFirst { writer.add(",") }
                isFirst = false
                writer.write(rows, row: row)
                guard writer.bytes.count >= Self.chunkBytes else { continue }
                try StandardOutput.send(writer.bytes)
                writer.removeAll()
            }
            left -= min(left, order.count)
        }
        writer.add("]}\n")
        try StandardOutput.send(writer.bytes)
    }

    /// The JSON that is printed at once.
    private static let chunkBytes = 1 << 16
}

/// The format in which the voltages of an electrocardiogram are printed.
enum WaveformFormat: String, CaseIterable, ExpressibleByArgument {
    /// A line for each voltage.
    case csv
    /// A picture.
    case png
}

/// Samples as rows of a table.
struct SampleListing {
    let selection: SampleSelection
    let type: TypeDescription
    let dates: DateOutput
    let shown: SampleJSONWriter.Options
    /// The units of workouts.
    let units: WorkoutUnits

    /// The object's dates. Those of a summary are its day in this calendar, whatever time zone the archive was read in.
    private func interval(_ object: ObjectRecord) -> (start: Date, end: Date) {
        guard case .activitySummary(let summary) = object.body,
            let start = dates.calendar.date(
                from: DateComponents(year: summary.year, month: summary.month, day: summary.day))
        else { return (Date(reference: object.start), Date(reference: object.end)) }
        return (start, dates.calendar.startOfDay(1, after: start))
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
        var table = Table([
            "start", "end", .init(title: type.kind.isPaged ? "value" : "what", isNumber: type.kind == .quantity),
            "source",
        ])
        for reference in selection.order { table.add(cells(of: reference)) }
        return table.text()
    }

    /// The start, the end, the value and the source.
    func cells(of reference: SampleSelection.Reference) -> [String] {
        switch reference {
        case .sample(let batch, let row):
            let columns = selection.batches[Int(batch)]
            let row = Int(row)
            return span(Date(reference: columns.starts[row]), Date(reference: columns.ends[row])) + [
                shown(columns, row), selection.dictionaries.revision(columns.revisions[row])?.source.name ?? "",
            ]
        case .object(let index):
            let object = selection.objects[Int(index)]
            return span(object) + [shown(object), object.revision?.source.name ?? ""]
        }
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
        return quantity(columns.values[row], selection.dictionaries.unit(columns.units[row]), columns.type)
    }

    /// A quantity in the unit to show.
    private func converted(_ value: Double, _ unit: String, _ type: TypeCode) -> (value: Double, unit: String) {
        guard let wanted = shown.unit ?? shown.units[type], let conversion = UnitConversion(between: unit, and: wanted)
        else { return (value, unit) }
        return (conversion(value), wanted)
    }

    private func quantity(_ value: Double, _ unit: String, _ type: TypeCode) -> String {
        let (value, unit) = converted(value, unit, type)
        return NumberOutput.quantity(value, unit)
    }

    /// `120/80 mmHg`, as people say it; `nil` if one of the two is missing.
    private func pressure(_ members: [SampleRecord]) -> String? {
        let parts = BloodPressureListing.parts.compactMap { part in
            members.first { selection.dictionaries.type($0.type)?.identifier == part }
        }.map { converted($0.value, $0.unit, $0.type) }
        guard parts.count == 2, parts[0].unit == parts[1].unit else { return nil }
        return "\(NumberOutput.text(parts[0].value))/\(NumberOutput.quantity(parts[1].value, parts[1].unit))"
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
            workout.total(.energyBurned)?.value(in: "kcal").map { units.energy(kilocalories: $0) },
            workout.total(.distance)?.value(in: "m").map { units.distance($0) },
        ]
        // The whole minutes in each zone.
        let zones = workout.zones.filter { $0.activity == nil }.map { zones in
            let minutes = zones.durations.map { NumberOutput.text($0 / 60, digits: 0) }.joined(separator: "/")
            return "\(TypeName.short(zones.type)) zones \(minutes) min"
        }
        return (parts.compactMap { $0 } + zones).joined(separator: ", ")
    }

    /// A blood pressure as a pair, other members by type: `dietaryEnergyConsumed 450 kcal, dietaryProtein 12 g`.
    private func shown(members: [SampleRecord], of object: ObjectRecord) -> String {
        if type.identifier == BloodPressureListing.type, let pair = pressure(members) { return pair }
        let kind = object.metadata.entries.first { $0.key == HKMetadataKeyFoodType }.map { text($0.value) }
        let parts = members.prefix(4).map { sample in
            let type = selection.dictionaries.type(sample.type)
            return "\(TypeName.short(type?.identifier ?? "")) \(quantity(sample.value, sample.unit, sample.type))"
        }
        let rest = members.count > 4 ? ["\(members.count - 4) more"] : []
        return ([kind].compactMap { $0 } + parts.sorted() + rest).joined(separator: ", ")
    }
}
