import Foundation
package import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// Returns statistics of one quantity type: one result over all matching samples, or one for every interval
    /// that has data, in ascending order.
    ///
    /// Sums merge overlapping sources: the better source counts for the time its samples cover, the others
    /// in proportion to their remaining time. Sources that the person has disabled for the type are
    /// ignored. A discrete sample counts in every interval it overlaps.
    ///
    /// - Throws: ``EngineError/noData`` for a single result without samples; ``EngineError/invalidArgument(_:)`` for
    ///   options that are incompatible with the type and for too many intervals;
    ///   ``EngineError/authorizationNotDetermined(_:)`` if the caller never asked for the type.
    package func statistics(_ request: StatisticsRequest, as caller: Caller) throws -> [StatisticsBucket] {
        try storage.read { snapshot in
            let scope = try checkRead(request.type, as: caller, in: snapshot)
            return try statistics(request, scope: scope, caller: caller, in: snapshot)
        }
    }

    func statistics(
        _ request: StatisticsRequest, scope: ReadScope, caller: Caller, in snapshot: any StorageSnapshot
    ) throws -> [StatisticsBucket] {
        let dictionaries = try dictionaries(in: snapshot)
        let type = dictionaries.type(request.type)
        let style = try request.validatedStyle(type)
        let order = try mergeOrder(of: request.type, dictionaries: dictionaries, in: snapshot)
        let part = SelectionPart(
            type: request.type,
            filter: .conjunction([
                try FilterCompiler(
                    type: request.type, dictionaries: dictionaries, identities: identities, snapshot: snapshot
                ).compile(request.filter, scope: scope, caller: caller),
                order.enabledTest,
            ]),
            columns: [])
        func buckets(of pages: [PageOutline]) throws -> [StatisticsBucket]? {
            // Pages that match in part are read for the extent.
            let extent = request.usesExtent ? try PageOutline.extent(pages, in: snapshot) : nil
            guard request.usesExtent ? extent != nil : !pages.isEmpty else {
                if case .single = request.buckets { throw EngineError.noData }
                return []
            }
            let sources = SourceTable(pages, order: order, dictionaries: dictionaries)
            let plan = try StatisticsPlan(
                aggregates: RequiredAggregates(request.options, style: style),
                units: UnitConversions(
                    unit: type?.canonicalUnit ?? dictionaries.firstUnit(of: pages), dictionaries: dictionaries),
                sources: sources, pages: pages, series: SeriesRows(of: request.type, on: pages, in: snapshot),
                bounds: request.bounds(over: extent, of: pages, sourceCount: sources.sources.count, in: snapshot),
                isSingle: request.isSingle)
            guard plan.answersGroups else { return nil }
            let outcome = try StatisticsPipeline(plan: plan, type: request.type, snapshot: snapshot).run()
            return plan.buckets(
                outcome, single: request.isSingle ? extent : nil, options: request.options, style: style)
        }
        // Added up by the backend as far as that suffices, which depends on what else is on the pages.
        if case .instants(let instants) = request.buckets,
            let groups = try PageOutline.visitGroups(part, between: instants, in: snapshot),
            let buckets = try buckets(of: groups)
        {
            return buckets
        }
        guard let buckets = try buckets(of: PageOutline.visit(part, in: snapshot)) else {
            preconditionFailure("pages that are not added up are read")
        }
        return buckets
    }
}

extension HealthEngine {
    /// The namespaces of settings that statistics of a quantity type read, for a backend that reads them ahead.
    package static func namespaces(ofStatistics type: TypeCode) -> [String] {
        [
            Settings.Namespace.engine, Settings.Namespace.sourceOrder, Settings.Namespace.sourceKinds,
            QuantitySeriesTable.list(type),
        ]
    }
}

extension StatisticsRequest {
    fileprivate var isSingle: Bool {
        if case .single = buckets { true } else { false }
    }

