import Foundation
import HealthEngine
import HealthModel

/// What `hk stats` prints about a quantity type.
struct QuantityReport {
    /// How statistics are shown.
    enum Form {
        case table, chart, json
    }

    let type: TypeDescription
    let range: RequestedRange
    let interval: StatisticsInterval?
    /// The unit that was asked for.
    let unit: String?
    let form: Form

    /// Reads the statistics, and returns them as text that ends with a newline.
    ///
    /// - Throws: ``UsageError`` for a range or a unit that is none, and what the engine throws.
    func text(of engine: HealthEngine) throws -> String {
        let unit = try shownUnit(engine)
        let zone = try range.zone(
            personTimeZone: engine.imports.note(ImportHistory.timeZoneNote).flatMap { TimeZone(identifier: $0) })
        let listing = StatisticsListing(
            entries: try entries(engine, zone).map { $0.converted(to: unit) }, unit: unit, isCumulative: isCumulative,
            interval: interval, dates: DateOutput(timeZone: zone))
        return switch form {
        case .table: listing.table
        case .chart: listing.chart
        case .json: try JSONOutput.text(listing.answers) + "\n"
        }
    }

    private var isCumulative: Bool { type.aggregationStyle?.isCumulative ?? false }

    /// The unit that was asked for, else the one that the person chose, the region’s, or the type’s own.
    private func shownUnit(_ engine: HealthEngine) throws -> String {
        let canonical = type.canonicalUnit ?? "count"
        func compatible(_ text: String) -> String? {
            guard UnitConversion(between: canonical, and: text) != nil else { return nil }
            return text == canonical ? text : (try? UnitExpression(parsing: text))?.string
        }
        if let unit, let known = compatible(unit) { return known }
        let chosen = try engine.profile.preferredUnit(of: type.identifier).flatMap(compatible)
        let own =
            chosen
            ?? UnitRegion.unit(
                of: type.identifier, in: UnitRegion(locale: RangeOptions.machineCalendar.locale ?? .current)
            ).flatMap(compatible)
            ?? canonical
        if let unit {
            throw UsageError(
                "“\(unit)” is not a unit of \(TypeName.short(type.identifier)), which is measured in \(own).")
        }
        return own
    }

    private func entries(_ engine: HealthEngine, _ zone: TimeZone?) throws -> [StatisticsListing.Entry] {
        let (start, end) = try range.interval(DateArgument(timeZone: zone, now: CurrentTime.now))
        let (first, last) = (start?.timeIntervalSinceReferenceDate, end?.timeIntervalSinceReferenceDate)
        let intervals = interval.map { LocalIntervals($0.length, timeZone: zone, reach: .remoteDates) }
        let filters = [first.map { SampleFilter.end(.greaterThanOrEqual, $0) }, last.map { .start(.lessThan, $0) }]
            .compactMap { $0 }
        let request = StatisticsRequest(
            type: type.code, filter: filters.isEmpty ? .all : .and(filters),
            options: isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax],
            buckets: intervals.map { Self.buckets($0, from: first, to: last) } ?? .single)
        let buckets: [StatisticsBucket]
        do {
            buckets = try engine.statistics(request, as: .person)
        } catch EngineError.noData {
            return []
        }
        guard let intervals else { return buckets.map { .statistics($0) } }
        // Samples match as a whole, so the first and last interval can be outside the range.
        let found = buckets.filter { bucket in
            (first.map { bucket.end > $0 } ?? true) && (last.map { bucket.start < $0 } ?? true)
        }
        return form == .chart ? Self.withGaps(found, intervals) : found.map { .statistics($0) }
    }

    /// Of a sample that lasts for years, only the intervals of the answer are computed.
    private static func buckets(_ intervals: LocalIntervals, from first: Double?, to last: Double?)
        -> StatisticsRequest.Buckets
    {
        let limit = StatisticsRequest.maximumBucketCount
        if let first, let last, first < last, first >= intervals.reach.earliest, last <= intervals.reach.latest,
            (last - first) / intervals.approximateLength < maximumKnownIntervals,
            let bounds = intervals.bounds(from: first, through: last.nextDown, maximumCount: limit)
        {
            return .instants(bounds)
        }
        let (start, end) = (first ?? -.infinity, last ?? .infinity)
        return .intervals(length: intervals.approximateLength, within: start...max(start, end)) { stretches in
            guard
                stretches.allSatisfy({
                    $0.lowerBound >= intervals.reach.earliest && $0.upperBound <= intervals.reach.latest
                })
            else {
                throw EngineError.invalidArgument("The dates of the samples are too remote for the intervals.")
            }
            guard let bounds = intervals.bounds(covering: stretches, maximumCount: limit) else {
                throw EngineError.invalidArgument(
                    "There would be more than \(limit) intervals. Use longer ones or a shorter range.")
            }
            return bounds
        }
    }

    /// The number of intervals whose bounds are computed without looking where there are samples.
    private static let maximumKnownIntervals = 10_000.0

    /// A chart shows intervals without data, too, but not those of years.
    private static func withGaps(_ found: [StatisticsBucket], _ intervals: LocalIntervals) -> [StatisticsListing.Entry]
    {
        var entries: [StatisticsListing.Entry] = []
        for (index, bucket) in found.enumerated() {
            entries.append(.statistics(bucket))
            guard index + 1 < found.count else { break }
            let next = found[index + 1].start
            let gap = next - bucket.end
            if gap > Double(maximumEmptyIntervals) * (bucket.end - bucket.start) {
                entries.append(.gap(gap))
            } else if gap > 0,
                let bounds = intervals.bounds(
                    from: bucket.end, through: next.nextDown, maximumCount: 2 * maximumEmptyIntervals)
            {
                entries += zip(bounds, bounds.dropFirst()).map {
                    .statistics(StatisticsBucket(start: $0, end: $1, values: StatisticsValues(), unit: bucket.unit))
                }
            }
        }
        return entries
    }

    /// The number of consecutive intervals without data that a chart shows.
    private static let maximumEmptyIntervals = 400
}

extension StatisticsListing.Entry {
    /// The same with its values in another unit, to which they can be converted.
    fileprivate func converted(to unit: String) -> Self {
        guard case .statistics(var bucket) = self, bucket.unit != unit,
            let conversion = UnitConversion(between: bucket.unit, and: unit)
        else {
            return self
        }
        let values = bucket.values
        bucket.values = StatisticsValues(
            sum: values.sum.map { conversion($0) }, average: values.average.map { conversion($0) },
            minimum: values.minimum.map { conversion($0) }, maximum: values.maximum.map { conversion($0) })
        bucket.unit = unit
        return .statistics(bucket)
    }
}
