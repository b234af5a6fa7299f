public import Foundation
public import HealthKit

/// Reads nights of sleep from a store.
///
/// Samples that are less than an hour apart are one period. A longer gap, of less than three hours between 23:00 and
/// 8:00, is getting up in the night and does not end the period either. A period belongs to the day on which it ends,
/// in the time zone in which it was recorded: of each day, the period with the most sleep is the main sleep, and the
/// others are naps. If the longest period has less than three hours of sleep and begins between 10:00 and 20:00, it is
/// a nap as well.
///
/// The gap of an hour is that of van Hees et al. 2018; the other rules are ours.
public struct SleepReader: Sendable {
    private let store: HKHealthStore
    let calendar: Calendar
    private let merging: SleepMerging
    private let excludedSources: Set<String>
    private let usesRecordedTimeZones: Bool
    /// Ranks of sources by device, beyond their samples of sleep: 0 for an Apple Watch, 1 for an iPhone.
    package var deviceRanks: [String: Int] = [:]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - store: The store to read. If sleep analysis may not be read, there are no nights.
    ///   - calendar: The calendar whose time zone determines days where samples have none, and the days to read.
    ///   - sourceOrder: Bundle identifiers in the person's own order, best first. Sources that are not listed follow.
    ///   - excludedSources: Bundle identifiers of sources that don't count.
    ///   - usesRecordedTimeZones: Whether a night belongs to a day of the time zone in the metadata of its samples.
    public init(
        store: HKHealthStore, calendar: Calendar = .current, sourceOrder: [String] = [],
        excludedSources: Set<String> = [], usesRecordedTimeZones: Bool = true
    ) {
        self.store = store
        self.calendar = calendar
        merging = SleepMerging(sourceOrder: sourceOrder)
        self.excludedSources = excludedSources
        self.usesRecordedTimeZones = usesRecordedTimeZones
    }

    /// The types to request authorization for.
    public static var typesToRead: Set<HKObjectType> { [HKCategoryType(.sleepAnalysis)] }

    /// Returns the sleep of the days that begin in an interval, in ascending order. Days without sleep are left out.
    ///
    /// - Throws: `HKError` if reading fails.
    public func nights(in interval: DateInterval) async throws -> [SleepNight] {
        // A period may begin on the day before, and time zones differ by up to 26 hours.
        let margin = 2 * 86_400.0
        let samples = try await samples(from: interval.start - margin, to: interval.end + 2 * margin)
        let first = dayNumber(calendar.dateComponents([.year, .month, .day], from: interval.start))
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        let midnight = gregorian.startOfDay(for: interval.start)
        let begin = interval.start > midnight ? first + 1 : first
        let last = dayNumber(gregorian.dateComponents([.year, .month, .day], from: interval.end))
        let end = interval.end > gregorian.startOfDay(for: interval.end) ? last : last - 1
        return nights(of: samples).filter { (begin...max(begin, end)).contains(dayNumber($0.day)) && begin <= end }
    }

    /// Returns the sleep of the day that contains a date, in the reader's time zone; `nil` if there is none.
    ///
    /// - Throws: `HKError` if reading fails.
    public func night(wakingOn date: Date) async throws -> SleepNight? {
        let start = calendar.startOfDay(for: date)
        return try await nights(in: DateInterval(start: start, duration: 3_600)).first
    }

    /// Returns the nights of samples, in ascending order of their days.
    func nights(of entries: [SleepEntry]) -> [SleepNight] {
        let periods = nightlyPeriods(periods(of: entries))
        let byDay = Dictionary(grouping: periods) { dayNumber(day(of: $0)) }
        return byDay.sorted { $0.key < $1.key }.map { _, periods in
            let longest = periods.max { (Self.extent($0), $1.start) < (Self.extent($1), $0.start) }
            let main = longest.flatMap { isNap($0) ? nil : $0 }
            let last = main ?? periods[periods.count - 1]
            return SleepNight(
                day: day(of: last), timeZone: last.timeZone, main: main, naps: periods.filter { $0 != main })
        }
    }

    /// Seconds asleep, which decide before the time in bed.
    private static func extent(_ period: SleepPeriod) -> Double {
        period.timeAsleep.map { 1e6 + $0 } ?? period.timeInBed
    }

    private func isNap(_ period: SleepPeriod) -> Bool {
        guard period.timeAsleep ?? period.timeInBed < 3 * 3_600 else { return false }
        return (10..<20).contains(hour(of: period.start, in: period.timeZone))
    }

    // MARK: Periods

