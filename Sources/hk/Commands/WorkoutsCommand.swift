import ArgumentParser
import Foundation
import HealthAnswers
import HealthDevices
import HealthEngine
import HealthFormats
import HealthInsights
import HealthModel
import HealthStorageFiles

/// `hk workouts`: workouts, their weeks and records, and one workout's splits and zones.
struct WorkoutsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workouts", abstract: "List workouts, or show one with splits and heart rate zones.",
        discussion: """
            Lists the ten most recent workouts, newest first. Use --limit for another number. The number before a workout, or \
            its UUID, shows its kilometers or miles and the time in heart rate zones. A path after it writes the workout for \
            other programs, as .fit, .tcx or .gpx, and “export” writes all workouts of the range to a folder or file. \
            “set” corrects what was recorded or imported wrong: the activity, the title, the start or the end. Importing \
            the same file again keeps the correction.

              hk workouts --activity running --last 3m
              hk workouts --weekly --last 12w
              hk workouts --every month --last 1y
              hk workouts --activity running --records
              hk workouts 1
              hk workouts 1 run.fit
              hk workouts export runs --format tcx --activity running --last 1y
              hk workouts set 1 --activity cycling --title "To work"
              hk workouts set 1 --end 2024-05-17T18:40
            """)

    @Argument(help: "The number of a workout in the list, 1 for the latest, or its UUID; or export or set.")
    var workout: String?

    @Argument(
        help: "The file to write to, ending in .fit, .tcx or .gpx, or a folder; after set, the workout.",
        completion: .file())
    var path: String?

    @Option(name: .long, help: "The format of the path: gpx, or tcx or fit, which have workouts without a route, too.")
    var format: WorkoutFileFormat?

    @Flag(name: .long, help: "Replace an earlier export. Anything else is never replaced.")
    var force = false

    @Option(name: .long, help: "The type of activity, such as running.")
    var activity: String?

    @Option(name: .long, help: "With set: the title; an empty one removes it.")
    var title: String?

    @Option(name: .long, help: "With set: the start.")
    var start: String?

    @Option(name: .long, help: "With set: the end. What is outside no longer belongs to the workout.")
    var end: String?

    @Flag(name: .long, help: "With set: correct without asking whether to take out what is outside.")
    var yes = false

    @Option(name: .long, help: "Print the sums of each day, week, month, quarter or year, and activity.")
    var every: Period?

    @Flag(name: .long, help: "The same as --every week.")
    var weekly = false

    @Flag(
        name: .long,
        help:
            "Print the longest, farthest and fastest workout of each activity, and the fastest kilometer, 5 and 10 km.")
    var records = false

    @Option(name: .long, help: "The length of splits: km or mi (default: the person’s preferred unit).")
    var per: String?

    @Option(name: .long, help: "The maximum number of workouts, or 0 for all.")
    var limit = 10

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    /// The periods whose sums are printed.
    enum Period: String, ExpressibleByArgument, CaseIterable {
        case day, week, month, quarter, year
    }

    func validate() throws {
        if weekly, every ?? .week != .week { throw ValidationError("--weekly contradicts --every.") }
        if interval != nil, records { throw ValidationError("Sums of periods can’t be combined with --records.") }
        if workout != nil, interval != nil || records {
            throw ValidationError("--every, --weekly and --records are for all workouts, not for one.")
        }
        let isSet = workout == "set"
        if workout != nil, workout != "export",
            activity != nil && !isSet || range.from != nil || range.to != nil || range.last != nil
        {
            throw ValidationError(
                "--activity, --from, --to and --last are for several workouts. The number of one is that in the list.")
        }
        if isSet {
            if path == nil { throw ValidationError("Which one? hk workouts set 1 --activity cycling.") }
            if change.isEmpty {
                throw ValidationError("What is wrong with it? Use --activity, --title, --start or --end.")
            }
        } else if yes {
            throw ValidationError("--yes is for set.")
        } else if title != nil || start != nil || end != nil {
            throw ValidationError("--title, --start and --end correct one workout: hk workouts set 1 --title Hills.")
        }
        if workout == "export", path == nil {
            throw ValidationError("Where to? hk workouts export FOLDER, or a file that ends in .fit, .tcx or .gpx.")
        }
        if format != nil || force, path == nil || isSet {
            throw ValidationError("--format and --force are for a path to write to: hk workouts export FOLDER.")
        }
    }

    private var change: WorkoutChange {
        WorkoutChange(activity: activity, title: title, start: start, end: end, yes: yes)
    }

    private var interval: StatisticsInterval? {
        weekly ? .week : every.flatMap { StatisticsInterval(rawValue: $0.rawValue) }
    }

    func run() async throws {
        let calendar = try range.calendar(options)
        if workout == "set", let path { return try await change.run(path, options, calendar) }
        if let workout, let path { return try write(workout, to: path, calendar) }
        let dates = DateOutput(calendar: calendar)
        if let workout {
            return try await options.answer(WorkoutQuestion.self, ["uuid": workout, "length": per], calendar: calendar)
            { WorkoutListing(dates: dates, units: $0.units).text($0) }
        }
        var parameters = try range.parameters(calendar)
        parameters["activityType"] = activity
        func listing(_ units: WorkoutUnits) -> WorkoutListing { WorkoutListing(dates: dates, units: units) }
        if let interval {
            parameters["interval"] = interval.rawValue
            let answer = try await options.ask(WorkoutWeeksQuestion.self, parameters, calendar: calendar)
            let isEmpty = answer.weeks.allSatisfy(\.workouts.isEmpty)
            try await show(answer, isEmpty, calendar) { listing($0.units).table($0, every: interval) }
        } else if records {
            parameters["distances"] = "true"
            let answer = try await options.ask(WorkoutRecordsQuestion.self, parameters, calendar: calendar)
            try await show(answer, answer.records.isEmpty, calendar) { listing($0.units).table($0) }
        } else {
            parameters["limit"] = "\(limit)"
            let answer = try await options.ask(WorkoutsQuestion.self, parameters, calendar: calendar)
            try await show(answer, answer.workouts.isEmpty, calendar) { listing($0.units).table($0.workouts) }
        }
    }

    /// Writes one workout, or those of the range, for other programs.
    private func write(_ workout: String, to path: String, _ calendar: Calendar) throws {
        let named = ExportFormat(ofName: path)
        let ofName = named.flatMap { WorkoutFileFormat(rawValue: $0.rawValue) }
        if let named, named.rawValue != format?.rawValue, format != nil || ofName == nil {
            throw UsageError(
                "“\(path)” is the name of another format. Use one that ends in .fit, .tcx or .gpx, or a folder.")
        }
        var choice = WorkoutFileExporter.Choice.all
        if workout != "export" {
            guard
                let one = UUID(uuidString: workout).map(WorkoutFileExporter.Choice.workout)
                    ?? Int(workout).map({ .number($0) })
            else { throw UsageError("“\(workout)” is not a workout. Use a number of the list, a UUID, or export.") }
            choice = one
        } else if let activity {
            let raw = ValueNames.activities(called: activity)
            guard !raw.isEmpty else {
                throw UsageError("--activity: “\(activity)” is not a type of activity. Use a name such as running.")
            }
            choice = .activities(Set(raw))
        }
        let interruption = InterruptHandler { TargetPath.removeUnfinished() }
        defer { interruption.end() }
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let selection = ContentsSelection(
            since: start?.timeIntervalSinceReferenceDate, until: end?.timeIntervalSinceReferenceDate)
        try WorkoutExport(
            format: format ?? ofName ?? .gpx, choice: choice,
            formatting: FormatOptions(selection: selection, timeZone: calendar.timeZone, replaces: force), path: path,
            isQuiet: false, isJSON: options.json
        ).run(options.engine())
    }

    /// Prints an answer; of one that is empty, when the newest workout of the activity is.
    private func show<Answer: AnswerObject>(
        _ answer: Answer, _ isEmpty: Bool, _ calendar: Calendar, text: (Answer) -> String
    ) async throws {
        guard isEmpty, !options.json else { return try options.show(answer, calendar: calendar, text: text) }
        let newest = try await options.ask(
            WorkoutsQuestion.self, ["activityType": activity, "limit": "1"], calendar: calendar
        ).workouts.first?.summary.start
        try StandardOutput.send(Array(options.nothing("workouts", newest: newest, range, calendar).utf8))
    }
}
