import ArgumentParser
import Foundation
import HealthInsights
import HealthKit
import HealthKitUI

/// `hk rings`: a day's activity rings.
struct RingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rings", abstract: "Show activity rings.",
        discussion: """
            Shows today’s rings unless a range is given. Set goals with “hk profile --move-goal 500”.

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

    private struct Answer: Encodable {
        var date: String
        var activityMoveMode: String
        /// Kilocalories.
        var activeEnergyBurned: Double
        var activeEnergyBurnedGoal: Double
        /// Minutes.
        var appleMoveTime: Double
        var appleMoveTimeGoal: Double
        var appleExerciseTime: Double
        var exerciseTimeGoal: Double?
        /// Stand hours.
        var appleStandHours: Double
        var standHoursGoal: Double?
    }

    func run() async throws {
        let calendar = try range.calendar(options)
        let store = try options.openStore(calendar: calendar)
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let last = end.map { $0.addingTimeInterval(-1) } ?? CurrentTime.now
        let first = start ?? last
        func day(_ date: Date) -> DateComponents {
            var components = calendar.dateComponents([.era, .year, .month, .day], from: date)
            components.calendar = calendar
            return components
        }
        let summaries = try await HKActivitySummaryQueryDescriptor(
            predicate: HKQuery.predicate(forActivitySummariesBetweenStart: day(first), end: day(last))
        ).result(for: store)
        try draw(summaries.last)
        guard !options.json else {
            return try JSONOutput.print(summaries.map { answer($0, calendar) })
        }
        guard !summaries.isEmpty else {
            print("No activity summaries.")
            return
        }
        var table = Table([
            .init(title: "day"), .init(title: "move", isNumber: true), .init(title: "", isNumber: true),
            .init(title: "exercise", isNumber: true), .init(title: "", isNumber: true),
            .init(title: "stand", isNumber: true), .init(title: "", isNumber: true),
        ])
        for summary in summaries {
            let (answer, progress) = (answer(summary, calendar), RingProgress(summary))
            let move =
                summary.activityMoveMode == .appleMoveTime
                ? shown(answer.appleMoveTime, answer.appleMoveTimeGoal, "min", progress.move)
                : shown(answer.activeEnergyBurned, answer.activeEnergyBurnedGoal, "kcal", progress.move)
            table.add(
                [answer.date] + move
                    + shown(answer.appleExerciseTime, answer.exerciseTimeGoal, "min", progress.exercise)
                    + shown(answer.appleStandHours, answer.standHoursGoal, "h", progress.stand))
        }
        print(table.text(), terminator: "")
    }

    private func answer(_ summary: HKActivitySummary, _ calendar: Calendar) -> Answer {
        let day = summary.dateComponents(for: calendar)
        let date = calendar.date(from: day) ?? Date(reference: 0)
        return Answer(
            date: DateOutput(calendar: calendar).day(date), activityMoveMode: "\(summary.activityMoveMode)",
            activeEnergyBurned: summary.activeEnergyBurned.doubleValue(for: .kilocalorie()),
            activeEnergyBurnedGoal: summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()),
            appleMoveTime: summary.appleMoveTime.doubleValue(for: .minute()),
            appleMoveTimeGoal: summary.appleMoveTimeGoal.doubleValue(for: .minute()),
            appleExerciseTime: summary.appleExerciseTime.doubleValue(for: .minute()),
            exerciseTimeGoal: summary.exerciseTimeGoal?.doubleValue(for: .minute()),
            appleStandHours: summary.appleStandHours.doubleValue(for: .count()),
            standHoursGoal: summary.standHoursGoal?.doubleValue(for: .count()))
    }

    /// `320 / 500 kcal` and `64 %`, the percentage only if there is a goal.
    private func shown(_ value: Double, _ goal: Double?, _ unit: String, _ share: Double?) -> [String] {
        let text = NumberOutput.text(value, digits: 0)
        guard let goal, let share else { return ["\(text) \(unit)", ""] }
        return [
            "\(text) / \(NumberOutput.text(goal, digits: 0)) \(unit)",
            "\(NumberOutput.text(100 * share, digits: 0)) %",
        ]
    }

    private func draw(_ summary: HKActivitySummary?) throws {
        guard svg != nil || png != nil else { return }
        let view = HKActivityRingView(frame: CGRect(x: 0, y: 0, width: size, height: size))
        view.setActivitySummary(summary, animated: animated)
        if let svg { try Data(view.svg.utf8).write(to: URL(fileURLWithPath: svg)) }
        if let png { try view.pngData().write(to: URL(fileURLWithPath: png)) }
    }
}
