public import Foundation
public import HealthKit

/// The state of a person at an instant of a sleep period.
public enum SleepStage: Hashable, Sendable, CaseIterable {
    /// Awake, in bed or out of it.
    case awake
    /// Rapid eye movement sleep.
    case rem
    /// Light sleep, the stages N1 and N2.
    case core
    /// Slow-wave sleep, the stage N3.
    case deep
    /// Asleep, recorded without a stage, as before iOS 16 and by many apps.
    case asleep
    /// In bed; no source says whether asleep or awake.
    case inBed

    /// Creates the stage of a value of sleep analysis samples.
    public init(_ value: HKCategoryValueSleepAnalysis) {
        self = Self.allCases.first { $0.value == value } ?? .inBed
    }

    /// The value of sleep analysis samples.
    public var value: HKCategoryValueSleepAnalysis {
        switch self {
        case .awake: .awake
        case .rem: .asleepREM
        case .core: .asleepCore
        case .deep: .asleepDeep
        case .asleep: .asleepUnspecified
        case .inBed: .inBed
        }
    }

    /// Whether the stage is sleep, with or without a known stage.
    public var isAsleep: Bool { self != .awake && self != .inBed }

    /// Whether the stage distinguishes kinds of sleep.
    public var isDetailed: Bool { self == .rem || self == .core || self == .deep }
}

/// A part of a sleep period in one stage.
public struct SleepSegment: Hashable, Sendable {
    /// The stage.
    public var stage: SleepStage
    /// The start.
    public var start: Date
    /// The end, after the start.
    public var end: Date
    /// The source whose sample applies.
    public var source: HKSource

    /// The length in seconds.
    public var duration: TimeInterval { end.timeIntervalSince(start) }
}

/// One stretch of sleep, such as a night or a nap, after merging sources.
///
/// At every instant one source applies, so overlapping sources are never counted twice.
public struct SleepPeriod: Hashable, Sendable {
    /// The stages in ascending order. They don't overlap; a gap is time about which no source says anything.
    public let segments: [SleepSegment]
    /// The time zone at the end of the period: that of the last sample if it has one, else the reader's.
    public let timeZone: TimeZone
    /// Whether a source recorded the time in bed. Otherwise ``timeInBed`` is an estimate.
    public let isTimeInBedRecorded: Bool

    /// Creates a period.
    ///
    /// - Parameter segments: At least one segment, in ascending order and without overlaps.
    public init(segments: [SleepSegment], timeZone: TimeZone, isTimeInBedRecorded: Bool) {
        precondition(!segments.isEmpty, "A sleep period needs at least one segment.")
        self.segments = segments
        self.timeZone = timeZone
        self.isTimeInBedRecorded = isTimeInBedRecorded
    }

    /// The start of the first segment: going to bed if that was recorded, else the beginning of sleep.
    public var start: Date { segments[0].start }

    /// The end of the last segment.
    public var end: Date { segments[segments.count - 1].end }

    /// The sources that apply somewhere, in the order of their first segments.
    public var sources: [HKSource] {
        var sources: [HKSource] = []
        for segment in segments where !sources.contains(segment.source) { sources.append(segment.source) }
        return sources
    }

    /// Seconds in one stage.
    public func duration(of stage: SleepStage) -> TimeInterval {
        segments.reduce(0) { $1.stage == stage ? $0 + $1.duration : $0 }
    }

    /// Whether a source distinguished stages of sleep.
    public var hasStages: Bool { segments.contains { $0.stage.isDetailed } }

    /// Seconds asleep in any stage; `nil` if only the time in bed was recorded.
    public var timeAsleep: TimeInterval? {
        let asleep = segments.filter(\.stage.isAsleep)
        return asleep.isEmpty ? nil : asleep.reduce(0) { $0 + $1.duration }
    }

    /// The beginning of the first sleep; `nil` if only the time in bed was recorded.
    public var asleepStart: Date? { segments.first(where: \.stage.isAsleep)?.start }

