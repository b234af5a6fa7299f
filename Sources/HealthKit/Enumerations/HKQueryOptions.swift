public import Foundation

/// The dates of a sample that must be within the interval of a predicate.
public struct HKQueryOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The sample starts within the interval.
    public static var strictStartDate: HKQueryOptions { HKQueryOptions(rawValue: 1) }

    /// The sample ends within the interval.
    public static var strictEndDate: HKQueryOptions { HKQueryOptions(rawValue: 2) }
}

/// The statistics to calculate. Averages, minima and maxima are for discrete types, sums for cumulative types;
/// the others are for both.
public struct HKStatisticsOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Statistics of each source besides those of all sources.
    public static var separateBySource: HKStatisticsOptions { HKStatisticsOptions(rawValue: 1) }

    /// The average of a discrete type.
    public static var discreteAverage: HKStatisticsOptions { HKStatisticsOptions(rawValue: 2) }

    /// The minimum of a discrete type.
    public static var discreteMin: HKStatisticsOptions { HKStatisticsOptions(rawValue: 4) }

    /// The maximum of a discrete type.
    public static var discreteMax: HKStatisticsOptions { HKStatisticsOptions(rawValue: 8) }

    /// The sum of a cumulative type.
    public static var cumulativeSum: HKStatisticsOptions { HKStatisticsOptions(rawValue: 16) }

    /// The most recent value.
    public static var mostRecent: HKStatisticsOptions { HKStatisticsOptions(rawValue: 32) }

    /// The previous name of ``mostRecent``.
    public static var discreteMostRecent: HKStatisticsOptions { .mostRecent }

    /// The total duration of the samples.
    public static var duration: HKStatisticsOptions { HKStatisticsOptions(rawValue: 64) }
}

extension NSNotification.Name {
    /// Posted by each store when the person's preferred units change; the object is the store.
    public static let HKUserPreferencesDidChange: NSNotification.Name = NSNotification.Name(
        "HKUserPreferencesDidChangeNotification")
}
