public import Foundation
public import HealthKit

/// A kilometer or a mile of a workout.
public struct WorkoutSplit: Hashable, Sendable {
    /// The length of splits.
    public enum Length: Hashable, Sendable, CaseIterable {
        /// 1,000 m.
        case kilometer
        /// 1,609.344 m.
        case mile

        /// The length in meters.
        public var meters: Double { self == .kilometer ? 1_000 : 1_609.344 }
    }

    /// The position, from 1.
    public var number: Int
    /// The distance in meters; less than the length for the last split.
    public var meters: Double
    /// The start.
    public var start: Date
    /// The end.
    public var end: Date
    /// Seconds without pauses.
    public var duration: TimeInterval
    /// The average of the heart rate in beats per minute; `nil` if unknown.
    public var averageHeartRate: Double?
    /// Whether the split has its full length.
    public var isComplete: Bool
    /// The sport of the leg of a multisport workout, whose splits are counted from 1 again; `nil` in another.
    public var activityType: HKWorkoutActivityType?
    /// Whether it is the fastest complete split of several: of the workout, or of its leg.
    public var isFastest = false

    /// Seconds per kilometer.
    public var pace: TimeInterval { meters > 0 ? duration / (meters / 1_000) : 0 }
}

/// The splits of a workout.
public struct WorkoutSplits: Hashable, Sendable {
    /// The origin of a distance.
    public enum Origin: Hashable, Sendable, CaseIterable {
        /// Samples of a distance type.
        case distanceSamples
        /// The locations of the workout's route.
        case route
    }

    /// The maximum number of splits; a longer distance isn't one that a person covered.
    public static let maximumCount = 10_000

    /// The length of complete splits.
    public let length: WorkoutSplit.Length
    /// The origin of the distance.
    public let origin: Origin
    /// The splits in ascending order. The last one can be shorter.
    public let splits: [WorkoutSplit]

    /// The complete split with the fewest seconds; the first of equal ones. `nil` if none is complete.
    public var fastest: WorkoutSplit? {
        splits.filter(\.isComplete).min { $0.duration < $1.duration }
    }

    /// The sum of the splits' distances in meters.
    public var meters: Double { splits.reduce(0) { $0 + $1.meters } }

    /// The splits of the legs of a multisport workout.
    init(length: WorkoutSplit.Length, origin: Origin, legs: [(sport: HKWorkoutActivityType, splits: WorkoutSplits)]) {
        (self.length, self.origin) = (length, origin)
        splits = legs.flatMap { leg in
            leg.splits.splits.map { split in
                var split = split
                split.activityType = leg.sport
                return split
            }
        }
    }

    /// - Parameters:
    ///   - pieces: The distances, in ascending order and without overlaps.
    ///   - heartRates: Heart rates in ascending order.
    init(
        length: WorkoutSplit.Length, origin: Origin, pieces: [DistancePiece], from start: Date, to end: Date,
        pauses: IntervalSet, heartRates: [MeasuredPoint]
    ) {
        self.length = length
        self.origin = origin
        var (splits, covered): ([WorkoutSplit], Double) = ([], 0)
        var position = start.timeIntervalSinceReferenceDate
        func close(at instant: Double, meters: Double, isComplete: Bool) {
            splits.append(
                WorkoutSplit(
                    number: splits.count + 1, meters: meters, start: Date(timeIntervalSinceReferenceDate: position),
                    end: Date(timeIntervalSinceReferenceDate: instant),
                    duration: instant - position - pauses.length(from: position, to: instant),
                    averageHeartRate: heartRates.average(from: position, to: instant),
                    isComplete: isComplete))
            position = instant
        }
        for piece in pieces {
            var rest = piece.meters
            while covered + rest >= length.meters, rest > 0 {
                rest -= length.meters - covered
                // The distance of a piece grows evenly.
                let instant = piece.end - (piece.end - piece.start) * max(0, rest) / piece.meters
                close(at: max(position, instant), meters: length.meters, isComplete: true)
                covered = 0
            }
            covered += max(0, rest)
        }
        // A remainder of less than a meter is an inaccuracy.
        if covered >= 1 {
            close(at: max(position, end.timeIntervalSinceReferenceDate), meters: covered, isComplete: false)
        }
        let complete = splits.indices.filter { splits[$0].isComplete }
        if splits.count > 1, let fastest = complete.min(by: { splits[$0].duration < splits[$1].duration }) {
            splits[fastest].isFastest = true
        }
        self.splits = splits
    }
}

/// A distance that was covered evenly between two instants.
struct DistancePiece {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    var end: Double
    var meters: Double

    /// The part between two instants; `nil` without one.
    func clipped(from first: Date, to last: Date) -> DistancePiece? {
        let (first, last) = (first.timeIntervalSinceReferenceDate, last.timeIntervalSinceReferenceDate)
        guard end > start else { return start >= first && start <= last ? self : nil }
        let (from, to) = (max(start, first), min(end, last))
        return to > from ? DistancePiece(start: from, end: to, meters: meters * (to - from) / (end - start)) : nil
    }

    /// Sorts pieces and removes what overlaps an earlier one, with its share of the distance.
    static func ordered(_ pieces: [DistancePiece]) -> [DistancePiece] {
        var ordered: [DistancePiece] = []
        for piece in pieces.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) where piece.meters > 0 {
            var piece = piece
            let last = ordered.last?.end ?? -.infinity
            if piece.start < last {
                guard piece.end > last else { continue }
                piece.meters *= (piece.end - last) / (piece.end - piece.start)
                piece.start = last
            }
            ordered.append(piece)
        }
        return ordered
    }
}

/// The paused time of workouts.
enum PausedTime {
    /// The pauses between the events of a workout. One that is not resumed lasts until the end.
    static func pauses(of workout: HKWorkout) -> IntervalSet {
        var pauses = IntervalSet()
        for pause in workout.pauses { pauses.insert(pause.lowerBound, pause.upperBound) }
        return pauses
    }
}
