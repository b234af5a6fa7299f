import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// Statistics of one quantity type: one result over all matching samples, or one for every interval
    /// that has data, ascending.
    ///
    /// Sums merge overlapping sources: the better source takes the time its samples cover, others count
    /// with the share of their time that is left. Sources the person has switched off for the type are
    /// left out altogether. A discrete sample counts in every interval it reaches into.
    ///
    /// Throws ``EngineError/noData`` for a single result over no sample,
    /// ``EngineError/invalidArgument(_:)`` for options that do not suit the type, and
    /// ``EngineError/authorizationNotDetermined(_:)`` for a type the caller never asked for.
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
            test: .conjunction([
                try FilterCompiler(
                    type: request.type, dictionaries: dictionaries, identities: identities, snapshot: snapshot
                ).compile(request.filter, scope: scope, caller: caller),
                order.enabledTest,
            ]),
            columns: [])
        let pages = try PageOutline.visit(part, in: snapshot)
        guard let extent = try PageOutline.extent(pages, in: snapshot) else {
            if case .single = request.buckets { throw EngineError.noData }
            return []
        }
        let plan = try StatisticsPlan(
            needs: StatisticsNeeds(request.options, style: style),
            units: CanonicalUnits(
                unit: type?.canonicalUnit ?? dictionaries.firstUnit(of: pages), dictionaries: dictionaries),
            sources: SourceTable(pages, order: order, dictionaries: dictionaries), pages: pages,
            series: try SeriesRows(of: request.type, on: pages, in: snapshot),
            bounds: request.bounds(extent), isSingle: request.isSingle)
        let outcome = try StatisticsPipeline(plan: plan, type: request.type, snapshot: snapshot).run()
        return plan.buckets(outcome, extent: extent, options: request.options, style: style)
    }
}

extension StatisticsRequest {
    fileprivate var isSingle: Bool {
        if case .single = buckets { true } else { false }
    }

    /// The bucket bounds over samples of this extent.
    fileprivate func bounds(_ extent: ClosedRange<Double>) throws -> [Double] {
        guard case .bounds(let make) = buckets else { return [-.infinity, .infinity] }
        let bounds = make(extent)
        guard zip(bounds, bounds.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw EngineError.invalidArgument("Interval bounds must ascend")
        }
        return bounds
    }
}

extension StatisticsPlan {
    /// The results, empty buckets left out.
    fileprivate func buckets(
        _ outcome: StatisticsPipeline.Outcome, extent: ClosedRange<Double>, options: StatisticsOptions,
        style: AggregationStyle
    ) -> [StatisticsBucket] {
        outcome.totals.indices.compactMap { bucket in
            guard outcome.totals[bucket].hasSamples else { return nil }
            var bySource: [SourceRecord: StatisticsValues]?
            if needs.separate {
                bySource = [:]
                for (source, totals) in zip(sources.sources, outcome.bySource)
                where totals[bucket].hasSamples {
                    bySource?[source] = StatisticsValues(totals[bucket], options: options, style: style)
                }
            }
            return StatisticsBucket(
                start: isSingle ? extent.lowerBound : bounds[bucket],
                end: isSingle ? extent.upperBound : bounds[bucket + 1],
                values: StatisticsValues(outcome.totals[bucket], options: options, style: style),
                bySource: bySource, unit: units.unit)
        }
    }
}

extension SourceTable {
    fileprivate init(_ pages: [PageOutline], order: MergeOrder, dictionaries: StoreDictionaries) {
        var revisions: Set<UInt32> = []
        var hasHandEntries = false
        for page in pages {
            revisions.formUnion(page.header.revisions)
            hasHandEntries = hasHandEntries || page.header.hasUserEntered
        }
        self.init(
            revisions: revisions.sorted(), hasHandEntries: hasHandEntries, order: order,
            dictionaries: dictionaries)
    }
}

extension MergeOrder {
    /// Passes samples of sources that the person has not switched off.
    fileprivate var enabledTest: RowTest {
        guard hasDisabled else { return .always(true) }
        return .negation(.revision(NumberSet(upTo: disabled.count - 1) { !isEnabled(revision: $0) }))
    }
}

extension StoreDictionaries {
    /// The unit results of a type without a canonical one are told in.
    fileprivate func firstUnit(of pages: [PageOutline]) -> String {
        unit(pages.first?.header.units.first ?? 0)
    }
}
