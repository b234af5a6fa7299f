public import Foundation
public import HealthKit

/// How often and how long a category type had each value in an interval.
public struct CategoryTimes: Hashable, Sendable {
    /// One value of the type's enumeration.
    public struct Value: Hashable, Sendable {
        /// The raw value.
        public var value: Int
        /// The number of samples that begin in the interval.
        public var count: Int
        /// Seconds in which the value applied, within the interval.
        public var duration: TimeInterval
    }

    /// The interval.
    public var interval: DateInterval
    /// The values that occur, in ascending order.
    public var values: [Value]

    /// The number of samples of all values.
    public var count: Int { values.reduce(0) { $0 + $1.count } }

    /// Seconds in all values.
    public var duration: TimeInterval { values.reduce(0) { $0 + $1.duration } }

    /// Seconds in one value.
    public func duration(of value: Int) -> TimeInterval { values.first { $0.value == value }?.duration ?? 0 }

    /// The number of samples with one value.
    public func count(of value: Int) -> Int { values.first { $0.value == value }?.count ?? 0 }
}

/// Reads how long category types had each value.
///
/// At every instant one sample applies, so overlapping sources are never counted twice: samples entered by hand come
/// first, then the person's own order of sources, then Apple Watch, iPhone and others, then the sample that began
/// first.
public struct CategoryTimeReader: Sendable {
    private let store: HKHealthStore
    private let calendar: Calendar
    private let sourceOrder: [String]
    private let excludedSources: Set<String>
    /// Ranks of sources by device, beyond their samples of the type: 0 for an Apple Watch, 1 for an iPhone.
    package var deviceRanks: [String: Int] = [:]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The store to read. A type that may not be read is empty.
    ///   - calendar: The calendar that divides time into intervals.
    ///   - sourceOrder: Bundle identifiers in the person's own order, best first. Sources that are not listed follow.
    ///   - excludedSources: Bundle identifiers of sources that don't count.
    public init(
        store: HKHealthStore, calendar: Calendar = .current, sourceOrder: [String] = [],
        excludedSources: Set<String> = []
    ) {
        self.store = store
        self.calendar = calendar
        self.sourceOrder = sourceOrder
        self.excludedSources = excludedSources
    }

