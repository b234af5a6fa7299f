import HealthModel
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
    public func statistics(_ request: StatisticsRequest, as caller: Caller) throws -> [StatisticsBucket] {
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
                units: CanonicalUnits(
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
