public import Foundation
import HealthEngine
import HealthModel

/// Figures over the samples of one quantity type in one span of time.
///
/// Which figures are there follows from the options of the query; the others are `nil`. Quantities are in
/// the type's canonical unit, durations in seconds. Per-source figures are there only when the query
/// separated by source; they are not merged across sources, so they may add up to more than the total.
/// A statistics object never changes and may be used from any thread.
// Unchecked: every stored property is constant and Sendable.
open class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The type the figures are of.
    public let quantityType: HKQuantityType
    /// A collection's interval begins here; for a single statistics query, the earliest sample.
    public let startDate: Date
    /// A collection's interval ends here; for a single statistics query, the latest sample's end.
    public let endDate: Date
    /// Who contributed; `nil` unless the query separated by source.
    public let sources: [HKSource]?

    let unit: String
    let values: StatisticsValues
    let separate: [SourceRecord: StatisticsValues]?

    init(
        quantityType: HKQuantityType, startDate: Date, endDate: Date, unit: String,
        values: StatisticsValues, separate: [SourceRecord: StatisticsValues]? = nil
    ) {
        self.quantityType = quantityType
        self.startDate = startDate
        self.endDate = endDate
        self.unit = unit
        self.values = values
        self.separate = separate
        sources = separate.map { figures in
            figures.keys.sorted { ($0.bundleIdentifier, $0.name) < ($1.bundleIdentifier, $1.name) }
                .map { HKSource($0) }
        }
        super.init()
    }

    /// The engine's figures of one bucket as an application sees them.
    convenience init(_ bucket: StatisticsBucket, of quantityType: HKQuantityType) {
        self.init(
            quantityType: quantityType,
            startDate: Date(timeIntervalSinceReferenceDate: bucket.start),
            endDate: Date(timeIntervalSinceReferenceDate: bucket.end),
            unit: bucket.unit, values: bucket.values, separate: bucket.bySource)
    }

    public func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Coding

    public static var supportsSecureCoding: Bool { true }

    public func encode(with coder: NSCoder) {
        SecureRecord.encode(HKStatisticsArchive(self), with: coder)
    }

    public required convenience init?(coder: NSCoder) {
        guard let archive = HKStatisticsArchive(coder: coder) else { return nil }
        self.init(
            quantityType: archive.quantityType,
            startDate: Date(timeIntervalSinceReferenceDate: archive.start),
            endDate: Date(timeIntervalSinceReferenceDate: archive.end),
            unit: archive.unit, values: archive.values.values,
            separate: archive.separateValues)
    }

    // MARK: Equality

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKStatistics else { return false }
        return quantityType == other.quantityType && startDate == other.startDate
            && endDate == other.endDate && unit == other.unit && values == other.values
            && separate == other.separate
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(quantityType)
        hasher.combine(startDate)
        hasher.combine(endDate)
        hasher.combine(values)
        return hasher.finalize()
    }

    open override var description: String {
        "<HKStatistics \(quantityType.identifier) (\(startDate) - \(endDate))>"
    }
}