    /// The end of the last sleep; `nil` if only the time in bed was recorded.
    public var asleepEnd: Date? { segments.last(where: \.stage.isAsleep)?.end }

    /// Seconds in bed: the time about which a source says something if one recorded the time in bed, else the time
    /// from the start to the end without gaps of an hour or more.
    public var timeInBed: TimeInterval {
        let covered = segments.reduce(0) { $0 + $1.duration }
        guard !isTimeInBedRecorded else { return covered }
        return covered + gaps.filter { $0 < SleepMerging.joiningGap }.reduce(0, +)
    }

    /// Seconds between the end of a segment and the beginning of the next one.
    private var gaps: [TimeInterval] {
        zip(segments, segments.dropFirst()).map { $1.start.timeIntervalSince($0.end) }
    }

    /// Sleep efficiency: time asleep divided by time in bed, from 0 to 1 (Reed and Sacco 2016). `nil` if only the time
    /// in bed was recorded.
    public var efficiency: Double? {
        guard let timeAsleep, timeInBed > 0 else { return nil }
        return min(1, timeAsleep / timeInBed)
    }

    /// Sleep latency: seconds from going to bed to the first sleep. `nil` if it is unknown when the person went to bed
    /// or fell asleep.
    public var latency: TimeInterval? {
        guard let asleepStart, isTimeInBedRecorded || !segments[0].stage.isAsleep else { return nil }
        return asleepStart.timeIntervalSince(start)
    }

    /// Seconds not asleep between the first and the last sleep (WASO); `nil` if only the time in bed was recorded.
    public var wakeAfterSleepOnset: TimeInterval? {
        guard let asleepStart, let asleepEnd, let timeAsleep else { return nil }
        return max(0, asleepEnd.timeIntervalSince(asleepStart) - timeAsleep)
    }

    /// The number of awakenings between the first and the last sleep.
    public var awakenings: Int { awakeStretches.count }

    /// The number of awakenings of more than five minutes, which the National Sleep Foundation rates (Ohayon et al.
    /// 2017).
    public var longAwakenings: Int { awakeStretches.filter { $0 > 300 }.count }

    /// Seconds of every stretch without sleep between two segments of sleep.
    private var awakeStretches: [TimeInterval] {
        let asleep = segments.filter(\.stage.isAsleep)
        // Dates are binary fractions of seconds, so segments that touch can be some nanoseconds apart.
        return zip(asleep, asleep.dropFirst()).map { $1.start.timeIntervalSince($0.end) }.filter { $0 > 1e-3 }
    }
}

/// The sleep of one day: the night that the person woke from on that day, and naps.
public struct SleepNight: Hashable, Sendable {
    /// The Gregorian year, month and day on which the person woke, in ``timeZone``.
    public let day: DateComponents
    /// The time zone at the time of waking.
    public let timeZone: TimeZone
    /// The main sleep; `nil` if the day has naps only.
    public let main: SleepPeriod?
    /// The other periods that ended on the day, in ascending order.
    public let naps: [SleepPeriod]

    /// The beginning of the day, in ``timeZone``.
    public var date: Date {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        return calendar.date(from: day) ?? main?.end ?? naps.first?.end ?? .distantPast
    }

    /// Seconds asleep in the main sleep; `nil` without a main sleep or if only the time in bed was recorded.
    public var timeAsleep: TimeInterval? { main?.timeAsleep }

    /// Seconds asleep in naps.
    public var napTime: TimeInterval { naps.reduce(0) { $0 + ($1.timeAsleep ?? 0) } }

    /// Seconds asleep in the main sleep and in naps; `nil` if only the time in bed was recorded.
    public var totalTimeAsleep: TimeInterval? {
        let known = ([main].compactMap { $0 } + naps).compactMap(\.timeAsleep)
        return known.isEmpty ? nil : known.reduce(0, +)
    }
}
