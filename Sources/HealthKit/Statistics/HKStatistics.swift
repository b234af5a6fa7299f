public import Foundation
import HealthEngine
import HealthModel

/// Statistics over the samples of one quantity type in one period.
///
/// The options of the query determine which figures there are; the others are `nil`. Quantities are in the
/// type's canonical unit, durations in seconds. Figures of single sources exist only if the query separated
/// by source; they are not merged across sources, so they may add up to more than the total.
/// A statistics object is immutable and may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKStatistics: _ValueObject, @unchecked Sendable {
    /// The archived form.
    private struct Archive: Codable, Hashable {
        var type: String
        var bucket: StatisticsBucket
    }

    /// The quantity type of the samples.
    open var quantityType: HKQuantityType { storedQuantityType }
    /// The start of a collection's interval; for a single statistics query, the start of the earliest sample.
    open var startDate: Date { Date(timeIntervalSinceReferenceDate: bucket.start) }
    /// The end of a collection's interval; for a single statistics query, the end of the latest sample.
    open var endDate: Date { Date(timeIntervalSinceReferenceDate: bucket.end) }
    /// The contributing sources; `nil` unless the query separated by source. A source that was renamed appears once
    /// for each name.
    open var sources: [HKSource]? {
        bucket.bySource?.keys.sorted { ($0.bundleIdentifier, $0.name) < ($1.bundleIdentifier, $1.name) }
            .map { HKSource($0) }
    }

    private let storedQuantityType: HKQuantityType
    private final let bucket: StatisticsBucket

    /// Creates statistics from the engine's figures of one interval.
    init(_ bucket: StatisticsBucket, of quantityType: HKQuantityType) {
        storedQuantityType = quantityType
        self.bucket = bucket
    }

    // MARK: All sources merged

    /// The sum of the samples of a cumulative type.
    open func sumQuantity() -> HKQuantity? { quantity(bucket.values.sum) }

    /// The average of the samples of a discrete type, computed according to its aggregation style.
    open func averageQuantity() -> HKQuantity? { quantity(bucket.values.average) }

    /// The minimum of the samples of a discrete type.
    open func minimumQuantity() -> HKQuantity? { quantity(bucket.values.minimum) }

    /// The maximum of the samples of a discrete type.
    open func maximumQuantity() -> HKQuantity? { quantity(bucket.values.maximum) }

    /// The quantity of the sample that ended last.
    open func mostRecentQuantity() -> HKQuantity? { quantity(bucket.values.mostRecent?.value) }

    /// The date interval of the sample that ended last.
    open func mostRecentQuantityDateInterval() -> DateInterval? { interval(bucket.values.mostRecent) }

    /// The time the samples cover, in seconds; overlaps count once.
    open func duration() -> HKQuantity? { seconds(bucket.values.duration) }

    // MARK: One source

    /// The sum of one source's samples.
    open func sumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(values(of: source)?.sum)
    }

    /// The average of one source's samples.
    open func averageQuantity(for source: HKSource) -> HKQuantity? {
        quantity(values(of: source)?.average)
    }

    /// The minimum of one source's samples.
    open func minimumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(values(of: source)?.minimum)
    }

    /// The maximum of one source's samples.
    open func maximumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(values(of: source)?.maximum)
    }

    /// The quantity of the source's sample that ended last.
    open func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
        quantity(values(of: source)?.mostRecent?.value)
    }

    /// The date interval of the source's sample that ended last.
    open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
        interval(values(of: source)?.mostRecent)
    }

    /// The time one source's samples cover, in seconds; overlaps count once.
    open func duration(for source: HKSource) -> HKQuantity? {
        seconds(values(of: source)?.duration)
    }

    private func quantity(_ value: Double?) -> HKQuantity? {
        value.map { HKQuantity(unit: HKUnit(from: bucket.unit), doubleValue: $0) }
    }

    private func seconds(_ value: Double?) -> HKQuantity? {
        value.map { HKQuantity(unit: .second(), doubleValue: $0) }
    }

    private func interval(_ recent: StatisticsValues.Recent?) -> DateInterval? {
        // A damaged archive may hold dates that are not finite.
        guard let recent, recent.start.isFinite, recent.end.isFinite else { return nil }
        return DateInterval(
            start: Date(timeIntervalSinceReferenceDate: recent.start),
            end: Date(timeIntervalSinceReferenceDate: max(recent.start, recent.end)))
    }

    /// Returns the figures of a source; a source that has been renamed since is found by bundle identifier.
    private func values(of source: HKSource) -> StatisticsValues? {
        guard let bySource = bucket.bySource else { return nil }
        if let exact = bySource[source.record] { return exact }
        let others = bySource.keys.filter { HKSource($0) == source }
        return others.min { $0.name < $1.name }.flatMap { bySource[$0] }
    }

    // MARK: Coding

    override var archivedRecord: any Codable & Hashable { Archive(type: quantityType.identifier, bucket: bucket) }

    /// Returns `nil` for a damaged archive, and for a type or unit this version does not know.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(Archive.self, from: coder),
            let type = HKObjectType.quantityType(forIdentifier: .init(rawValue: archive.type)),
            HKUnit.parsed(archive.bucket.unit) != nil,
            // Foundation ends the process when it prints a date far beyond its own distant past and future.
            abs(archive.bucket.start) < 1e12, abs(archive.bucket.end) < 1e12
        else { return nil }
        storedQuantityType = type
        bucket = archive.bucket
    }

    open override var description: String {
        "<HKStatistics \(quantityType.identifier) (\(startDate) - \(endDate))>"
    }
}
