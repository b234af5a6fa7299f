package import Foundation
package import HealthKit

/// A part of a workout: between two presses of the lap button, or one sport of several.
package struct WorkoutLap: Hashable, Sendable {
    /// The position, from 1.
    package let number: Int
    package let start: Date
    package let end: Date
    /// Seconds without pauses.
    package let duration: TimeInterval
    /// The distance in meters; `nil` if it isn't known by time.
    package let meters: Double?
    /// The average of the heart rate in beats per minute; `nil` if unknown.
    package let averageHeartRate: Double?
    /// The sport in a multisport workout; `nil` in another.
    package let activityType: HKWorkoutActivityType?

    /// Seconds per kilometer; `nil` without a distance.
    package var pace: TimeInterval? { WorkoutFigures.pace(seconds: duration, meters: meters) }
    /// Meters per second; `nil` without a distance.
    package var speed: Double? { pace.map { 1_000 / $0 } }

    /// The laps of a workout between its events of laps, whose beginnings and ends less than a second apart are one;
    /// empty without such events.
    static func laps(
        of workout: HKWorkout, pieces: [DistancePiece], pauses: IntervalSet, heartRates: [MeasuredPoint]
    ) -> [WorkoutLap] {
        let (start, end) = (
            workout.startDate.timeIntervalSinceReferenceDate, workout.endDate.timeIntervalSinceReferenceDate
        )
        let events = (workout.workoutEvents ?? []).filter { $0.type == .lap }.map(\.dateInterval)
        guard !events.isEmpty else { return [] }
        let bounds = events.flatMap {
            [$0.start.timeIntervalSinceReferenceDate, $0.end.timeIntervalSinceReferenceDate]
        }.sorted().reduce(into: [start]) { bounds, bound in
            if bound - bounds[bounds.count - 1] >= 1, end - bound >= 1 { bounds.append(bound) }
        }
        return zip(bounds, bounds.dropFirst() + [end]).enumerated().map { index, bound in
            let (from, to) = bound
            return WorkoutLap(
                number: index + 1, start: Date(timeIntervalSinceReferenceDate: from),
                end: Date(timeIntervalSinceReferenceDate: to),
                duration: to - from - pauses.length(from: from, to: to),
                meters: pieces.isEmpty ? nil : DistancePiece.meters(of: pieces[...], from: from, to: to),
                averageHeartRate: heartRates.average(from: from, to: to),
                activityType: workout.legs.last { $0.startDate.timeIntervalSinceReferenceDate <= from + 1 }?.sport)
        }
    }
}

extension DistancePiece {
    /// The distance between two instants; that of a piece grows evenly.
    static func meters(of pieces: ArraySlice<DistancePiece>, from: Double, to: Double) -> Double {
        pieces.reduce(0) { sum, piece in
            guard piece.end > piece.start else {
                return piece.start >= from && piece.start < to ? sum + piece.meters : sum
            }
            let seconds = max(0, min(piece.end, to) - max(piece.start, from))
            return sum + piece.meters * seconds / (piece.end - piece.start)
        }
    }
}

extension WorkoutHistory {
    /// Returns the laps of a workout; none if nobody pressed the button.
    ///
    /// - Throws: `HKError` if reading fails.
    package func laps(of workout: HKWorkout) async throws -> [WorkoutLap] {
        guard workout.workoutEvents?.contains(where: { $0.type == .lap }) ?? false else { return [] }
        let covers = workout.workoutActivityType.coversDistance
        return WorkoutLap.laps(
            of: workout, pieces: covers ? try await pieces(of: workout).pieces : [],
            pauses: PausedTime.pauses(of: workout), heartRates: try await heartRates(of: workout))
    }
}
