import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthModel

/// `hk stats TYPE`: sums, averages, minima and maxima, in total or by interval.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show statistics of a quantity type.",
        discussion: """
            Sources that measured at the same time are merged. Cumulative types, such as steps, have sums; \
            discrete types, such as heart rate, have an average, a minimum and a maximum.

              hk stats stepCount --every day --last 7d --chart
              hk stats heartRate --every month --from 2024 --json
            """)

    /// The length of an interval.
    enum Interval: String, ExpressibleByArgument, CaseIterable {
        case hour, day, week, month, year

        var components: DateComponents {
            switch self {
            case .hour: DateComponents(hour: 1)
            case .day: DateComponents(day: 1)
            case .week: DateComponents(day: 7)
            case .month: DateComponents(month: 1)
            case .year: DateComponents(year: 1)
            }
        }
    }

    @Argument(help: "The data type, such as stepCount or steps.", completion: TypeCompletion.name)
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Print one line per hour, day, week, month or year.")
    var every: Interval?

    @Option(name: .long, help: "The unit of the result (default: the person’s preferred unit).")
    var unit: String?

    @Flag(name: .long, help: "Draw a bar chart.")
    var chart = false

    func run() async throws {
        let type = try TypeName.resolve(type, dictionaries: options.openEngine().dictionaries())
        guard type.kind == .quantity, type.aggregationStyle != nil else {
            throw UsageError("Statistics aren’t available for “\(TypeName.short(type.identifier))”: it is not a quantity type.")
        }
        let store = try options.openStore()
        let quantityType = HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
        let unit = try await unit(for: quantityType, store)
        let calendar = try range.calendar(options)
        let statistics = try await statistics(of: quantityType, store, calendar)
        let listing = StatisticsListing(
            statistics: statistics, unit: unit, isCumulative: quantityType.aggregationStyle == .cumulative,
            interval: every, dates: DateOutput(calendar: calendar))
        if options.json {
            try JSONOutput.print(listing.answers)
        } else {
            print(chart ? listing.chart : listing.table, terminator: "")
        }
    }

    private func unit(for type: HKQuantityType, _ store: HKHealthStore) async throws -> HKUnit {
        guard let text = unit else {
            return try await store.preferredUnits(for: [type])[type] ?? .count()
        }
        guard (try? UnitExpression(parsing: text)) != nil, type.is(compatibleWith: HKUnit(from: text)) else {
            let own = try await store.preferredUnits(for: [type])[type] ?? .count()
            throw UsageError(
                "“\(text)” is not a unit of \(TypeName.short(type.identifier)), which is measured in \(own.unitString).")
        }
        return HKUnit(from: text)
    }

    private func statistics(
        of type: HKQuantityType, _ store: HKHealthStore, _ calendar: Calendar
    ) async throws -> [HKStatistics] {
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let predicate = HKSamplePredicate.quantitySample(
            type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: end))
        let figures: HKStatisticsOptions =
            type.aggregationStyle == .cumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        guard let every else {
            do {
                let descriptor = HKStatisticsQueryDescriptor(predicate: predicate, options: figures)
                return try await descriptor.result(for: store).map { [$0] } ?? []
            } catch let error as HKError where error.code == .errorNoData {
                return []
            }
        }
        var components = every.components
        components.calendar = calendar
        // 1 January 2001 is a Monday and the first day of a month and of a year.
        let anchor = calendar.date(from: DateComponents(year: 2001, month: 1, day: 1)) ?? Date(reference: 0)
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: predicate, options: figures, anchorDate: anchor, intervalComponents: components
        ).result(for: store)
        // Samples match as a whole, so the first and last interval can be outside the range.
        let found = collection.statistics().filter { statistics in
            (start.map { statistics.endDate > $0 } ?? true) && (end.map { statistics.startDate < $0 } ?? true)
        }
        guard chart, let first = found.first, let last = found.last else { return found }
        // A chart shows intervals without data, too.
        var all: [HKStatistics] = []
        collection.enumerateStatistics(from: first.startDate, to: last.startDate) { statistics, _ in all.append(statistics) }
        return all
    }
}

/// Statistics as a table, as bars, or as JSON with HealthKit's property names.
struct StatisticsListing {
    let statistics: [HKStatistics]
    let unit: HKUnit
    let isCumulative: Bool
    let interval: StatsCommand.Interval?
    let dates: DateOutput

    struct Answer: Encodable {
        var startDate: String
        var endDate: String
        var sumQuantity: Double?
        var averageQuantity: Double?
        var minimumQuantity: Double?
        var maximumQuantity: Double?
        var unit: String
    }

