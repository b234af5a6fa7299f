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
            Today's if no range is given. Goals are set with “hk profile --move-goal 500”.

              hk rings
              hk rings --last 7d
              hk rings --from 2024-05-17 --to 2024-05-17 --svg rings.svg --png rings.png
            """)

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Write the last day's rings as SVG.", completion: .file())
    var svg: String?

    @Option(name: .long, help: "Write the last day's rings as PNG.", completion: .file())
    var png: String?

    @Option(name: .long, help: "Width and height of the picture in points.")
    var size = 300.0

    @Flag(name: .long, help: "Let the rings of the SVG fill up.")
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
        /// Hours with a stand.
        var appleStandHours: Double
        var standHoursGoal: Double?
    }

    func run() async throws {
        let calendar = try range.calendar(options)
        let store = try options.openStore(calendar: calendar)
        let (start, end) = try range.interval(now: Present.now, calendar: calendar)
        let last = end.map { $0.addingTimeInterval(-1) } ?? Present.now
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
            print("No activity.")
            return
        }
        var table = Table([
            .init(title: "day"), .init(title: "move", isNumber: true), .init(title: "", isNumber: true),
            .init(title: "exercise", isNumber: true), .init(title: "", isNumber: true),
            .init(title: "stand", isNumber: true), .init(title: "", isNumber: true),
        ])
        for summary in summaries {
            let answer = answer(summary, calendar)
            let move =
                summary.activityMoveMode == .appleMoveTime
                    ? shown(answer.appleMoveTime, answer.appleMoveTimeGoal, "min")
                    : shown(answer.activeEnergyBurned, answer.activeEnergyBurnedGoal, "kcal")
            table.add(
                [answer.date] + move + shown(answer.appleExerciseTime, answer.exerciseTimeGoal, "min")
                    + shown(answer.appleStandHours, answer.standHoursGoal, "h"))
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

    /// `320 / 500 kcal` and `64 %`; the share only where there is a goal.
    private func shown(_ value: Double, _ goal: Double?, _ unit: String) -> [String] {
        let text = NumberOutput.text(value, digits: 0)
        guard let goal, goal > 0 else { return ["\(text) \(unit)", ""] }
        return [
            "\(text) / \(NumberOutput.text(goal, digits: 0)) \(unit)",
            "\(NumberOutput.text(100 * value / goal, digits: 0)) %",
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
