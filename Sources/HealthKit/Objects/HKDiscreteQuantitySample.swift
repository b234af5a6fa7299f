public import Foundation

/// A sample of a type whose quantities do not add up, such as a heart rate.
// Unchecked: adds no stored property to its superclass.
open class HKDiscreteQuantitySample: HKQuantitySample, @unchecked Sendable {
    /// The least of the sample's quantities.
    open var minimumQuantity: HKQuantity { quantity(series?.minimum) }

    /// The mean of the sample's quantities.
    open var averageQuantity: HKQuantity { quantity }

    /// The greatest of the sample's quantities.
    open var maximumQuantity: HKQuantity { quantity(series?.maximum) }

    /// The latest of the sample's quantities.
    open var mostRecentQuantity: HKQuantity { quantity(series?.latest) }

    /// The span of the latest quantity.
    open var mostRecentQuantityDateInterval: DateInterval {
        guard let series, let first = series.latestStart, let last = series.latestEnd else {
            return DateInterval(start: startDate, end: max(startDate, endDate))
        }
        return DateInterval(
            start: Date(timeIntervalSinceReferenceDate: first), end: Date(timeIntervalSinceReferenceDate: last))
    }

    private var series: SeriesFigures? { SeriesFigures(context.metadata) }

    private func quantity(_ value: Double?) -> HKQuantity {
        HKQuantity(unit: unit, doubleValue: value ?? self.value)
    }
}
