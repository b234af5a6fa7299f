import Foundation
import HealthEngine
import HealthModel

extension ReferenceStore {
    /// One bucket's figures, recomputed from all items.
    struct Figures {
        var start: Double
        var end: Double
        var values: StatisticsValues
        var bySource: [SourceRecord: StatisticsValues] = [:]
    }

    /// Statistics by the definitions, bucket by bucket and sample by sample.
    func statistics(
        _ request: StatisticsRequest, visible: (ReferenceItem) -> Bool = { _ in true }
    ) -> [Figures] {
        guard let type = TypeCatalog.description(for: request.type), let unit = type.canonicalUnit else { return [] }
        let matching = items.compactMap { item -> ReferenceItem? in
            guard item.type == request.type, visible(item), isEnabled(item), matches(item, request.filter),
                let value = ReferenceUnits.convert(item.value, from: item.unit, to: unit)
            else { return nil }
            var told = item
            told.value = value
            return told
        }
        guard let first = matching.map(\.start).min(), let last = matching.map(\.end).max() else { return [] }
        let style = type.aggregationStyle ?? .cumulative
        switch request.buckets {
        case .single:
            return [figures(matching, nil, first, last, request.options, style)].compactMap { $0 }
        case .bounds(let make):
            return byInterval(make(first...last))
        case .instants(let instants):
            return byInterval(instants)
        case .intervals(_, _, let make):
            return byInterval((try? make([first...last])) ?? [])
        }
        func byInterval(_ bounds: [Double]) -> [Figures] {
            zip(bounds, bounds.dropFirst()).compactMap {
                figures(matching, ($0, $1), $0, $1, request.options, style)
            }
        }
    }

    /// - Parameter span: the bucket; `nil` for all of time.
    private func figures(
        _ matching: [ReferenceItem], _ span: (Double, Double)?, _ start: Double, _ end: Double,
        _ options: StatisticsOptions, _ style: AggregationStyle
    ) -> Figures? {
        let (from, to) = span ?? (-.infinity, .infinity)
        let inside = matching.filter {
            ($0.start >= from && $0.start < to) || ($0.start < to && $0.end > from)
        }
        guard !inside.isEmpty else { return nil }
        var result = Figures(start: start, end: end, values: values(inside, from, to, options, style))
        if options.contains(.cumulativeSum) {
            result.values.sum = inside.reduce(0) { $0 + $1.value * share($1, from, to, better: inside) }
        }
        guard options.contains(.separateBySource) else { return result }
        for (source, own) in Dictionary(grouping: inside, by: \.revision.source) {
            var figures = values(own, from, to, options, style)
            if options.contains(.cumulativeSum) {
                figures.sum = own.reduce(0) { $0 + $1.value * share($1, from, to, better: []) }
            }
            result.bySource[source] = figures
        }
        return result
    }

    /// Which part of a sample counts in the bucket: the part of its time inside that no better source covers.
    private func share(
        _ item: ReferenceItem, _ from: Double, _ to: Double, better all: [ReferenceItem]
    ) -> Double {
        let winners = all.filter { $0.end > $0.start && place($0) < place(item) }
        if item.start == item.end {
            let isCovered = winners.contains { $0.start <= item.start && item.start < $0.end }
            return item.start >= from && item.start < to && !isCovered ? 1 : 0
        }
        // Between two neighbouring cuts nothing changes.
        let cuts = Set([item.start, item.end, from, to] + winners.flatMap { [$0.start, $0.end] })
            .filter { $0 >= item.start && $0 <= item.end }.sorted()
        var seconds = 0.0
        for (left, right) in zip(cuts, cuts.dropFirst()) where left >= from && right <= to {
            let isCovered = winners.contains { $0.start <= left && right <= $0.end }
            if !isCovered { seconds += right - left }
        }
        return seconds / (item.end - item.start)
    }

    private func values(
        _ inside: [ReferenceItem], _ from: Double, _ to: Double, _ options: StatisticsOptions,
        _ style: AggregationStyle
    ) -> StatisticsValues {
        var result = StatisticsValues()
        if options.contains(.discreteMin) { result.minimum = inside.map(\.value).min() }
        if options.contains(.discreteMax) { result.maximum = inside.map(\.value).max() }
        if options.contains(.discreteAverage) { result.average = average(inside, from, to, style) }
        if options.contains(.mostRecent) {
            let last = inside.max { ($0.end, $0.start, $0.order) < ($1.end, $1.start, $1.order) }
            result.mostRecent = last.map { .init(value: $0.value, start: $0.start, end: $0.end) }
        }
        if options.contains(.duration) {
            let cuts = Set(inside.flatMap { [clip($0.start, from, to), clip($0.end, from, to)] }).sorted()
            result.duration = zip(cuts, cuts.dropFirst()).reduce(0) { total, slice in
                let isCovered = inside.contains { $0.start <= slice.0 && slice.1 <= $0.end }
                return isCovered ? total + slice.1 - slice.0 : total
            }
        }
        return result
    }

