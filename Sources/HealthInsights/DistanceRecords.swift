package import Foundation
package import HealthKit

/// The least time in which a distance was covered anywhere within a workout. Pauses count, as in a race.
package struct DistanceRecord: Hashable, Sendable {
    package let activityType: HKWorkoutActivityType
    package let meters: Double
    package let duration: TimeInterval
    package let start: Date
    /// The identifier of the workout.
    package let uuid: UUID

    /// The distances that people race: kilometer, mile, 5 and 10 kilometers, half marathon and marathon.
    static let distances = [1_000.0, WorkoutSplit.Length.mile.meters, 5_000, 10_000, 21_097.5, 42_195]

    /// The least time over a distance, and when it began; `nil` if the pieces together are shorter. Times in which the
    /// distance would be covered faster than `maximumSpeed`, in meters per second, don't count.
    ///
    /// - Parameter pieces: In ascending order and without overlaps. The distance of a piece grows evenly.
    static func fastest(
        _ meters: Double, in pieces: [DistancePiece], maximumSpeed: Double
    ) -> (start: Double, duration: TimeInterval)? {
        var points: [(time: Double, meters: Double)] = []
        for piece in pieces {
            let covered = points.last?.meters ?? 0
            points += [(piece.start, covered), (piece.end, covered + piece.meters)]
        }
        var best: (start: Double, duration: TimeInterval)?
        // The least time begins or ends at a point. Its other bound, between two points, moves forward with it.
        for side in [meters, -meters] {
            var other = 0
            for point in points {
                let target = point.meters + side
                while other + 1 < points.count, points[other + 1].meters < target { other += 1 }
                guard other + 1 < points.count, points[other].meters <= target else { continue }
                let (from, to) = (points[other], points[other + 1])
                let share = (target - from.meters) / max(to.meters - from.meters, .leastNonzeroMagnitude)
                let time = from.time + (to.time - from.time) * min(1, share)
                let (start, duration) = (min(time, point.time), abs(time - point.time))
                guard duration >= meters / maximumSpeed, duration < best?.duration ?? .infinity else { continue }
                best = (start, duration)
            }
        }
        return best
    }
}

extension WorkoutHistory {
    /// The workouts of an activity that are searched: those with the fastest averages.
    private static let mostSearched = 500

    /// Returns the records of each type of activity over distances, the shortest first.
    ///
    /// - Throws: `HKError` if reading fails.
    package func distanceRecords(of workouts: [HKWorkout]) async throws -> [DistanceRecord] {
        var records: [DistanceRecord] = []
        for (activity, workouts) in Dictionary(grouping: workouts, by: \.workoutActivityType)
        where activity.coversDistance {
            var best: [Double: DistanceRecord] = [:]
            let fast = workouts.map { ($0, WorkoutSummary($0)) }.sorted { $0.1.speed ?? 0 > $1.1.speed ?? 0 }
            for (workout, summary) in fast.prefix(Self.mostSearched) where summary.meters ?? 0 >= 1_000 {
                let pieces = try await pieces(of: workout).pieces
                for meters in DistanceRecord.distances {
                    guard let found = DistanceRecord.fastest(meters, in: pieces, maximumSpeed: activity.maximumSpeed),
                        found.duration < best[meters]?.duration ?? .infinity
                    else { continue }
                    best[meters] = DistanceRecord(
                        activityType: activity, meters: meters, duration: found.duration,
                        start: Date(timeIntervalSinceReferenceDate: found.start), uuid: workout.uuid)
                }
            }
            records += best.values
        }
        return records.sorted { ($0.activityType.rawValue, $0.meters) < ($1.activityType.rawValue, $1.meters) }
    }
}