    /// Divides samples at gaps of an hour and merges each part.
    private func periods(of entries: [SleepEntry]) -> [SleepPeriod] {
        // A person isn't awake in bed for hours; such samples would join one night with the next.
        let useful = entries.filter { $0.end > $0.start && ($0.stage != .awake || $0.end - $0.start < 3 * 3_600) }
            .sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        var groups: [[SleepEntry]] = []
        var end = -Double.infinity
        for entry in useful {
            if entry.start - end < SleepMerging.joiningGap {
                groups[groups.count - 1].append(entry)
            } else {
                groups.append([entry])
            }
            end = max(end, entry.end)
        }
        return groups.compactMap { group in
            guard group.contains(where: { $0.stage != .awake }) else { return nil }
            let segments = merging.segments(of: group)
            guard !segments.isEmpty else { return nil }
            let last = usesRecordedTimeZones ? group.filter { $0.timeZoneName != nil }.max { $0.end < $1.end } : nil
            let zone = last?.timeZoneName.flatMap { TimeZone(identifier: $0) }
            return SleepPeriod(
                segments: segments, timeZone: zone ?? calendar.timeZone,
                isTimeInBedRecorded: group.contains { $0.stage == .inBed })
        }
    }

    /// Joins the periods of a night in which the person got up.
    private func nightlyPeriods(_ periods: [SleepPeriod]) -> [SleepPeriod] {
        periods.reduce(into: []) { joined, period in
            guard let last = joined.last, isNightly(from: last.end, to: period.start, in: period.timeZone) else {
                return joined.append(period)
            }
            joined[joined.count - 1] = SleepPeriod(
                segments: last.segments + period.segments, timeZone: period.timeZone,
                isTimeInBedRecorded: last.isTimeInBedRecorded || period.isTimeInBedRecorded)
        }
    }

    private func isNightly(from start: Date, to end: Date, in timeZone: TimeZone) -> Bool {
        guard end.timeIntervalSince(start) < 3 * 3_600 else { return false }
        let night = (23 - 24..<8)
        let (first, last) = (hour(of: start, in: timeZone), hour(of: end - 1, in: timeZone))
        return night.contains(first >= 23 ? first - 24 : first) && night.contains(last >= 23 ? last - 24 : last)
    }

    private func hour(of date: Date, in timeZone: TimeZone) -> Int {
        let wall = date.timeIntervalSinceReferenceDate + Double(timeZone.secondsFromGMT(for: date))
        return Int((wall / 3_600).rounded(.down)) - 24 * Int((wall / 86_400).rounded(.down))
    }

    // MARK: Days

    private func day(of period: SleepPeriod) -> DateComponents {
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = period.timeZone
        // A night that ends at midnight belongs to the day before.
        return gregorian.dateComponents([.year, .month, .day], from: period.end - 1)
    }

    /// Orders days of the Gregorian calendar without a time zone.
    private func dayNumber(_ day: DateComponents) -> Int {
        ((day.year ?? 0) * 12 + (day.month ?? 0)) * 31 + (day.day ?? 0)
    }

    // MARK: Samples

    private func samples(from start: Date, to end: Date) async throws -> [SleepEntry] {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [
                .categorySample(
                    type: HKCategoryType(.sleepAnalysis),
                    predicate: HKQuery.predicateForSamples(withStart: start, end: end))
            ],
            sortDescriptors: [SortDescriptor(\.startDate)])
        return try await descriptor.result(for: store).compactMap { sample in
            guard let value = HKCategoryValueSleepAnalysis(rawValue: sample.value),
                !excludedSources.contains(sample.sourceRevision.source.bundleIdentifier)
            else { return nil }
            return SleepEntry(sample, stage: SleepStage(value), deviceRanks)
        }
    }
}

extension SleepEntry {
    init(_ sample: HKCategorySample, stage: SleepStage, _ deviceRanks: [String: Int]) {
        let metadata = sample.metadata
        let revision = sample.sourceRevision
        let (product, model) = (
            revision.productType ?? sample.device?.hardwareVersion ?? "", sample.device?.model ?? ""
        )
        // An app that runs on a watch or phone has its product type, too, but a version of its own. An archive has no
        // identifiers, and people give their devices any name.
        let isDevice =
            revision.source.bundleIdentifier.hasPrefix("com.apple.health.") || product == "Watch" || product == "iPhone"
            || (revision.version != nil && revision.version == sample.device?.softwareVersion)
        let isWatch = isDevice && (product.hasPrefix("Watch") || model == "Watch")
        let isPhone =
            isDevice && (product.hasPrefix("iPhone") || product.hasPrefix("iPod") || model == "iPhone")
        self.init(
            start: sample.startDate.timeIntervalSinceReferenceDate, end: sample.endDate.timeIntervalSinceReferenceDate,
            stage: stage, source: revision.source,
            isEnteredByHand: (metadata?[HKMetadataKeyWasUserEntered] as? NSNumber)?.boolValue ?? false,
            deviceRank: min(isWatch ? 0 : isPhone ? 1 : 2, deviceRanks[revision.source.bundleIdentifier] ?? 2),
            timeZoneName: metadata?[HKMetadataKeyTimeZone] as? String)
    }
}
