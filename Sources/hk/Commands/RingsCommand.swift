import ArgumentParser
import Foundation
import HealthAnswers
import HealthInsights
import HealthKit
import HealthKitUI

/// `hk rings`: a day's activity rings.
struct RingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rings", abstract: "Show activity rings.",
        discussion: """
            Shows today’s rings unless a range is given, and of several days how often they were closed. Set goals with “hk profile --move-goal 500”.

              hk rings
              hk rings --last 7d
              hk rings --from 2024-05-17 --to 2024-05-17 --svg rings.svg --png rings.png
            """)

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Write the rings of the last day as SVG.", completion: .file())
    var svg: String?

    @Option(name: .long, help: "Write the rings of the last day as PNG.", completion: .file())
    var png: String?

    @Option(name: .long, help: "The width and height of the image in points.")
    var size = 300.0

    @Flag(name: .long, help: "Animate the rings in the SVG.")
    var animated = false

    func run() async throws {
        let calendar = try range.calendar(options)
        let answer = try await options.ask(RingsQuestion.self, try range.parameters(calendar), calendar: calendar)
        try draw(answer.days.last)
        try options.show(answer, calendar: calendar) { answer in
            guard !answer.days.isEmpty else {
                return try options.nothing(
                    "activity summaries",
                    of: ["HKActivitySummaryTypeIdentifier", "HKQuantityTypeIdentifierActiveEnergyBurned"], range,
                    calendar, usual: calendar.startOfDay(for: CurrentTime.now))
            }
            var table = Table([
                "day", .number("move"), .number(""), .number("exercise"), .number(""), .number("stand"), .number(""),
            ])
            let dates = DateOutput(calendar: calendar)
            for day in answer.days {
                let unit = day.moveUnit(energy: answer.unit)
                table.add(
                    [dates.day(day.date)]
                        + RingCells.cells(day.move, unit, unit.unitString, day.progress.move)
                        + RingCells.cells(day.exercise, .minute(), "min", day.progress.exercise)
                        + RingCells.cells(day.stand, .count(), "h", day.progress.stand))
            }
            return try table.text() + closed(answer, calendar)
        }
    }

    /// How often the rings were closed, and the streaks of days on which all were.
    private func closed(_ answer: RingsAnswer, _ calendar: Calendar) throws -> String {
        guard answer.days.count > 1, let figures = RingsFigures(answer.days) else { return "" }
        let closed = figures.closed
        func days(_ count: Int) -> String { NumberOutput.counted(count, "day") }
        let counts =
            "Rings closed in \(days(figures.days)): move \(closed.move), exercise \(closed.exercise), stand \(closed.stand), "
            + "all \(closed.all)."
        let streaks =
            "Longest streak of all three: \(days(figures.longestStreak))."
            + (try range.includesToday(calendar) ? " Current streak: \(days(figures.currentStreak))." : "")
        return "\n" + [counts, streaks].map { Terminal.output.wrapped($0, after: 2) + "\n" }.joined()
    }

    private func draw(_ day: DayRings?) throws {
        guard svg != nil || png != nil else { return }
        let view = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: size, height: size))
        view.setActivitySummary(day?.summary, animated: animated)
        if let svg { try ResultFile.write(ResultFile.marked(svg: view.svg), to: svg) }
        if let png { try ResultFile.write(ResultFile.marked(png: view.pngData()), to: png) }
    }
}

extension DayRings {
    /// The rings as they are drawn.
    fileprivate var summary: HKActivitySummary {
        let summary = HKActivitySummary()
        summary.activityMoveMode = moveMode
        (summary.activeEnergyBurned, summary.appleMoveTime) = (energy.quantity, moveTime.quantity)
        (summary.appleExerciseTime, summary.appleStandHours) = (exercise.quantity, stand.quantity)
        if let goal = energy.goal { summary.activeEnergyBurnedGoal = goal }
        if let goal = moveTime.goal { summary.appleMoveTimeGoal = goal }
        (summary.exerciseTimeGoal, summary.standHoursGoal) = (exercise.goal, stand.goal)
        return summary
    }
}
