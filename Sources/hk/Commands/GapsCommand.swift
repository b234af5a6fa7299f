import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthImport
import HealthInsights
import HealthJSON
import HealthModel

/// `hk gaps TYPE`: the days without data.
struct GapsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gaps", abstract: "List the days without data of a type.",
        discussion: """
            Lists the stretches of days without samples of a type, or without activity rings, between the first and the last \
            day with data, or within the range.

              hk gaps heartRate
              hk gaps rings
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
        let engine = try options.engine()
        let type = try TypeName.resolveSampled(type, dictionaries: engine.dictionaries(), engine: engine)
        let calendar = try range.calendar(options)
        let clock = LocalClock(timeZone: calendar.timeZone)
        let known = Set(try await starts(of: type, engine, calendar).map { clock.dayNumber(at: $0) })
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        func day(_ date: Date?) -> Int? { date.map { clock.dayNumber(at: $0.timeIntervalSinceReferenceDate) } }
        guard let first = day(start) ?? known.min(), let last = day(end.map { $0 - 1 }) ?? known.max(), first <= last,
            !known.isEmpty
        else {
            if options.json {
                return try JSONOutput.print(Answer(type: type.identifier, gaps: [], days: 0, daysWithData: 0))
            }
            return print(
                try options.nothing(of: type, called: self.type, range, calendar, command: "gaps"), terminator: "")
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
        var table = Table(["from", "to", .number("days")])
        for gap in gaps { table.add([gap.startDay, gap.endDay, NumberOutput.grouped(gap.days)]) }
        let total = "\(NumberOutput.grouped(all.daysWithData)) of \(NumberOutput.grouped(all.days)) days have data.\n"
        try StandardOutput.send(Array(((gaps.isEmpty ? "" : table.text() + "\n") + total).utf8))
    }

    /// Instants of the days with data.
    private func starts(of type: TypeDescription, _ engine: HealthEngine, _ calendar: Calendar) async throws -> [Double]
    {
        var parameters = try range.parameters(calendar)
        guard type.kind == .activitySummary else {
            let isPair = type.identifier == BloodPressureListing.type
            parameters.merge(["type": isPair ? BloodPressureListing.parts[0] : type.identifier, "interval": "day"]) {
                $1
            }
            return try await options.ask(StatisticsQuestion.self, parameters, calendar: calendar).statistics.map(
                \.start)
        }
        let first = try engine.typeOverview(as: .person).map(\.start).min() ?? 0
        parameters["start"] = (parameters["start"] ?? nil) ?? InstantWriter(timeZone: calendar.timeZone).text(first)
        let rings = try await options.ask(RingsQuestion.self, parameters, calendar: calendar)
        return rings.days.filter { !$0.isEmpty }.map(\.date.timeIntervalSinceReferenceDate)
    }
}
