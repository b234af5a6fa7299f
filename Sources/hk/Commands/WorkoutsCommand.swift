import ArgumentParser
import Foundation
import HealthInsights
import HealthKit

/// `hk workouts`: workouts, their weeks and records, and one workout's splits and zones.
struct WorkoutsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workouts", abstract: "List workouts, or show one with splits and heart rate zones.",
        discussion: """
            Lists the ten most recent workouts, newest first. Use --limit for another number. The number before a workout, or \
            its UUID, shows its kilometers or miles and the time in heart rate zones.

              hk workouts --activity running --last 3m
              hk workouts --weekly --last 12w
              hk workouts 1
            """)

    @Argument(help: "The number of a workout in the list, 1 for the latest, or its UUID.")
    var workout: String?

    @Option(name: .long, help: "The type of activity, such as running.")
    var activity: String?

    @Flag(name: .long, help: "Print the sums of each week and activity.")
    var weekly = false

    @Flag(name: .long, help: "Print the longest, farthest and fastest workout of each activity.")
    var records = false

    @Option(name: .long, help: "The length of splits: km or mi (default: the person’s preferred unit).")
    var per: String?

    @Option(name: .long, help: "The maximum number of workouts, or 0 for all.")
    var limit = 10

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
        if weekly, records { throw ValidationError("--weekly can’t be combined with --records.") }
        if workout != nil, weekly || records {
            throw ValidationError("--weekly and --records are for all workouts, not for one.")
        }
        if let per, !["km", "mi"].contains(per) {
            throw ValidationError("“\(per)” is not a length of splits. Use km or mi.")
        }
    }

    func run() async throws {
        let calendar = try range.calendar(options)
        let store = try options.openStore(calendar: calendar)
        let history = WorkoutHistory(store: store, calendar: calendar)
        var units = try await WorkoutUnits(store: store)
        if let per { units = WorkoutUnits(split: per == "mi" ? .mile : .kilometer, energy: units.energy) }
        let listing = WorkoutListing(dates: DateOutput(calendar: calendar), units: units)
        if let workout {
            return try await show(try await find(workout, history), history, listing)
        }
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let all = try await history.summaries()
        let type = try activity.map { try activityType($0, all) }
        // The numbers of a list are those of all workouts, so that they mean the same with every option.
        let numbered = all.reversed().enumerated().map { (number: $0.offset + 1, workout: $0.element) }
        let chosen = numbered.filter { entry in
            (start.map { entry.workout.start >= $0 } ?? true) && (end.map { entry.workout.start < $0 } ?? true)
                && (type.map { entry.workout.activityType == $0 } ?? true)
        }
        if weekly {
            try print(weeks: listing.weeks(of: chosen.map(\.workout), calendar: calendar), listing)
        } else if records {
            let types = Set(chosen.map(\.workout.activityType))
            let records = types.map { WorkoutRecords(activityType: $0, workouts: chosen.map(\.workout).reversed()) }
                .sorted { ($1.count, $0.activityType.rawValue) < ($0.count, $1.activityType.rawValue) }
            try print(records: records, listing)
        } else {
            let shown = limit == 0 ? chosen[...] : chosen.prefix(limit)
            if options.json {
                try JSONOutput.print(shown.map { listing.answer($0.workout, number: $0.number) })
            } else {
                Swift.print(listing.table(Array(shown)), terminator: "")
            }
        }
    }

    private func print(weeks: [WorkoutWeek], _ listing: WorkoutListing) throws {
        if options.json {
            try JSONOutput.print(weeks.map { listing.answer($0) })
        } else {
            Swift.print(listing.table(weeks), terminator: "")
        }
    }

    private func print(records: [WorkoutRecords], _ listing: WorkoutListing) throws {
        if options.json {
            try JSONOutput.print(records.map { listing.answer($0) })
        } else {
            Swift.print(listing.table(records), terminator: "")
        }
    }

    private func show(_ workout: HKWorkout, _ history: WorkoutHistory, _ listing: WorkoutListing) async throws {
        let detail = WorkoutDetail(
            summary: try await history.summary(of: workout),
            splits: try await history.splits(of: workout, per: listing.units.split),
            zones: try await history.heartRateZones(of: workout))
        if options.json {
            try JSONOutput.print(listing.answer(detail))
        } else {
            Swift.print(listing.text(detail), terminator: "")
        }
    }

    /// The workout with a number of the list or a UUID.
    private func find(_ text: String, _ history: WorkoutHistory) async throws -> HKWorkout {
        if let uuid = UUID(uuidString: text) {
            if let found = try await history.workout(uuid) { return found }
            throw UsageError("No workout has the UUID “\(text)”. “hk workouts --json” lists the UUIDs.")
        }
        guard let number = Int(text), number > 0 else {
            throw UsageError(
                "“\(text)” is not a workout. Use a number of the list, such as 1 for the latest, or a UUID.")
        }
        let all = try await history.workouts()
        guard number <= all.count else {
            throw UsageError("Workout \(number) not found. Workouts in the store: \(NumberOutput.grouped(all.count)).")
        }
        return all[all.count - number]
    }

    /// The type of activity with a name such as `running` or `american football`.
    private func activityType(_ text: String, _ workouts: [WorkoutSummary]) throws -> HKWorkoutActivityType {
        let wanted = text.lowercased().filter { $0.isLetter || $0.isNumber }
        if let found = HKWorkoutActivityType.allNames.first(where: { $0.name.lowercased() == wanted }) {
            return found.type
        }
        let names = Set(workouts.map(\.activityType.words)).sorted()
        let hint = names.isEmpty ? "" : " The workouts of the store are: \(names.joined(separator: ", "))."
        throw UsageError("“\(text)” is not a type of activity.\(hint)")
    }
}

extension HKWorkoutActivityType {
    /// All types with the names of their cases.
    fileprivate static let allNames = (UInt(0)...4_000).compactMap { HKWorkoutActivityType(rawValue: $0) }
        .map { (type: $0, name: "\($0)") }
}
