import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthModel

/// `hk stats TYPE`: sums, means and extremes, over all or by day, week, month.
struct StatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Statistics of a quantity type.",
        discussion: """
            Sources that counted at the same time are merged. Types that add up (steps) give sums, others \
            (heart rate) average, minimum and maximum.

              hk stats stepCount --every day --last 7d --chart
              hk stats heartRate --every month --from 2024 --json
            """)

    /// How long an interval is.
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

    @Argument(help: "The data type, such as stepCount.")
    var type: String

    @OptionGroup var range: RangeOptions
    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "One line for every hour, day, week, month or year.")
    var every: Interval?

    @Option(name: .long, help: "The unit of the answer; the one the person prefers if not given.")
    var unit: String?

    @Flag(name: .long, help: "Draw bars.")
    var chart = false

    func run() async throws {
        let type = try TypeName.resolve(type, dictionaries: options.openEngine().dictionaries())
        guard type.kind == .quantity, type.aggregationStyle != nil else {
            throw UsageError("“\(TypeName.short(type.identifier))” is no quantity type that statistics know.")
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
            let own = TypeCatalog.description(for: type.identifier)?.canonicalUnit
            throw UsageError(
                "“\(text)” is no unit of \(TypeName.short(type.identifier))\(own.map { ", which is measured in \($0)" } ?? "").")
        }
        return HKUnit(from: text)
    }

    private func statistics(
        of type: HKQuantityType, _ store: HKHealthStore, _ calendar: Calendar
    ) async throws -> [HKStatistics] {
        let (start, end) = try range.interval(now: Present.now, calendar: calendar)
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
        // A Monday that is the first of a month and of a year: 1 January 2001.
        let anchor = calendar.date(from: DateComponents(year: 2001, month: 1, day: 1)) ?? Date(reference: 0)
        let collection = try await HKStatisticsCollectionQueryDescriptor(
            predicate: predicate, options: figures, anchorDate: anchor, intervalComponents: components
        ).result(for: store)
        // Whole samples are matched, so the first and last interval may lie outside the range.
        let found = collection.statistics().filter { statistics in
            (start.map { statistics.endDate > $0 } ?? true) && (end.map { statistics.startDate < $0 } ?? true)
        }
        guard chart, let first = found.first, let last = found.last else { return found }
        // A picture shows its gaps.
        var all: [HKStatistics] = []
        collection.enumerateStatistics(from: first.startDate, to: last.startDate) { statistics, _ in all.append(statistics) }
        return all
    }
}
