public import Foundation

/// Statistics over the samples of one quantity type in one period.
///
/// The options of the query determine which figures there are; the others are `nil`. Quantities are in the
/// type's canonical unit, durations in seconds. Figures of single sources exist only if the query separated
/// by source; they are not merged across sources, so they may add up to more than the total.
/// A statistics object is immutable and may be used from any thread.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKStatistics: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The figures of one period, each `nil` if unavailable. Values are in the statistics' unit.
    struct Figures: Hashable, Sendable {
        /// A value with the dates of its sample, in seconds since 2001-01-01 00:00:00 UTC.
        struct Recent: Hashable, Sendable {
            var value: Double
            var start: Double
            var end: Double
        }

        var sum: Double?
        var average: Double?
        var minimum: Double?
        var maximum: Double?
        var mostRecent: Recent?
        /// Seconds.
        var duration: Double?
    }

    /// The figures of one source. A source that was renamed appears once for each name.
    struct SourceFigures: Hashable, Sendable {
        var source: HKSource
        var figures: Figures

        static func == (a: SourceFigures, b: SourceFigures) -> Bool {
            a.source == b.source && a.source.name == b.source.name && a.figures == b.figures
        }
    }

    /// The quantity type of the samples.
    open var quantityType: HKQuantityType { storedQuantityType }
    /// The start of a collection's interval; for a single statistics query, the start of the earliest sample.
    open var startDate: Date { storedStartDate }
    /// The end of a collection's interval; for a single statistics query, the end of the latest sample.
    open var endDate: Date { storedEndDate }
    /// The contributing sources; `nil` unless the query separated by source.
    open var sources: [HKSource]? { storedSources }

    private let storedQuantityType: HKQuantityType
    private let storedStartDate: Date
    private let storedEndDate: Date
    private let storedSources: [HKSource]?

    final let unit: String
    final let figures: Figures
    /// In order of bundle identifier and name; `nil` unless the query separated by source.
    final let sourceFigures: [SourceFigures]?

    init(
        quantityType: HKQuantityType, startDate: Date, endDate: Date, unit: String, figures: Figures,
        sourceFigures: [SourceFigures]? = nil
    ) {
        storedQuantityType = quantityType
        storedStartDate = startDate
        storedEndDate = endDate
        self.unit = unit
        self.figures = figures
        self.sourceFigures = sourceFigures
        storedSources = sourceFigures?.map(\.source)
        super.init()
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: All sources merged

    /// The sum of the samples of a cumulative type.
    open func sumQuantity() -> HKQuantity? { quantity(figures.sum) }

    /// The average of the samples of a discrete type, computed according to its aggregation style.
    open func averageQuantity() -> HKQuantity? { quantity(figures.average) }

    /// The minimum of the samples of a discrete type.
    open func minimumQuantity() -> HKQuantity? { quantity(figures.minimum) }

    /// The maximum of the samples of a discrete type.
    open func maximumQuantity() -> HKQuantity? { quantity(figures.maximum) }

    /// The quantity of the sample that ended last.
    open func mostRecentQuantity() -> HKQuantity? { quantity(figures.mostRecent?.value) }

    /// The date interval of the sample that ended last.
    open func mostRecentQuantityDateInterval() -> DateInterval? { interval(figures.mostRecent) }

    /// The time the samples cover, in seconds; overlaps count once.
    open func duration() -> HKQuantity? { seconds(figures.duration) }

    // MARK: One source

    /// The sum of one source's samples.
    open func sumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.sum)
    }

    /// The average of one source's samples.
    open func averageQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.average)
    }

    /// The minimum of one source's samples.
    open func minimumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.minimum)
    }

    /// The maximum of one source's samples.
    open func maximumQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.maximum)
    }

    /// The quantity of the source's sample that ended last.
    open func mostRecentQuantity(for source: HKSource) -> HKQuantity? {
        quantity(figures(of: source)?.mostRecent?.value)
    }

    /// The date interval of the source's sample that ended last.
    open func mostRecentQuantityDateInterval(for source: HKSource) -> DateInterval? {
        interval(figures(of: source)?.mostRecent)
    }

    /// The time one source's samples cover, in seconds; overlaps count once.
    open func duration(for source: HKSource) -> HKQuantity? {
        seconds(figures(of: source)?.duration)
    }

    private func quantity(_ value: Double?) -> HKQuantity? {
        value.map { HKQuantity(unit: HKUnit(from: unit), doubleValue: $0) }
    }

    private func seconds(_ value: Double?) -> HKQuantity? {
        value.map { HKQuantity(unit: .second(), doubleValue: $0) }
    }

    private func interval(_ recent: Figures.Recent?) -> DateInterval? {
        // A damaged archive may hold dates that are not finite.
        guard let recent, recent.start.isFinite, recent.end.isFinite else { return nil }
        return DateInterval(
            start: Date(timeIntervalSinceReferenceDate: recent.start),
            end: Date(timeIntervalSinceReferenceDate: max(recent.start, recent.end)))
    }

    /// Returns the figures of a source; a source that has been renamed since is found by bundle identifier.
    private func figures(of source: HKSource) -> Figures? {
        let matches = sourceFigures?.filter { $0.source == source } ?? []
        return (matches.first { $0.source.name == source.name } ?? matches.first)?.figures
    }

    // MARK: Coding

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(StatisticsArchive(self), with: coder)
    }

    /// Returns `nil` for a damaged archive, and for a type or unit this version does not know.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(StatisticsArchive.self, from: coder), archive.isValid else {
            return nil
        }
        storedQuantityType = archive.quantityType
        storedStartDate = Date(timeIntervalSinceReferenceDate: archive.start)
        storedEndDate = Date(timeIntervalSinceReferenceDate: archive.end)
        unit = archive.unit
        figures = archive.figures
        sourceFigures = archive.sourceFigures
        storedSources = archive.sourceFigures?.map(\.source)
        super.init()
    }

    // MARK: Equality

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKStatistics else { return false }
        return quantityType == other.quantityType && startDate == other.startDate
            && endDate == other.endDate && unit == other.unit && figures == other.figures
            && sourceFigures == other.sourceFigures
    }

    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(quantityType)
        hasher.combine(startDate)
        hasher.combine(endDate)
        hasher.combine(figures)
        return hasher.finalize()
    }

    open override var description: String {
        "<HKStatistics \(quantityType.identifier) (\(startDate) - \(endDate))>"
    }
}
