import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthModel

/// `hk gaps TYPE`: the days without data.
struct GapsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gaps", abstract: "List the days without data of a type.",
        discussion: """
            Lists the stretches of days without samples of a quantity or category type between the first and the last day \
            with data, or within the range.

              hk gaps heartRate
              hk gaps weight --min 7 --last 1y
            """)

    @Argument(help: "The data type, such as stepCount or steps.", completion: TypeCompletion.name)
    var type: String

    @Option(name: .long, help: "The minimum number of days.")
    var min = 1

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    private struct Gap: Encodable {
        var startDay: String
        var endDay: String
        var days: Int
    }

    private struct Answer: Encodable {
        var type: String
        var gaps: [Gap]
        var days: Int
        var daysWithData: Int
    }

    func validate() throws {
        if min < 1 { throw ValidationError("--min must be 1 or more.") }
    }

    func run() async throws {
        let type = try TypeName.resolveSampled(type, dictionaries: options.engine().dictionaries())
        let calendar = try range.calendar(options)
        var parameters = try range.parameters(calendar)
        parameters.merge(["type": type.identifier, "interval": "day"]) { $1 }
        let answer = try await options.ask(StatisticsQuestion.self, parameters, calendar: calendar)
        let clock = LocalClock(timeZone: calendar.timeZone)
        let known = Set(answer.statistics.map { clock.dayNumber(at: $0.start) })
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        func day(_ date: Date?) -> Int? { date.map { clock.dayNumber(at: $0.timeIntervalSinceReferenceDate) } }
        guard let first = day(start) ?? known.min(), let last = day(end.map { $0 - 1 }) ?? known.max(), first <= last,
            !known.isEmpty
        else {
            if options.json {
                return try JSONOutput.print(Answer(type: type.identifier, gaps: [], days: 0, daysWithData: 0))
            }
            return print(try options.nothing("samples", of: [type.identifier], range, calendar), terminator: "")
        }
        var gaps: [Gap] = []
        // From one day with data to the next: a store can span millennia.
        let days = [first - 1] + known.filter { (first...last).contains($0) }.sorted() + [last + 1]
        for (before, after) in zip(days, days.dropFirst()) where after - before - 1 >= min {
            gaps.append(
                Gap(
                    startDay: LocalClock.dayText(number: before + 1), endDay: LocalClock.dayText(number: after - 1),
                    days: after - before - 1))
        }
        let all = Answer(type: type.identifier, gaps: gaps, days: last - first + 1, daysWithData: days.count - 2)
        guard !options.json else { return try JSONOutput.print(all) }
        var table = Table([.init(title: "from"), .init(title: "to"), .init(title: "days", isNumber: true)])
        for gap in gaps { table.add([gap.startDay, gap.endDay, NumberOutput.grouped(gap.days)]) }
        let total = "\(NumberOutput.grouped(all.daysWithData)) of \(NumberOutput.grouped(all.days)) days have data.\n"
        try StandardOutput.send(Array(((gaps.isEmpty ? "" : table.text() + "\n") + total).utf8))
    }
}
