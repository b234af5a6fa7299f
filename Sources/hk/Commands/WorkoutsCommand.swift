import ArgumentParser
import Foundation
import HealthAnswers

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
        if weekly, records { throw ValidationError("--weekly can’t be combined with --records.") }
        if workout != nil, weekly || records {
            throw ValidationError("--weekly and --records are for all workouts, not for one.")
        }
    }

    func run() async throws {
        let calendar = try range.calendar(options)
        let dates = DateOutput(calendar: calendar)
        if let workout {
            return try await options.answer(WorkoutQuestion.self, ["uuid": workout, "length": per], calendar: calendar)
            { WorkoutListing(dates: dates, units: $0.units).text($0) }
        }
        var parameters = try range.parameters(calendar)
        parameters["activityType"] = activity
        if weekly {
            try await options.answer(WorkoutWeeksQuestion.self, parameters, calendar: calendar) {
                WorkoutListing(dates: dates, units: $0.units).table($0.weeks)
            }
        } else if records {
            try await options.answer(WorkoutRecordsQuestion.self, parameters, calendar: calendar) {
                WorkoutListing(dates: dates, units: $0.units).table($0.records)
            }
        } else {
            parameters["limit"] = "\(limit)"
            try await options.answer(WorkoutsQuestion.self, parameters, calendar: calendar) {
                WorkoutListing(dates: dates, units: $0.units).table($0.workouts)
            }
        }
    }
}