    var answers: [Answer] {
        statistics.map { statistics in
            Answer(
                startDate: dates.iso(statistics.startDate), endDate: dates.iso(statistics.endDate),
                sumQuantity: statistics.sumQuantity()?.doubleValue(for: unit),
                averageQuantity: statistics.averageQuantity()?.doubleValue(for: unit),
                minimumQuantity: statistics.minimumQuantity()?.doubleValue(for: unit),
                maximumQuantity: statistics.maximumQuantity()?.doubleValue(for: unit), unit: unit.unitString)
        }
    }

    private func label(_ statistics: HKStatistics) -> String {
        switch interval {
        case .hour: dates.minute(statistics.startDate)
        case .day: dates.weekday(statistics.startDate)
        case .week: "week of \(dates.day(statistics.startDate))"
        case .month: String(dates.day(statistics.startDate).prefix(7))
        case .year: String(dates.day(statistics.startDate).prefix(4))
        case nil: "\(dates.minute(statistics.startDate)) – \(dates.minute(statistics.endDate))"
        }
    }

    private func shown(_ quantities: [HKQuantity?]) -> [String] {
        // Fractions of one are shown as percentages.
        NumberOutput.column(
            quantities.map { quantity in
                guard let value = quantity?.doubleValue(for: unit) else { return nil }
                return unitName == "%" ? NumberOutput.percent(value) : value
            })
    }

    var table: String {
        guard !statistics.isEmpty else { return "No samples.\n" }
        let period = Table.Column(title: interval?.rawValue ?? "period")
        let figures = isCumulative ? ["sum"] : ["average", "minimum", "maximum"]
        var table = Table([period] + figures.map { Table.Column(title: "\($0) (\(unitName))", isNumber: true) })
        let cells =
            isCumulative
            ? [shown(statistics.map { $0.sumQuantity() })]
            : [
                shown(statistics.map { $0.averageQuantity() }), shown(statistics.map { $0.minimumQuantity() }),
                shown(statistics.map { $0.maximumQuantity() }),
            ]
        for (index, statistics) in statistics.enumerated() {
            table.add([label(statistics)] + cells.map { $0[index] })
        }
        return table.text()
    }

    var chart: String {
        guard !statistics.isEmpty else { return "No samples.\n" }
        let quantities = statistics.map { isCumulative ? $0.sumQuantity() : $0.averageQuantity() }
        let figures = shown(quantities)
        let rows = statistics.indices.map { index in
            BarChart.Row(
                label: label(statistics[index]), value: quantities[index]?.doubleValue(for: unit),
                shown: quantities[index] == nil ? "–" : "\(figures[index]) \(unitName)")
        }
        return BarChart(rows: rows).text(columns: Terminal.output.columns)
    }

    private var unitName: String { unit.unitString }
}

/// A horizontal bar chart made of block characters.
struct BarChart {
    /// A row: its label, its value, and the formatted value.
    struct Row {
        var label: String
        var value: Double?
        var shown: String
    }

    var rows: [Row]

    /// The chart, at most `columns` wide.
    func text(columns: Int, on terminal: Terminal = .output) -> String {
        let labelWidth = rows.map { Table.width($0.label) }.max() ?? 0
        let shownWidth = rows.map { Table.width($0.shown) }.max() ?? 0
        let room = max(1, min(60, columns - labelWidth - shownWidth - 4))
        let greatest = rows.compactMap(\.value).filter(\.isFinite).max() ?? 0
        return rows.map { row in
            let label = row.label + String(repeating: " ", count: labelWidth - Table.width(row.label))
            let shown = String(repeating: " ", count: shownWidth - Table.width(row.shown)) + row.shown
            let length = row.value.map { Self.length($0, of: greatest) * Double(room) } ?? 0
            guard length > 0 else { return "\(label)  \(shown)\n" }
            return "\(label)  \(shown)  \(terminal.styled(Self.bar(length), .cyan))\n"
        }.joined()
    }

    /// The share of a value in the greatest finite one. Infinity is as long as the greatest; what isn't a number has no bar.
    private static func length(_ value: Double, of greatest: Double) -> Double {
        if value == .infinity { return 1 }
        return value.isFinite && value > 0 && greatest > 0 ? max(.leastNormalMagnitude, value / greatest) : 0
    }

    /// A bar with a resolution of an eighth of a column. A value above zero is always visible.
    private static func bar(_ length: Double) -> String {
        let eighths = max(length > 0 ? 1 : 0, Int((length * 8).rounded()))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
