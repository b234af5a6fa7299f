import Foundation
import HealthAnswers
import HealthEngine
import HealthInsights
import HealthModel

/// A pattern over the days of the week or the hours of the day: a mean over all of a range.
struct StatisticsPattern {
    /// One weekday or hour.
    struct Part: Encodable {
        /// Monday 1 to Sunday 7, or the hour, 0 to 23.
        var number: Int
        var name: String
        /// The mean of the days' sums of a cumulative type, of the averages of a discrete one, or of the times or numbers
        /// of samples of a category type.
        var averageQuantity: Double
        var minimumQuantity: Double?
        var maximumQuantity: Double?
        /// The number of days that it is of.
        var days: Int
    }

    let parts: [Part]
    private let unit: String
    private let isCumulative: Bool
    /// Whether the figures are the seconds of a category type.
    private let isTime: Bool
    private let title: String

    /// - Parameter answer: The statistics of all days for weekdays, of all hours for hours.
    init(_ answer: StatisticsAnswer, by interval: StatisticsInterval, calendar: Calendar) {
        let isCategory = answer.type.kind == .category
        let isTime = answer.isTime
        let isCumulative = isCategory || answer.type.aggregationStyle?.isCumulative ?? false
        (self.isTime, self.isCumulative) = (isTime, isCumulative)
        unit = isCategory ? (isTime ? "s" : "count") : answer.unit ?? ""
        title = interval == .weekday ? "weekday" : "hour"
        let clock = LocalClock(timeZone: calendar.timeZone)
        func number(_ start: Double) -> Int {
            // Day 0, the first of 2001, was a Monday.
            if interval == .weekday { return ((clock.dayNumber(at: start) % 7) + 7) % 7 + 1 }
            return CivilDate.split(clock.wallSecond(at: start)).second / 3_600
        }
        let figures = Dictionary(zip(answer.statistics.map(\.start), answer.figures)) { first, _ in first }
        func figure(_ statistic: StatisticsAnswer.Statistic) -> Double? {
            (figures[statistic.start] ?? nil).flatMap { !isCategory || $0 > 0 ? $0 : nil }
        }
        let statistics = answer.statistics.filter { figure($0) != nil }
        // An hour without steps is one of none, on a day that has any.
        let days = Set(statistics.map { clock.dayNumber(at: $0.start) }).count
        let groups = Dictionary(grouping: statistics) { number($0.start) }
        let isHour = interval == .hourOfDay
        parts = groups.sorted { $0.key < $1.key }.map { number, group in
            let values = group.compactMap(figure)
            let count = isCumulative && isHour ? days : values.count
            return Part(
                number: number, name: isHour ? Self.hour(number) : Self.weekdays[number - 1],
                averageQuantity: values.reduce(0, +) / Double(max(1, count)),
                minimumQuantity: isCumulative ? values.min() : group.compactMap(\.values.minimum).min(),
                maximumQuantity: isCumulative ? values.max() : group.compactMap(\.values.maximum).max(), days: count)
        }
    }

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static func hour(_ number: Int) -> String { number < 10 ? "0\(number):00" : "\(number):00" }

    var table: Table {
        let name = NumberOutput.name(ofUnit: unit)
        let column = { (title: String) in
            Table.Column.number(isTime ? title : "\(title) (\(name))")
        }
        let whole = isCumulative && title == "weekday" ? "a day" : "average"
        var table = Table(
            [
                .text(title), column(whole), column("minimum"), column("maximum"), .number("days"),
            ]
        )
        func shown(_ values: [Double?]) -> [String] {
            isTime
                ? values.map { DurationOutput.hours($0) }
                : NumberOutput.column(values, unit)
        }
        let (averages, lows, highs) = (
            shown(parts.map(\.averageQuantity)), shown(parts.map(\.minimumQuantity)),
            shown(parts.map(\.maximumQuantity))
        )
        for (index, part) in parts.enumerated() {
            table.add([part.name, averages[index], lows[index], highs[index], NumberOutput.grouped(part.days)])
        }
        return table
    }

    /// Bars of the averages.
    var chart: String {
        let figures =
            isTime
            ? parts.map { "\(DurationOutput.hours($0.averageQuantity)) h" }
            : NumberOutput.column(parts.map(\.averageQuantity)).map { "\($0) \(unit)" }
        return BarChart(
            rows: zip(parts, figures).map {
                BarChart.Row(label: $0.name, value: $0.averageQuantity, shown: $1)
            }
        ).text()
    }

    /// The JSON of `--json`.
    struct Answer: Encodable {
        var type: String
        var unit: String
        var interval: String
        var statistics: [Part]
    }

    func answer(_ type: TypeDescription, _ interval: StatisticsInterval) -> Answer {
        Answer(type: type.identifier, unit: unit, interval: interval.rawValue, statistics: parts)
    }
}
