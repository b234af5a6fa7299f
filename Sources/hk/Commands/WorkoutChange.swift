import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthInsights
import HealthKit
import HealthModel

/// Corrects a workout: `hk workouts set`.
struct WorkoutChange {
    var activity: String?
    var title: String?
    var start: String?
    var end: String?
    /// Whether samples and locations may be taken out without asking.
    var yes = false

    private struct Answer: Encodable {
        var uuid: String
        var samplesOutside: Int
        var locationsOutside: Int
    }

    /// Whether there is nothing to correct.
    var isEmpty: Bool { activity == nil && title == nil && start == nil && end == nil }

    /// Corrects a workout, given by its number or UUID, and says what of it is outside of its new times.
    func run(_ workout: String, _ options: StoreOptions, _ calendar: Calendar) async throws {
        let found = try await options.ask(WorkoutQuestion.self, ["uuid": workout], calendar: calendar).workout.summary
        let dates = DateArgument(calendar: calendar)
        var correction = WorkoutCorrection(title: title)
        do {
            if let activity { correction.activityType = try ValueNames.activity(called: activity) }
        } catch {
            throw UsageError("--activity: \(error)")
        }
        let (first, last) = (
            try start.map { try dates.span($0, option: "--start").start } ?? found.start,
            try end.map { try dates.span($0, option: "--end").end } ?? found.end
        )
        if last < first { throw UsageError("The workout would end before it starts. Give both --start and --end.") }
        if last > CurrentTime.now { throw UsageError("The workout would end in the future.") }
        if start != nil { correction.start = first.timeIntervalSinceReferenceDate }
        if end != nil { correction.end = last.timeIntervalSinceReferenceDate }
        let engine = try options.engine()
        guard try yes || confirm(engine.previewCorrection(found.uuid, correction, as: .person)) else {
            if !options.json { print("Nothing was corrected.") }
            throw ExitCode.failure
        }
        let outcome = try engine.correctWorkout(found.uuid, correction, as: .person)
        guard !options.json else {
            return try JSONOutput.print(
                Answer(
                    uuid: outcome.uuid.uuidString, samplesOutside: outcome.samplesOutside,
                    locationsOutside: outcome.locationsOutside))
        }
        guard outcome.uuid != found.uuid else { return print("The workout is like that already.") }
        let corrected = try await options.ask(
            WorkoutQuestion.self, ["uuid": outcome.uuid.uuidString], calendar: calendar
        ).workout.summary
        print(
            "Corrected: \(corrected.activityType.words), \(DateOutput(calendar: calendar).minute(corrected.start)), "
                + "\(DurationOutput.clock(corrected.duration)).")
        if outcome.isMoved {
            print("What was recorded is partly or wholly outside of the new times. It stays with the workout.")
        } else if outcome.hasLosses {
            print(outside(outcome))
        }
    }

    private func outside(_ outcome: WorkoutCorrection.Outcome) -> String {
        let samples = NumberOutput.grouped(outcome.samplesOutside)
        let locations = NumberOutput.grouped(outcome.locationsOutside)
        return "Outside of the new times: \(samples) samples, which stay in the store without belonging to the "
            + "workout, and \(locations) locations of its route, which are left out."
    }

    /// Asks whether samples and locations may be taken out, if there are some.
    ///
    /// - Throws: ``UsageError`` if nobody can be asked.
    private func confirm(_ outcome: WorkoutCorrection.Outcome) throws -> Bool {
        guard outcome.hasLosses else { return true }
        guard Terminal.inputIsTerminal else {
            throw UsageError(
                "\(outside(outcome)) Confirmation requires a terminal, so nothing was corrected. Use --yes to correct "
                    + "without confirmation.")
        }
        Terminal.printError("\(outside(outcome))\nCorrect the workout? (y/N): ")
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }
}
