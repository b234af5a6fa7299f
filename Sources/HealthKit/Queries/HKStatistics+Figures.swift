public import Foundation
import HealthEngine
import HealthModel

extension HKStatistics {
    // MARK: All sources merged

    /// The sum of a cumulative type; `nil` when not asked for, or without samples.
    public func sumQuantity() -> HKQuantity? { quantity(values.sum) }

    /// The average of a discrete type, in the way its aggregation style says.
    public func averageQuantity() -> HKQuantity? { quantity(values.average) }

    /// The least value of a discrete type.
    public func minimumQuantity() -> HKQuantity? { quantity(values.minimum) }

    /// The greatest value of a discrete type.
    public func maximumQuantity() -> HKQuantity? { quantity(values.maximum) }

    /// The value of the sample that ended last.
    public func mostRecentQuantity() -> HKQuantity? { quantity(values.mostRecent?.value) }

    /// When the sample behind ``mostRecentQuantity()`` began and ended.
    public func mostRecentQuantityDateInterval() -> DateInterval? { interval(values.mostRecent) }

    /// The time that samples cover, in seconds; overlaps count once.
    public func duration() -> HKQuantity? { seconds(values.duration) }

    // MARK: One source

    /// The sum of one source's samples.
    public func sumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.sum)
    }

    /// The average of one source's samples.
    public func averageQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.average)
    }

    /// The least value of one source.
    public func minimumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.minimum)
    }

    /// The greatest value of one source.
    public func maximumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.maximum)
    }

    /// The value of the source's sample that ended last.
    public func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.mostRecent?.value)
    }

    /// When the sample behind ``mostRecentQuantity(for:)`` began and ended.
    public func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
        interval(figures(of: source)?.mostRecent)
    }

    /// The time that one source's samples cover, in seconds; overlaps count once.
    public func duration(for source: HKSource) -> HKQuantity? {
        seconds(figures(of: source)?.duration)
    }

    // MARK: Values to quantities

    private func quantity(_ value: Double?) -> HKQuantity? {
        value.map { HKQuantity(unit: HKUnit(from: unit), doubleValue: $0) }
    }

    private func seconds(_ value: Double?) -> HKQuantity? {
        value.map { HKQuantity(unit: .second(), doubleValue: $0) }
    }

    private func interval(_ recent: StatisticsValues.Recent?) -> DateInterval? {
        // Dates that are no numbers, as a damaged archive may have them, make no interval.
        guard let recent, recent.start.isFinite, recent.end.isFinite else { return nil }
        return DateInterval(
            start: Date(timeIntervalSinceReferenceDate: recent.start),
            end: Date(timeIntervalSinceReferenceDate: max(recent.start, recent.end)))
    }

    /// The figures of a source; one that has changed its name since is found by bundle identifier.
    private func figures(of source: HKSource) -> StatisticsValues? {
        guard let separate else { return nil }
        let record = SourceRecord(bundleIdentifier: source.bundleIdentifier, name: source.name)
        return separate[record]
            ?? separate.first { $0.key.bundleIdentifier == record.bundleIdentifier }?.value
    }
}