    /// Whether buckets depend on the earliest start and latest end of the matching samples.
    fileprivate var usesExtent: Bool {
        if case .instants = buckets { false } else { true }
    }

    /// The bucket bounds over the matching samples, which are on these pages and have this extent, if it is used.
    fileprivate func bounds(
        over extent: ClosedRange<Double>?, of pages: [PageOutline], sourceCount: Int, in snapshot: any StorageSnapshot
    ) throws -> [Double] {
        let parts = options.contains(.separateBySource) ? sourceCount + 1 : 1
        var limit = Self.maximumBucketCount / parts
        let bounds: [Double]
        switch (buckets, extent) {
        case (.single, _):
            return [-.infinity, .infinity]
        case (.instants(let instants), _):
            bounds = instants
        case (.bounds(let makeBounds), let extent?):
            bounds = makeBounds(extent)
        case (.bounds, nil), (.intervals, nil):
            bounds = []
        case (.intervals(let length, let range, let makeBounds), let extent?):
            let extent = range.map { extent.clamped(to: $0) } ?? extent
            let stretches = try PageOutline.stretches(of: pages, within: extent, intervalLength: length, in: snapshot)
            limit = Self.maximumBucketCount(ofSamples: pages.reduce(0) { $0 + $1.header.count }) / parts
            let estimate = stretches.intervalCount(ofLength: length)
            guard estimate <= Double(limit) else { throw Self.tooManyIntervals(estimate, limit) }
            bounds = try makeBounds(stretches)
        }
        guard bounds.count - 1 <= limit else { throw Self.tooManyIntervals(Double(bounds.count - 1), limit) }
        guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw EngineError.invalidArgument("Interval bounds must be in ascending order.")
        }
        return bounds
    }

    private static func tooManyIntervals(_ count: Double, _ limit: Int) -> EngineError {
        .invalidArgument(
            "The statistics would have about \(Int64(min(count, 1e18))) intervals, and at most \(limit) are computed. "
                + "Use longer intervals or a shorter period of time.")
    }
}

extension StatisticsPlan {
    /// The results, without empty buckets.
    ///
    /// - Parameter single: The dates of a single result.
    fileprivate func buckets(
        _ outcome: StatisticsPipeline.Outcome, single: ClosedRange<Double>?, options: StatisticsOptions,
        style: AggregationStyle
    ) -> [StatisticsBucket] {
        outcome.totals.indices.compactMap { bucket in
            guard outcome.totals[bucket].hasSamples else { return nil }
            var bySource: [SourceRecord: StatisticsValues]?
            if aggregates.separate {
                bySource = [:]
                for (source, totals) in zip(sources.sources, outcome.bySource)
                where totals[bucket].hasSamples {
                    bySource?[source] = StatisticsValues(totals[bucket], options: options, style: style)
                }
            }
            return StatisticsBucket(
                start: single?.lowerBound ?? bounds[bucket], end: single?.upperBound ?? bounds[bucket + 1],
                values: StatisticsValues(outcome.totals[bucket], options: options, style: style),
                bySource: bySource, unit: units.unit)
        }
    }
}

extension SourceTable {
    fileprivate init(_ pages: [PageOutline], order: MergeOrder, dictionaries: StoreDictionaries) {
        var revisions: [UInt32] = []
        var hasEntriesByHand = false
        for page in pages {
            revisions += page.header.revisions
            hasEntriesByHand = hasEntriesByHand || page.header.hasUserEntered
        }
        self.init(
            revisions: Set(revisions).sorted(), hasEntriesByHand: hasEntriesByHand, order: order,
            dictionaries: dictionaries)
    }
}

extension MergeOrder {
    /// Matches samples of sources that the person has not disabled.
    fileprivate var enabledTest: CompiledFilter {
        guard hasDisabled else { return .always(true) }
        return .negation(.revision(NumberSet(upTo: disabled.count - 1) { !isEnabled(revision: $0) }))
    }
}

