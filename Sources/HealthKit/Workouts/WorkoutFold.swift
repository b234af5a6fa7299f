import Foundation
import HealthEngine
import HealthModel

/// The figures of a few samples, as each aggregation style folds them.
///
/// The engine folds pages; a workout has its samples at hand, and they are few. They come from one
/// recording, so sources are not merged.
enum WorkoutFold {
    /// `nil` without samples. Samples whose unit does not fit the type are left out.
    static func values(of samples: [SampleRecord], type: TypeDescription) -> StatisticsValues? {
        let converted = convert(samples, to: type.canonicalUnit)
        guard let first = converted.first else { return nil }
        var values = StatisticsValues(duration: coveredTime(converted))
        let style = type.aggregationStyle ?? .discreteArithmetic
        if style.isCumulative {
            values.sum = converted.reduce(0) { $0 + $1.value }
        } else {
            values.average = average(converted, style: style)
            values.minimum = converted.reduce(first.value) { min($0, $1.value) }
            values.maximum = converted.reduce(first.value) { max($0, $1.value) }
        }
        let latest = converted.reduce(first) { ($1.end, $1.start) > ($0.end, $0.start) ? $1 : $0 }
        values.mostRecent = .init(value: latest.value, start: latest.start, end: latest.end)
        return values
    }

    private struct Sample {
        var start: Double
        var end: Double
        var value: Double
        var duration: Double { end - start }
    }

    private static func convert(_ samples: [SampleRecord], to unit: String?) -> [Sample] {
        let target = unit.flatMap { try? UnitExpression(parsing: $0) }
        var conversions: [String: UnitConversion] = [:]
        return samples.compactMap { sample in
            guard let target else {
                return Sample(start: sample.start, end: sample.end, value: sample.value)
            }
            let known = conversions[sample.unit]
            guard
                let conversion = known
                    ?? (try? UnitExpression(parsing: sample.unit))?.conversion(to: target)
            else { return nil }
            conversions[sample.unit] = conversion
            return Sample(start: sample.start, end: sample.end, value: conversion(sample.value))
        }
    }

    private static func average(_ samples: [Sample], style: AggregationStyle) -> Double {
        let time = samples.reduce(0) { $0 + $1.duration }
        let arithmetic = samples.reduce(0) { $0 + $1.value } / Double(samples.count)
        switch style {
        case .discreteTemporallyWeighted where time > 0:
            return samples.reduce(0) { $0 + $1.value * $1.duration } / time
        case .discreteEquivalentContinuousLevel:
            // IEC 61672-1; instants weigh the same when nothing has a duration.
            let weights = samples.map { time > 0 ? $0.duration : 1 }
            let energy = zip(samples, weights).reduce(0) { $0 + $1.1 * pow(10, $1.0.value / 10) }
            return 10 * log10(energy / weights.reduce(0, +))
        case .cumulative, .discreteArithmetic, .discreteTemporallyWeighted:
            return arithmetic
        }
    }

    /// Seconds covered by the samples, overlaps once.
    private static func coveredTime(_ samples: [Sample]) -> Double {
        var covered = 0.0
        var reached = -Double.infinity
        for sample in samples.sorted(by: { $0.start < $1.start }) where sample.end > reached {
            covered += sample.end - max(sample.start, reached)
            reached = sample.end
        }
        return covered
    }
}
