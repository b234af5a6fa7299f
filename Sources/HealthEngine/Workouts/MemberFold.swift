public import HealthModel

/// The figures of samples that belong together, such as a workout's: folded as a query folds those of a
/// store, so that an object and a predicate over it agree.
///
/// They come from one recording, so sources are not merged.
public enum MemberFold {
    /// All figures that the type's aggregation style has, in the type's canonical unit; `nil` without
    /// samples. Samples whose unit does not fit the type are left out.
    ///
    /// - Parameters:
    ///   - samples: In any order.
    ///   - type: Their type.
    ///   - series: The quantities that samples were made of, by place among the samples. They count in
    ///     the sample's place. Of a sample made of several that are not given, its own value counts, for as
    ///     many as it was made of where all count alike, with the extremes and the latest it tells of.
    public static func values(
        of samples: [SampleRecord], type: TypeDescription, series: [Int: QuantitySeries] = [:]
    ) -> StatisticsValues? {
        let style = type.aggregationStyle ?? .discreteArithmetic
        var options: StatisticsOptions =
            style.isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        options.formUnion([.mostRecent, .duration])
        let buffer = RowBuffer(capacity: max(samples.count, 1))
        var units = UnitTable(to: type.canonicalUnit)
        var wholes: [(figures: Whole, value: Double, conversion: UnitConversion?)] = []
        for (index, sample) in samples.enumerated() {
            guard let conversion = units.conversion(from: sample.unit) else { continue }
            if let inner = series[index], inner.count > 0 {
                for place in 0..<inner.count {
                    buffer.append(inner.starts[place], inner.ends[place], conversion.apply(inner.values[place]))
                }
                continue
            }
            let value = conversion.apply(sample.value)
            buffer.append(sample.start, sample.end, value)
            if let figures = Whole(sample.metadata) {
                wholes.append((figures, value, conversion.conversion))
            }
        }
        guard buffer.count > 0 else { return nil }
        if buffer.isOutOfOrder { buffer.sortByStart() }
        var totals = BucketTotals(buffer, needs: StatisticsNeeds(options, style: style))
        for whole in wholes { whole.figures.add(to: &totals, value: whole.value, whole.conversion) }
        return StatisticsValues(totals, options: options, style: style)
    }
}

extension MemberFold {
    /// What a sample made of several quantities tells of them; see ``MetadataKey/seriesCount``.
    private struct Whole {
        let count: Int
        let metadata: Metadata

        init?(_ metadata: Metadata) {
            // Hardly any sample has metadata, and fewer have a series.
            guard !metadata.isEmpty, case .integer(let stored)? = metadata[MetadataKey.seriesCount],
                let count = Int(exactly: stored), count > 1
            else { return nil }
            self.count = count
            self.metadata = metadata
        }

        /// The sample itself is among the totals already, as one.
        func add(to totals: inout BucketTotals, value: Double, _ conversion: UnitConversion?) {
            totals.count += count - 1
            totals.valueSum += value * Double(count - 1)
            func number(_ key: String) -> Double? {
                metadata[key]?.number.map { number in conversion.map { $0(number) } ?? number }
            }
            if let least = number(MetadataKey.seriesMinimum) { totals.minimum = min(totals.minimum, least) }
            if let greatest = number(MetadataKey.seriesMaximum) { totals.maximum = max(totals.maximum, greatest) }
            if let latest = number(MetadataKey.seriesLatest), let start = metadata[MetadataKey.seriesLatestStart]?.number,
                let end = metadata[MetadataKey.seriesLatestEnd]?.number, start <= end
            {
                totals.offerRecent(value: latest, start: start, end: end)
            }
        }
    }

    /// Ways from the units of samples to one unit, each worked out once.
    private struct UnitTable {
        /// How a value becomes one of the unit; as it is where there is no unit to go to.
        struct Way {
            var conversion: UnitConversion?

            func apply(_ value: Double) -> Double { conversion.map { $0(value) } ?? value }
        }

        private let unit: String?
        private var ways: [String: Way?] = [:]
        private var last: (unit: String, way: Way?)?

        init(to unit: String?) {
            self.unit = unit
        }

        /// `nil` for a unit that is not compatible.
        mutating func conversion(from unit: String) -> Way? {
            guard let target = self.unit else { return Way() }
            if let last, last.unit == unit { return last.way }
            let way = ways[unit] ?? UnitConversion(from: unit, to: target).map { Way(conversion: $0) }
            ways[unit] = .some(way)
            last = (unit, way)
            return way
        }
    }
}

extension BucketTotals {
    /// All rows in one bucket, sources not merged. Rows are ordered by start.
    fileprivate init(_ buffer: RowBuffer, needs: StatisticsNeeds) {
        self.init()
        withUnsafeMutablePointer(to: &self) { totals in
            [-Double.infinity, .infinity].withUnsafeBufferPointer { bounds in
                guard let base = bounds.baseAddress else { return }
                let grid = BucketGrid(bounds: base, count: 1)
                needs.addFigures(of: buffer.rows, to: totals, grid, withSum: true)
            }
        }
    }
}

extension RowBuffer {
    fileprivate func append(_ start: Double, _ end: Double, _ value: Double) {
        reserve(1)
        starts[count] = start
        ends[count] = end
        values[count] = value
        revisions[count] = 0
        count += 1
    }

    fileprivate var isOutOfOrder: Bool {
        (1..<max(count, 1)).contains { starts[$0] < starts[$0 - 1] }
    }
}