extension StoreDictionaries {
    /// The unit of results for a type without a canonical one.
    fileprivate func firstUnit(of pages: [PageOutline]) -> String {
        unit(pages.first?.header.units.first ?? 0)
    }
}

/// A request for statistics of one quantity type, over all samples or by interval.
package struct StatisticsRequest: Sendable {
    /// How time is divided into buckets. Instants are in seconds since 2001.
    package enum Buckets: Sendable {
        /// One result over all matching samples, with their earliest start and latest end. Samples are not clipped.
        case single
        /// A result for every pair of neighboring instants that has data. Samples that cross an instant are split
        /// by time.
        ///
        /// The closure receives the earliest start and latest end of the matching samples and returns ascending
        /// instants.
        case bounds(@Sendable (ClosedRange<Double>) -> [Double])
        /// The same for ascending instants that are known before the samples. A backend can then add up the samples
        /// between them where they are stored.
        case instants([Double])
        /// A result for every interval of a regular grid that has data, for samples that may lie centuries apart.
        ///
        /// The closure receives ascending, disjoint stretches of time that together contain all matching samples:
        /// a single one unless there would be very many intervals. It returns ascending instants that cover every
        /// stretch: a bound at or before its start, all bounds within, and a bound after its end. Two neighboring
        /// instants of different stretches enclose no sample, and so give no result.
        ///
        /// `length` is the approximate length of an interval in seconds. With `within`, only the intervals that overlap
        /// that range of time are computed; a sample that reaches beyond it counts with its share.
        case intervals(
            length: Double, within: ClosedRange<Double>? = nil,
            bounds: @Sendable ([ClosedRange<Double>]) throws -> [Double])
    }

    /// The maximum number of intervals in one request; with separate sources, the maximum number of intervals
    /// times one more than the number of sources. Every interval takes about 250 bytes of memory.
    ///
    /// Intervals of a regular grid are also limited by the number of samples, ``maximumBucketCount(ofSamples:)``.
    package static let maximumBucketCount = 10_000_000

    /// The maximum number of intervals of a regular grid: a hundred for each sample, and a million for the few samples
    /// that last for years. A single sample that lasts for millennia would otherwise take gigabytes.
    package static func maximumBucketCount(ofSamples count: Int) -> Int {
        min(maximumBucketCount, 1_000_000 + 100 * min(count, maximumBucketCount))
    }

    /// The quantity type.
    package var type: TypeCode
    /// Selects the samples, each as a whole.
    package var filter: SampleFilter
    /// The requested figures.
    package var options: StatisticsOptions
    /// How time is divided into buckets.
    package var buckets: Buckets

    /// Creates a request, by default for all samples in one bucket.
    package init(
        type: TypeCode, filter: SampleFilter = .all, options: StatisticsOptions,
        buckets: Buckets = .single
    ) {
        self.type = type
        self.filter = filter
        self.options = options
        self.buckets = buckets
    }
}

/// The figures of a statistics request. Raw values are those of the original.
package struct StatisticsOptions: OptionSet, Hashable, Sendable {
    /// One bit per figure.
    package let rawValue: UInt

    /// Creates the set of figures whose bits are set.
    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The figures of each source, in addition to the merged ones.
    package static let separateBySource = StatisticsOptions(rawValue: 1 << 0)
    /// The mean according to the type's aggregation style.
    package static let discreteAverage = StatisticsOptions(rawValue: 1 << 1)
    /// The minimum value.
    package static let discreteMin = StatisticsOptions(rawValue: 1 << 2)
    /// The maximum value.
    package static let discreteMax = StatisticsOptions(rawValue: 1 << 3)
    /// The sum, for cumulative types.
    package static let cumulativeSum = StatisticsOptions(rawValue: 1 << 4)
    /// The value of the sample that ends last.
    package static let mostRecent = StatisticsOptions(rawValue: 1 << 5)
    /// The time that the samples cover.
    package static let duration = StatisticsOptions(rawValue: 1 << 6)
}

