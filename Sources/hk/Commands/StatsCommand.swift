import ArgumentParser
import Foundation
import HealthEngine
import HealthInsights
import HealthKit
import HealthModel

/// `hk stats TYPE`: sums, averages, minima and maxima, in total or by interval.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Show statistics of a quantity or category type.",
        discussion: """
            Sources that measured at the same time are merged. Cumulative types, such as steps, have sums; \
            discrete types, such as heart rate, have an average, a minimum and a maximum. Category types, such as sleep, have \
            the number of samples and the time in hours and minutes of each value; a night of sleep belongs to the day on which \
            it ends.

              hk stats stepCount --every day --last 7d --chart
              hk stats heartRate --every month --from 2024 --json
              hk stats sleepAnalysis --every week --last 6w
            """)

    @Argument(help: "The data type, such as stepCount or steps.", completion: TypeCompletion.name)
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "Print one line per hour, day, week, month or year.")
    var every: StatisticsInterval?

    @Option(name: .long, help: "The unit of the result (default: the person’s preferred unit).")
    var unit: String?

    @Flag(name: .long, help: "Draw a chart: bars of sums and times, ranges of discrete types.")
    var chart = false

    func run() async throws {
        let type = try TypeName.resolve(type, dictionaries: options.engine().dictionaries())
        if type.kind == .category { return try await runCategory(type) }
        guard type.kind == .quantity, type.aggregationStyle != nil else {
            let hint = type.kind == .workout ? " Use “hk workouts”." : ""
            throw UsageError(
                "Statistics aren’t available for “\(TypeName.short(type.identifier))”: it is neither a quantity nor a category type.\(hint)")
        }
        let store = try options.openStore()
        let quantityType = HKQuantityType(HKQuantityTypeIdentifier(rawValue: type.identifier))
        let unit = try await unit(for: quantityType, store)
        let calendar = try range.calendar(options)
        let listing = StatisticsListing(
            entries: try await entries(of: quantityType, store, calendar), unit: unit,
            isCumulative: quantityType.aggregationStyle == .cumulative, interval: every, dates: DateOutput(calendar: calendar))
        if options.json {
            try JSONOutput.print(listing.answers)
        } else {
            print(chart ? listing.chart : listing.table, terminator: "")
        }
    }

    /// Prints how often and how long a category type had each value.
    private func runCategory(_ type: TypeDescription) async throws {
        if let unit {
            throw UsageError("“\(unit)” is not a unit of \(TypeName.short(type.identifier)), whose values are times and numbers of samples.")
        }
        let calendar = try range.calendar(options)
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let own = try options.engine().ownOrder(ofType: type.identifier)
        let times: [CategoryTimes]
        if type.identifier == HKCategoryTypeIdentifier.sleepAnalysis.rawValue, every != .hour {
            times = try await SleepTimes(
                reader: options.sleepReader(calendar: calendar, usesRecordedTimeZones: range.timeZone == nil), calendar: calendar
            ).times(from: start, to: end, every: every?.calendarComponent)
        } else {
            times = try await CategoryTimeReader(
                store: options.openStore(calendar: calendar), calendar: calendar, sourceOrder: own.order,
                excludedSources: own.disabled
            ).times(
                of: HKCategoryType(HKCategoryTypeIdentifier(rawValue: type.identifier)), from: start, to: end,
                every: every?.calendarComponent)
        }
        let listing = CategoryListing(times: times, type: type, interval: every, dates: DateOutput(calendar: calendar))
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

    private func entries(
        of type: HKQuantityType, _ store: HKHealthStore, _ calendar: Calendar
    ) async throws -> [StatisticsListing.Entry] {
        let (start, end) = try range.interval(now: CurrentTime.now, calendar: calendar)
        let predicate = HKSamplePredicate.quantitySample(
            type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: end))
        let figures: HKStatisticsOptions =
            type.aggregationStyle == .cumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        guard let every else {
            do {
                let descriptor = HKStatisticsQueryDescriptor(predicate: predicate, options: figures)
                return try await descriptor.result(for: store).map { [.statistics($0)] } ?? []
            } catch let error as HKError where error.code == .errorNoData {
                return []
            }
        }
        var components = every.components
        components.calendar = calendar
        // 1 January 2001 is a Monday and the first day of a month and of a year.
        let anchor = calendar.date(from: DateComponents(year: 2001, month: 1, day: 1)) ?? Date(reference: 0)
        let (first, last) = (Date(reference: -.infinity), Date(reference: .infinity))
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: predicate, options: figures, anchorDate: anchor, intervalComponents: components
        ).result(for: store, within: (start ?? first)...max(start ?? first, end ?? last))
        // Samples match as a whole, so the first and last interval can be outside the range.
        let found = collection.statistics().filter { statistics in
            (start.map { statistics.endDate > $0 } ?? true) && (end.map { statistics.startDate < $0 } ?? true)
        }
        guard chart else { return found.map { .statistics($0) } }
        // A chart shows intervals without data, too, but not those of years.
        var entries: [StatisticsListing.Entry] = []
        for (index, statistics) in found.enumerated() {
            entries.append(.statistics(statistics))
            guard index + 1 < found.count else { break }
            let next = found[index + 1].startDate
            let gap = next.timeIntervalSince(statistics.endDate)
            if gap > Self.maximumEmptyIntervals * statistics.endDate.timeIntervalSince(statistics.startDate) {
                entries.append(.gap(gap))
            } else if gap > 0 {
                collection.enumerateStatistics(from: statistics.endDate, to: next - 1) { empty, _ in
                    entries.append(.statistics(empty))
                }
            }
        }
        return entries
    }

    /// The number of consecutive intervals without data that a chart shows.
    private static let maximumEmptyIntervals = 400.0
}

