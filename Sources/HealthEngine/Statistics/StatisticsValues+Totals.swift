import Foundation
import HealthModel

extension StatisticsValues {
    /// The figures asked for; a bucket without samples has none.
    init(_ totals: BucketTotals, options: StatisticsOptions, style: AggregationStyle) {
        self.init()
        guard totals.hasSamples else { return }
        if options.contains(.cumulativeSum) { sum = totals.sum }
        if options.contains(.discreteAverage) { average = totals.average(style) }
        // Crossed extremes: every value is NaN.
        let hasExtremes = totals.minimum <= totals.maximum
        if options.contains(.discreteMin) { minimum = hasExtremes ? totals.minimum : .nan }
        if options.contains(.discreteMax) { maximum = hasExtremes ? totals.maximum : .nan }
        if options.contains(.mostRecent) { mostRecent = totals.recent }
        if options.contains(.duration) { duration = totals.duration }
    }
}

extension BucketTotals {
    /// The mean as the type's style has it; over no time, the mean that takes all samples alike.
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