extension StatisticsRequest {
    /// Returns how the type's values combine.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` for a type that is not a quantity type and for options that are
    ///   incompatible with it, in the original's words.
    func validatedStyle(_ type: TypeDescription?) throws -> AggregationStyle {
        guard let type, type.kind == .quantity else {
            throw EngineError.invalidArgument("Statistics are made of quantity types only")
        }
        guard let style = type.aggregationStyle else {
            // A type unknown to this version combines according to the options.
            return options.contains(.cumulativeSum) ? .cumulative : .discreteArithmetic
        }
        let incompatible: [(StatisticsOptions, String)] =
            style.isCumulative
            ? [
                (.discreteAverage, "HKStatisticsOptionDiscreteAverage"),
                (.discreteMin, "HKStatisticsOptionDiscreteMin"),
                (.discreteMax, "HKStatisticsOptionDiscreteMax"),
            ] : [(.cumulativeSum, "HKStatisticsOptionCumulativeSum")]
        for (option, name) in incompatible where options.contains(option) {
            let family = style.isCumulative ? "cumulative" : "discrete"
            throw EngineError.invalidArgument(
                "Statistics option \(name) is not compatible with \(family) data type \(type.identifier)")
        }
        return style
    }
}

/// The aggregates that a request's figures are computed from.
struct RequiredAggregates: Sendable {
    let sum: Bool
    let extremesAndMean: Bool
    let weightedMean: Bool
    let level: Bool
    let recent: Bool
    let duration: Bool
    let separate: Bool

    init(_ options: StatisticsOptions, style: AggregationStyle) {
        let average = options.contains(.discreteAverage)
        sum = options.contains(.cumulativeSum)
        // A weighted mean over no time falls back to the plain mean.
        extremesAndMean = average || options.contains(.discreteMin) || options.contains(.discreteMax)
        weightedMean = average && style == .discreteTemporallyWeighted
        level = average && style == .discreteEquivalentContinuousLevel
        recent = options.contains(.mostRecent)
        duration = options.contains(.duration)
        separate = options.contains(.separateBySource)
    }

    /// Whether neighboring samples affect each other even if they do not overlap, so that a bucket cannot be divided
    /// into tasks.
    var joinsNeighbors: Bool { weightedMean }
}

/// The figures of one bucket, each `nil` unless requested and available. Values are in the bucket's unit: the type's
/// canonical unit or, for a type without one, a unit of its first samples.
package struct StatisticsValues: Hashable, Sendable, Codable {
    /// A value with the dates of the sample it comes from.
    package struct Recent: Hashable, Sendable, Codable {
        /// The sample's value.
        package var value: Double
        /// The sample's start, in seconds since 2001.
        package var start: Double
        /// The sample's end, in seconds since 2001.
        package var end: Double

        /// Creates a value with its sample's dates.
        package init(value: Double, start: Double, end: Double) {
            self.value = value
            self.start = start
            self.end = end
        }
    }

    /// The sum of cumulative samples, with sources merged so that nothing counts twice.
    package var sum: Double?
    /// The mean of discrete samples according to their type's aggregation style.
    package var average: Double?
    /// The minimum value.
    package var minimum: Double?
    /// The maximum value.
    package var maximum: Double?
    /// The value of the sample that ends last.
    package var mostRecent: Recent?
    /// The seconds covered by the contributing samples, with overlaps counted once.
    package var duration: Double?

    /// Creates the figures of one bucket.
    package init(
        sum: Double? = nil, average: Double? = nil, minimum: Double? = nil, maximum: Double? = nil,
        mostRecent: Recent? = nil, duration: Double? = nil
    ) {
        self.sum = sum
        self.average = average
        self.minimum = minimum
        self.maximum = maximum
        self.mostRecent = mostRecent
        self.duration = duration
    }
}