    private func average(
        _ inside: [ReferenceItem], _ from: Double, _ to: Double, _ style: AggregationStyle
    ) -> Double {
        let mean = inside.reduce(0) { $0 + $1.value } / Double(inside.count)
        func seconds(_ item: ReferenceItem) -> Double { clip(item.end, from, to) - clip(item.start, from, to) }
        let time = inside.reduce(0) { $0 + seconds($1) }
        switch style {
        case .cumulative, .discreteArithmetic:
            return mean
        case .discreteEquivalentContinuousLevel:
            let energies = inside.map { pow(10, $0.value / 10) }
            guard time > 0 else { return 10 * log10(energies.reduce(0, +) / Double(inside.count)) }
            return 10 * log10(zip(inside, energies).reduce(0) { $0 + seconds($1.0) * $1.1 } / time)
        case .discreteTemporallyWeighted:
            // Between two neighboring cuts, the sample with the earliest start counts.
            var (weight, sum) = (0.0, 0.0)
            let lasting = inside.filter { $0.end > $0.start }.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
            let cuts = Set(lasting.flatMap { [clip($0.start, from, to), clip($0.end, from, to)] }).sorted()
            for (left, right) in zip(cuts, cuts.dropFirst()) {
                guard let first = lasting.first(where: { $0.start <= left && right <= $0.end }) else { continue }
                weight += right - left
                sum += (right - left) * first.value
            }
            let readings = inside.filter { $0.start == $0.end }.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
            for (left, right) in zip(readings, readings.dropFirst()) {
                let gap = min(right.start - left.start, 300)
                weight += gap
                sum += gap * (left.value + right.value) / 2
            }
            return weight > 0 ? sum / weight : mean
        }
    }

    private func clip(_ instant: Double, _ from: Double, _ to: Double) -> Double {
        min(max(instant, from), to)
    }
}

extension ReferenceStore {
    /// Where a sample stands when sources are merged, smaller is better: typed in by hand, then the
    /// person's order, then Apple Watch, iPhone, and others with the newest first.
    func place(_ item: ReferenceItem) -> Int {
        if item.metadata.wasUserEntered { return 0 }
        let bundles = appeared.map(\.source.bundleIdentifier)
        var order = (preferences[item.type]?.order ?? []).filter(bundles.contains)
        func kind(_ bundle: String) -> String {
            appeared.first { $0.source.bundleIdentifier == bundle }?.productType ?? ""
        }
        let rest = bundles.filter { !order.contains($0) }
        let watches = rest.filter { kind($0).hasPrefix("Watch") }
        let phones = rest.filter { kind($0).hasPrefix("iPhone") }
        let others = rest.filter { !watches.contains($0) && !phones.contains($0) }
        for group in [watches, phones, others] { order += group.reversed() }
        return 1 + (order.firstIndex(of: item.revision.source.bundleIdentifier) ?? order.count)
    }

    func isEnabled(_ item: ReferenceItem) -> Bool {
        !(preferences[item.type]?.disabled.contains(item.revision.source.bundleIdentifier) ?? false)
    }
}

/// The few units of the reference model, as factor and zero point of a base unit.
enum ReferenceUnits {
    private static let known: [String: (base: String, factor: Double, zero: Double)] = [
        "count": ("count", 1, 0), "kcal": ("kcal", 1, 0), "kJ": ("kcal", 1 / 4.184, 0),
        "kg": ("g", 1_000, 0), "g": ("g", 1, 0), "lb": ("g", 453.59237, 0),
        "m": ("m", 1, 0), "km": ("m", 1_000, 0),
        "count/s": ("count/s", 1, 0), "count/min": ("count/s", 1.0 / 60, 0),
        "degC": ("K", 1, 273.15), "degF": ("K", 5.0 / 9, 459.67 * 5 / 9),
        "dBASPL": ("dBASPL", 1, 0), "min": ("min", 1, 0),
    ]

    /// The value told in another unit; `nil` if it cannot be.
    static func convert(_ value: Double, from: String, to: String) -> Double? {
        if from == to { return value }
        guard let source = known[from], let target = known[to], source.base == target.base else { return nil }
        return (value * source.factor + source.zero - target.zero) / target.factor
    }
}
