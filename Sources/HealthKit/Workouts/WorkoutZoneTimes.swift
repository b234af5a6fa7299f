import Foundation
import HealthModel

// Zones without durations are those to measure in. Session records contain them, too.
extension WorkoutZoneRecord {
    /// The identifiers of the types that have zones.
    static let types = [HKQuantityTypeIdentifier.heartRate.rawValue, HKQuantityTypeIdentifier.cyclingPower.rawValue]
    /// The allowed numbers of boundaries: three to nine zones.
    static let boundaryCounts = 2...8

    /// The zones alone.
    init(type: String, unit: String, boundaries: [Double], source: Source) {
        self.init(type: type, unit: unit, boundaries: boundaries, source: source, durations: [])
    }

    /// Returns the zones with the time in each of them.
    func with(_ durations: [Double], of activity: UUID? = nil) -> WorkoutZoneRecord {
        WorkoutZoneRecord(
            type: type, unit: unit, boundaries: boundaries, source: source, durations: durations, activity: activity)
    }

    /// The index of the zone of a value: a boundary belongs to the zone above it.
    func index(of value: Double) -> Int {
        boundaries.firstIndex { value < $0 } ?? boundaries.count
    }

    /// The zones that are calculated for a person: five zones of heart rate, from 60, 70, 80 and 90 % of the maximum,
    /// which is 220 minus the age (Fox, Naughton and Haskell 1971).
    static func heartRate(age: Int?) -> WorkoutZoneRecord {
        let maximum = Double(220 - min(max(age ?? defaultAge, 0), 120))
        return WorkoutZoneRecord(
            type: HKQuantityTypeIdentifier.heartRate.rawValue, unit: "count/min",
            boundaries: [0.6, 0.7, 0.8, 0.9].map { (maximum * $0).rounded() }, source: .system)
    }

    /// The age of a person whose date of birth is unknown.
    private static let defaultAge = 30
}

extension HKWorkoutZoneGroup {
    /// The groups by type; `nil` if there are none.
    static func groupsByType(_ zones: [WorkoutZoneRecord]) -> [HKQuantityType: HKWorkoutZoneGroup]? {
        guard !zones.isEmpty else { return nil }
        let groups = zones.compactMap { HKWorkoutZoneGroup($0) }
        return Dictionary(groups.map { ($0.configuration.quantityType, $0) }) { first, _ in first }
    }

    static func group(of type: HKQuantityType, in zones: [WorkoutZoneRecord]) -> HKWorkoutZoneGroup? {
        zones.first { $0.type == type.identifier }.flatMap { HKWorkoutZoneGroup($0) }
    }
}

/// The course of a measured value through the zones of a workout.
///
/// A value holds from its sample's start to the start of the next sample, and at most ``maximumGap`` after its own
/// end; pauses don't count. How the original counts gaps is not published.
struct WorkoutZoneProgress {
    struct Value {
        /// Seconds since 2001-01-01 00:00:00 UTC.
        var start: Double
        var end: Double
        /// In the unit of the boundaries.
        var value: Double
    }

    /// Seconds after the end of a sample for which its value still holds.
    static let maximumGap = 60.0

    private(set) var durations: [Double]
    /// The index of the last value's zone, and of the zone before it.
    private(set) var current: Int?
    private(set) var previous: Int?
    /// The end of the last sample.
    private(set) var lastDate: Double?

    /// Follows the values between two instants.
    ///
    /// - Parameters:
    ///   - end: The end of the workout or activity; `nil` if it has none yet, when the last value holds until its end.
    ///   - events: The workout's events, in ascending order.
    init(
        _ values: [Value], in zones: WorkoutZoneRecord, from start: Double, to end: Double?, events: [WorkoutBody.Event]
    ) {
        durations = Array(repeating: 0, count: zones.boundaries.count + 1)
        let pauses = events.filter { event in
            switch HKWorkoutEventType(rawValue: event.type) {
            case .pause, .resume, .motionPaused, .motionResumed: true
            default: false
            }
        }
        let sorted =
            values
            .filter { $0.value.isFinite && $0.end + Self.maximumGap >= start && $0.start <= end ?? .infinity }
            .sorted { $0.start < $1.start }
        for (position, value) in sorted.enumerated() {
            let zone = zones.index(of: value.value)
            if zone != current {
                previous = current
                current = zone
            }
            lastDate = max(lastDate ?? value.end, value.end)
            let isLast = position == sorted.count - 1
            let hold = isLast && end == nil ? value.end : value.end + Self.maximumGap
            let from = max(value.start, start)
            let to = min(isLast ? hold : min(hold, sorted[position + 1].start), end ?? .infinity)
            guard to > from else { continue }
            durations[zone] += pauses.isEmpty ? to - from : WorkoutPauses.duration(from: from, to: to, events: pauses)
        }
    }
}