/// Statistics of one interval, or of all samples.
package struct StatisticsBucket: Hashable, Sendable, Codable {
    /// The interval's start; for a single result, the earliest start of the samples.
    package var start: Double
    /// The interval's end; for a single result, the latest end of the samples.
    package var end: Double
    /// The figures of all sources merged.
    package var values: StatisticsValues
    /// The figures of each source; `nil` unless requested.
    package var bySource: [SourceRecord: StatisticsValues]?
    /// The unit of every value.
    package var unit: String

    /// Creates the statistics of an interval.
    package init(
        start: Double, end: Double, values: StatisticsValues,
        bySource: [SourceRecord: StatisticsValues]? = nil, unit: String
    ) {
        self.start = start
        self.end = end
        self.values = values
        self.bySource = bySource
        self.unit = unit
    }
}

/// The running totals of one bucket. Values are in the canonical unit.
struct BucketTotals: Sendable {
    /// Whether any sample falls into the bucket.
    var hasSamples = false
    /// The merged sum of a cumulative type.
    var sum = 0.0
    /// The number of samples and the sum of their values, for the plain mean.
    var count = 0
    var valueSum = 0.0
    /// The minimum and maximum, ignoring NaN; the minimum exceeds the maximum until there is a value.
    var minimum = Double.infinity
    var maximum = -Double.infinity
    /// The integral over time of the value or the sound energy, and the time it covers.
    var integral = 0.0
    var integralTime = 0.0
    /// The sum of sound energies, not weighted by time.
    var energySum = 0.0
    /// The sample with the latest end, then start, then sequence.
    var recent: StatisticsValues.Recent?
    /// The seconds covered, with overlaps counted once.
    var duration = 0.0

    /// Replaces the most recent sample unless the new one is earlier.
    @inline(__always)
    mutating func offerRecent(value: Double, start: Double, end: Double) {
        if let recent, (end, start) < (recent.end, recent.start) { return }
        recent = StatisticsValues.Recent(value: value, start: start, end: end)
    }

    /// Adds another task's totals for the same bucket, of later samples that overlap none of these.
    mutating func merge(_ later: BucketTotals) {
        guard later.hasSamples else { return }
        hasSamples = true
        sum += later.sum
        count += later.count
        valueSum += later.valueSum
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        integral += later.integral
        integralTime += later.integralTime
        energySum += later.energySum
        duration += later.duration
        if let recent = later.recent {
            offerRecent(value: recent.value, start: recent.start, end: recent.end)
        }
    }
}

extension StatisticsValues {
    /// Creates the requested figures; a bucket without samples has none.
    init(_ totals: BucketTotals, options: StatisticsOptions, style: AggregationStyle) {
        self.init()
        guard totals.hasSamples else { return }
        if options.contains(.cumulativeSum) { sum = totals.sum }
        if options.contains(.discreteAverage) { average = totals.average(style) }
        // If the minimum exceeds the maximum, every value is NaN.
        let hasExtremes = totals.minimum <= totals.maximum
        if options.contains(.discreteMin) { minimum = hasExtremes ? totals.minimum : .nan }
        if options.contains(.discreteMax) { maximum = hasExtremes ? totals.maximum : .nan }
        if options.contains(.mostRecent) { mostRecent = totals.recent }
        if options.contains(.duration) { duration = totals.duration }
    }
}

extension BucketTotals {
    /// The mean according to the type's style; if no time is covered, the unweighted mean.
    fileprivate func average(_ style: AggregationStyle) -> Double {
        switch style {
        case .cumulative, .discreteArithmetic:
            valueSum / Double(count)
        case .discreteTemporallyWeighted:
            integralTime > 0 ? integral / integralTime : valueSum / Double(count)
        case .discreteEquivalentContinuousLevel:
            10 * log10(integralTime > 0 ? integral / integralTime : energySum / Double(count))
        }
    }
}