    /// Returns the figures of the calendar intervals that have samples, in ascending order; time is split at their
    /// bounds.
    ///
    /// - Parameters:
    ///   - type: A category type.
    ///   - start: The start of the time to read; `nil` for all before `end`.
    ///   - end: The end of the time to read, not included; `nil` for all after `start`.
    ///   - component: The length of intervals, such as `.day`; `nil` for one interval from `start` to `end`, or from
    ///     the first sample to the last one.
    /// - Throws: `HKError` if reading fails; `HKError.errorInvalidArgument` for more than 200,000 intervals with data.
    public func times(
        of type: HKCategoryType, from start: Date? = nil, to end: Date? = nil,
        every component: Calendar.Component? = nil
    ) async throws -> [CategoryTimes] {
        let samples = try await HKSampleQueryDescriptor(
            predicates: [
                .categorySample(type: type, predicate: HKQuery.predicateForSamples(withStart: start, end: end))
            ], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
        let (first, last) = (
            start?.timeIntervalSinceReferenceDate ?? -.infinity, end?.timeIntervalSinceReferenceDate ?? .infinity
        )
        let entries = samples.compactMap { Entry($0, sourceOrder, deviceRanks) }.filter { entry in
            // A sample that ends where the time begins matches the predicate.
            !excludedSources.contains(entry.bundleIdentifier) && (entry.end > first || entry.start >= first)
        }
        guard let earliest = entries.first?.start, let latest = entries.map(\.end).max() else { return [] }
        let bounds = Bounds(
            component: component, calendar: calendar,
            whole: (first.isFinite ? first : earliest, last.isFinite ? last : max(latest, earliest)))
        var tallies: [Double: Tally] = [:]
        for entry in entries where entry.start >= first && entry.start < last {
            let interval = bounds.interval(containing: entry.start)
            tallies[interval.start, default: Tally(end: interval.end)].counts[entry.value, default: 0] += 1
        }
        let spans = Self.merged(entries)
        if component != nil {
            let length = max(1, { $0.end - $0.start }(bounds.interval(containing: max(earliest, first))))
            let seconds = spans.reduce(0) { $0 + max(0, min($1.end, last) - max($1.start, first)) }
            try PeriodLimit.check(seconds / length, PeriodLimit.intervals, "intervals")
        }
        for span in spans {
            var (position, end) = (max(span.start, first), min(span.end, last))
            end = max(end, position)
            while position < end {
                let interval = bounds.interval(containing: position)
                let until = max(min(end, interval.end), position.nextUp)
                tallies[interval.start, default: Tally(end: interval.end)].durations[span.value, default: 0] +=
                    until - position
                position = until
            }
        }
        return tallies.sorted { $0.key < $1.key }.map { start, tally in
            CategoryTimes(
                interval: DateInterval(
                    start: Date(timeIntervalSinceReferenceDate: start),
                    end: Date(timeIntervalSinceReferenceDate: max(start, tally.end))),
                values: Set(tally.counts.keys).union(tally.durations.keys).sorted().map { value in
                    CategoryTimes.Value(
                        value: value, count: tally.counts[value] ?? 0, duration: tally.durations[value] ?? 0)
                })
        }
    }

    // MARK: Merging

    private struct Tally {
        var end: Double
        var counts: [Int: Int] = [:]
        var durations: [Int: Double] = [:]
    }

    private struct Span {
        var start: Double
        var end: Double
        var value: Int
    }

    private struct Entry {
        var start: Double
        var end: Double
        var value: Int
        var bundleIdentifier: String
        /// Smaller is better.
        var rank: Int

        init(_ sample: HKCategorySample, _ order: [String], _ deviceRanks: [String: Int]) {
            let merging = SleepEntry(sample, stage: .asleep, deviceRanks)
            start = merging.start
            end = merging.end
            value = sample.value
            bundleIdentifier = merging.source.bundleIdentifier
            let place = order.firstIndex(of: merging.source.bundleIdentifier) ?? order.count
            rank = merging.isEnteredByHand ? -1 : place * 3 + merging.deviceRank
        }
    }

    /// The time of each value, without overlaps. Entries are in ascending order.
    private static func merged(_ entries: [Entry]) -> [Span] {
        var spans: [Span] = []
        var cluster: [Entry] = []
        var end = -Double.infinity
        func close() {
            if cluster.count == 1 {
                spans.append(Span(start: cluster[0].start, end: cluster[0].end, value: cluster[0].value))
            } else {
                var owned = IntervalSet()
                for entry in cluster.sorted(by: { ($0.rank, $0.start) < ($1.rank, $1.start) }) {
                    for gap in owned.gaps(from: entry.start, to: entry.end) {
                        spans.append(Span(start: gap.start, end: gap.end, value: entry.value))
                    }
                    owned.insert(entry.start, entry.end)
                }
            }
            cluster = []
        }
        for entry in entries where entry.end > entry.start {
            if entry.start >= end { close() }
            cluster.append(entry)
            end = max(end, entry.end)
        }
        close()
        return spans
    }

    /// The intervals of a calendar, and the last one that was asked for: calendars are slow.
    private struct Bounds {
        var component: Calendar.Component?
        var calendar: Calendar
        var whole: (start: Double, end: Double)
        private let last = Last()

        private final class Last {
            var interval: (start: Double, end: Double)?
        }

        func interval(containing instant: Double) -> (start: Double, end: Double) {
            guard let component else { return whole }
            if let known = last.interval, known.start <= instant, instant < known.end { return known }
            let date = Date(timeIntervalSinceReferenceDate: instant)
            guard let interval = calendar.dateInterval(of: component, for: date) else { return whole }
            let found = (interval.start.timeIntervalSinceReferenceDate, interval.end.timeIntervalSinceReferenceDate)
            last.interval = found
            return found
        }
    }
}

/// Ranges of time that don't overlap, in ascending order.
struct IntervalSet {
    private(set) var ranges: [(start: Double, end: Double)] = []

    /// Adds a range and joins it with those that it touches.
    mutating func insert(_ start: Double, _ end: Double) {
        guard end > start else { return }
        let first = ranges.firstIndex { $0.end >= start } ?? ranges.count
        var (low, high, last) = (start, end, first)
        while last < ranges.count, ranges[last].start <= end {
            low = min(low, ranges[last].start)
            high = max(high, ranges[last].end)
            last += 1
        }
        ranges.replaceSubrange(first..<last, with: [(low, high)])
    }

    /// Returns the parts of a range that are in none of the ranges.
    func gaps(from start: Double, to end: Double) -> [(start: Double, end: Double)] {
        var gaps: [(start: Double, end: Double)] = []
        var position = start
        for range in ranges where range.end > start && range.start < end {
            if range.start > position { gaps.append((position, range.start)) }
            position = max(position, range.end)
        }
        if position < end { gaps.append((position, end)) }
        return gaps
    }

    /// Returns the length of the parts of the ranges between two instants.
    func length(from start: Double, to end: Double) -> Double {
        ranges.reduce(0) { $0 + max(0, min($1.end, end) - max($1.start, start)) }
    }
}
