public import Foundation
public import HealthKit

/// The time of a workout in zones of heart rate.
public struct HeartRateZones: Hashable, Sendable {
    /// Where the zones and times come from.
    public enum Origin: Hashable, Sendable {
        /// Measured and stored with the workout, in iOS 27 and later.
        case workout(HKWorkoutZoneConfiguration.Source)
        /// Calculated from the heart rate, in the zones that the person set.
        case preferred
        /// Calculated from the heart rate, in the zones of an estimated maximum heart rate in beats per minute.
        case estimated(maximumHeartRate: Double)
    }

    /// A zone and the time in it.
    public struct Zone: Hashable, Sendable {
        /// The position, from 1.
        public var number: Int
        /// The first heart rate of the zone in beats per minute; `nil` for the first zone.
        public var minimum: Double?
        /// The first heart rate of the next zone in beats per minute; `nil` for the last zone.
        public var maximum: Double?
        /// Seconds without pauses.
        public var duration: TimeInterval
    }

    /// Where the zones and times come from.
    public let origin: Origin
    /// The zones in ascending order.
    public let zones: [Zone]

    /// Seconds in all zones. Time without a heart rate is in none.
    public var duration: TimeInterval { zones.reduce(0) { $0 + $1.duration } }

    /// The bounds between the five estimated zones, as shares of the maximum heart rate.
    public static let estimatedShares = [0.6, 0.7, 0.8, 0.9]

    /// The maximum heart rate of an age in beats per minute: 220 minus the age in years (Fox, Naughton and Haskell
    /// 1971), as for the zones of HealthKit in this package. Individual maxima differ, with a standard deviation of
    /// about 10.
    public static func estimatedMaximum(age: Int) -> Double { Double(220 - min(max(age, 0), 120)) }

    /// The zones that a workout has; `nil` if it has none.
    init?(of workout: HKWorkout) {
        guard let group = workout.zoneGroup(for: HKQuantityType(.heartRate)) else { return nil }
        origin = .workout(group.configuration.source)
        zones = group.zoneDurations.map { entry in
            Zone(
                number: entry.zone.index + 1, minimum: entry.zone.minimum?.doubleValue(for: .beatsPerMinute),
                maximum: entry.zone.maximum?.doubleValue(for: .beatsPerMinute), duration: entry.duration)
        }
    }

    /// Calculates the time in zones. A heart rate holds until the next one, and at most a minute after its own end.
    ///
    /// - Parameters:
    ///   - boundaries: The bounds between zones in beats per minute, in ascending order.
    ///   - points: Heart rates in ascending order.
    ///   - pauses: The time that doesn't count.
    init(
        origin: Origin, boundaries: [Double], points: [MeasuredPoint], from start: Date, to end: Date,
        pauses: IntervalSet
    ) {
        let (begin, finish) = (start.timeIntervalSinceReferenceDate, end.timeIntervalSinceReferenceDate)
        var durations = [Double](repeating: 0, count: boundaries.count + 1)
        for (index, point) in points.enumerated() {
            let next = index + 1 < points.count ? points[index + 1].start : .infinity
            let from = max(point.start, begin)
            let to = min(next, point.end + Self.maximumGap, finish)
            guard to > from else { continue }
            let zone = boundaries.firstIndex { point.value < $0 } ?? boundaries.count
            durations[zone] += to - from - pauses.length(from: from, to: to)
        }
        self.origin = origin
        zones = durations.indices.map { index in
            Zone(
                number: index + 1, minimum: index == 0 ? nil : boundaries[index - 1],
                maximum: index == boundaries.count ? nil : boundaries[index], duration: durations[index])
        }
    }

    /// Seconds after the end of a sample for which its heart rate still holds.
    private static let maximumGap = 60.0
}

/// A quantity that was measured in a workout.
struct MeasuredPoint {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    var end: Double
    /// Beats per minute, or meters.
    var value: Double
}

extension [MeasuredPoint] {
    /// The mean of those that begin between two instants.
    func average(from: Double, to: Double) -> Double? {
        filter { $0.start >= from && $0.start < to }.map(\.value).mean
    }
}
