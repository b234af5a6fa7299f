package import HealthModel

/// Calculates the figures of samples that belong together, such as those of a workout, in the same way as a
/// statistics query, so that an object agrees with predicates over it.
///
/// The samples are from one recording, so sources are not merged.
package enum SampleAggregator {
    /// Returns all figures of the type's aggregation style in the type's canonical unit; `nil` if there are no
    /// samples. Samples with an incompatible unit are ignored.
    ///
    /// - Parameters:
    ///   - samples: The samples in any order.
    ///   - type: The type of the samples.
    ///   - series: The quantities of series samples by index; they count in place of the
    ///     sample. If the quantities of a series sample are not given, its own value counts, as often as there are
    ///     quantities in a plain mean, together with the extremes and the latest quantity in its metadata.
    package static func values(
        of samples: [SampleRecord], type: TypeDescription, series: [Int: QuantitySeries] = [:]
    ) -> StatisticsValues? {
        let style = type.aggregationStyle ?? .discreteArithmetic
        var options: StatisticsOptions =
            style.isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        options.formUnion([.mostRecent, .duration])
        let buffer = RowBuffer(capacity: max(samples.count, 1))
        var units = UnitTable(unit: type.canonicalUnit)
        var seriesSamples: [(figures: SeriesFigures, value: Double, conversion: UnitConversion?)] = []
        // An element of the array isn't copied; a copy would retain its texts, source, device and metadata.
        for index in samples.indices {
            guard let conversion = units.conversion(from: samples[index].unit) else { continue }
            if let inner = series[index], inner.count > 0 {
                for place in 0..<inner.count {
                    buffer.append(inner.starts[place], inner.ends[place], conversion.apply(inner.values[place]))
                }
                continue
            }
            let value = conversion.apply(samples[index].value)
            buffer.append(samples[index].start, samples[index].end, value)
            if let figures = SeriesFigures(samples[index].metadata) {
                seriesSamples.append((figures, value, conversion.conversion))
            }
        }
        guard buffer.count > 0 else { return nil }
        if buffer.isOutOfOrder { buffer.sortByStart() }
        var totals = BucketTotals(buffer, aggregates: RequiredAggregates(options, style: style))
        for sample in seriesSamples { sample.figures.add(to: &totals, value: sample.value, sample.conversion) }
        return StatisticsValues(totals, options: options, style: style)
    }

    /// The metadata of a series sample about its quantities; see ``MetadataKey/seriesCount``.
    private struct SeriesFigures {
        /// A sample with a greater count counts as a plain one, so that no sum of counts can overflow.
        private static let maximumCount = 1 << 32

        let count: Int
        let metadata: Metadata

        init?(_ metadata: Metadata) {
            // Few samples have metadata, and fewer have a series.
            guard !metadata.isEmpty, case .integer(let stored)? = metadata[MetadataKey.seriesCount],
                let count = Int(exactly: stored), count > 1, count <= Self.maximumCount
            else { return nil }
            self.count = count
            self.metadata = metadata
        }

        /// Adds the figures; the totals already contain the sample itself as one quantity.
        func add(to totals: inout BucketTotals, value: Double, _ conversion: UnitConversion?) {
            totals.count += count - 1
            totals.valueSum += value * Double(count - 1)
            func number(_ key: String) -> Double? {
                metadata[key]?.number.map { number in conversion.map { $0(number) } ?? number }
            }
            if let minimum = number(MetadataKey.seriesMinimum) { totals.minimum = min(totals.minimum, minimum) }
            if let maximum = number(MetadataKey.seriesMaximum) { totals.maximum = max(totals.maximum, maximum) }
            if let latest = number(MetadataKey.seriesLatest),
                let start = metadata[MetadataKey.seriesLatestStart]?.number,
                let end = metadata[MetadataKey.seriesLatestEnd]?.number, start <= end
            {
                totals.offerRecent(value: latest, start: start, end: end)
            }
        }
    }

    /// The conversions from the units of samples to one unit, each created once.
    private struct UnitTable {
        /// A conversion to the unit; without a unit, values are unchanged.
        struct Converter {
            var conversion: UnitConversion?

            func apply(_ value: Double) -> Double { conversion.map { $0(value) } ?? value }
        }

        let unit: String?
        var converters: [String: Converter?] = [:]
        var last: (unit: String, converter: Converter?)?

        /// `nil` for a unit that is not compatible.
        mutating func conversion(from unit: String) -> Converter? {
            guard let target = self.unit else { return Converter() }
            if let last, last.unit == unit { return last.converter }
            let converter =
                converters[unit] ?? UnitConversion(between: unit, and: target).map { Converter(conversion: $0) }
            converters[unit] = .some(converter)
            last = (unit, converter)
            return converter
        }
    }
}

extension BucketTotals {
    /// Adds all rows, which are ordered by start, to one bucket without merging sources.
    fileprivate init(_ buffer: RowBuffer, aggregates: RequiredAggregates) {
        self.init()
        withUnsafeMutablePointer(to: &self) { totals in
            [-Double.infinity, .infinity].withUnsafeBufferPointer { bounds in
                guard let base = bounds.baseAddress else { return }
                let grid = BucketGrid(bounds: base, count: 1)
                aggregates.addFigures(of: buffer.rows, to: totals, grid, withSum: true)
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
