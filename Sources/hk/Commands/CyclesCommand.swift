import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthModel

/// `hk cycles`: the lengths of menstrual cycles.
struct CyclesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cycles", abstract: "Show the lengths of menstrual cycles.",
        discussion: """
            A cycle begins with the first day of a period: one that was recorded as the start of a cycle, or on which flow \
            begins after ten days without. Its length is known when the next one has begun.

              hk cycles
              hk cycles --last 2y
            """)

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    private struct Cycle: Encodable {
        var startDay: String
        /// The days from the first to the last with flow.
        var periodDays: Int
        /// The days until the next cycle.
        var days: Int?
    }

    private struct Answer: Encodable {
        var cycles: [Cycle]
        var averageDays: Double?
    }

    private static let identifier = "HKCategoryTypeIdentifierMenstrualFlow"
    private static let startKey = "HKMenstrualCycleStart"
    /// The raw value for a day without flow.
    private static let none = 5.0
    private static let pause = 10

    func run() throws {
        let engine = try options.engine()
        let calendar = try range.calendar(options)
        guard let type = TypeCatalog.description(for: Self.identifier) else { return }
        let selection = try engine.samples(
            SampleRequest(parts: [.init(type: type.code)], sort: [SampleSort(.start, ascending: true)]), as: .person)
        let clock = LocalClock(timeZone: calendar.timeZone)
        var days: [(day: Int, isStart: Bool)] = []
        for case .sample(let batch, let row) in selection.order {
            let (columns, row) = (selection.batches[Int(batch)], Int(row))
            guard columns.values[row] != Self.none else { continue }
            let first = clock.dayNumber(at: columns.starts[row])
            let last = Swift.max(first, clock.dayNumber(at: columns.ends[row].nextDown))
            let mark = columns.metadata(at: row)[Self.startKey]
            let isStart = mark == .bool(true) || mark == .integer(1)
            for day in first...Swift.min(last, first + 31) { days.append((day, isStart && day == first)) }
        }
        var cycles: [(start: Int, last: Int)] = []
        for (day, isStart) in days.sorted(by: { ($0.day, $0.isStart ? 0 : 1) < ($1.day, $1.isStart ? 0 : 1) }) {
            if let current = cycles.last, day <= current.last || (!isStart && day - current.last <= Self.pause) {
                cycles[cycles.count - 1].last = Swift.max(current.last, day)
            } else {
                cycles.append((day, day))
            }
        }
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let found = cycles.indices.filter { index in
            let begins = Date(reference: Double(clock.start(ofDay: cycles[index].start)))
            return start.map { begins >= $0 } ?? true && end.map { begins < $0 } ?? true
        }.map { index in
            Cycle(
                startDay: LocalClock.dayText(number: cycles[index].start),
                periodDays: cycles[index].last - cycles[index].start + 1,
                days: index + 1 < cycles.count ? cycles[index + 1].start - cycles[index].start : nil)
        }
        let lengths = found.compactMap(\.days).map(Double.init)
        let average = lengths.isEmpty ? nil : lengths.reduce(0, +) / Double(lengths.count)
        guard !options.json else { return try JSONOutput.print(Answer(cycles: found, averageDays: average)) }
        guard !found.isEmpty else {
            return print(try options.nothing("cycles", of: [Self.identifier], range, calendar), terminator: "")
        }
        var table = Table([
            .init(title: "start"), .init(title: "period (days)", isNumber: true),
            .init(title: "cycle (days)", isNumber: true),
        ])
        for cycle in found { table.add([cycle.startDay, "\(cycle.periodDays)", cycle.days.map(String.init) ?? "–"]) }
        if let average { table.add(["average", "", NumberOutput.text(average, digits: 1)]) }
        print(table.text(), terminator: "")
    }
}