/// Statistics as a table, as bars, or as JSON with HealthKit's property names.
struct StatisticsListing {
    enum Entry {
        case statistics(HKStatistics)
        /// A time without data, in seconds, whose intervals a chart doesn't show.
        case gap(TimeInterval)
    }

    let entries: [Entry]
    let unit: HKUnit
    let isCumulative: Bool
    let interval: StatisticsInterval?
    let dates: DateOutput

    private var statistics: [HKStatistics] {
        entries.compactMap { if case .statistics(let statistics) = $0 { statistics } else { nil } }
    }

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
        interval?.label(statistics.startDate, dates)
            ?? "\(dates.minute(statistics.startDate)) – \(dates.minute(statistics.endDate))"
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
        let statistics = statistics
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
        guard !entries.isEmpty else { return "No samples.\n" }
        return isCumulative ? bars : ranges
    }

    private var bars: String {
        let statistics = statistics
        let quantities = statistics.map { $0.sumQuantity() }
        let figures = shown(quantities)
        let rows = statistics.indices.map { index in
            BarChart.Row(
                label: label(statistics[index]), value: quantities[index]?.doubleValue(for: unit),
                shown: quantities[index] == nil ? "–" : "\(figures[index]) \(unitName)")
        }
        return BarChart(rows: withGaps(rows) { BarChart.Row(label: $0, value: nil, shown: "–") })
            .text(columns: Terminal.output.columns)
    }

    private var ranges: String {
        let statistics = statistics
        let averages = statistics.map { $0.averageQuantity() }
        let figures = shown(averages)
        let (lows, highs) = (shown(statistics.map { $0.minimumQuantity() }), shown(statistics.map { $0.maximumQuantity() }))
        let rows = statistics.indices.map { index in
            RangeChart.Row(
                label: label(statistics[index]), minimum: statistics[index].minimumQuantity()?.doubleValue(for: unit),
                average: averages[index]?.doubleValue(for: unit),
                maximum: statistics[index].maximumQuantity()?.doubleValue(for: unit),
                shown: averages[index] == nil ? "–" : "\(lows[index])–\(highs[index])  \(figures[index]) \(unitName)")
        }
        let least = statistics.compactMap { $0.minimumQuantity() }.min { $0.doubleValue(for: unit) < $1.doubleValue(for: unit) }
        let greatest = statistics.compactMap { $0.maximumQuantity() }.max { $0.doubleValue(for: unit) < $1.doubleValue(for: unit) }
        let scale = shown([least, greatest])
        return RangeChart(rows: withGaps(rows) { RangeChart.Row(label: $0, shown: "–") }, scale: (scale[0], scale[1]))
            .text(columns: Terminal.output.columns)
    }

    /// Returns the rows of the statistics with those of gaps between them.
    ///
    /// - Parameter makeRow: Makes the row of a gap with a label.
    private func withGaps<Row>(_ rows: [Row], _ makeRow: (String) -> Row) -> [Row] {
        var rest = rows[...]
        return entries.compactMap { entry -> Row? in
            switch entry {
            case .statistics: rest.popFirst()
            case .gap(let seconds): interval.map { makeRow("… \($0.count(in: seconds)) \($0.rawValue)s") }
            }
        }
    }

    private var unitName: String { unit.unitString }
}
