import CoreLocation
import Foundation
package import HealthKit

/// A figure of a workout over its time, to draw.
package struct WorkoutCurve: Hashable, Sendable {
    /// A figure of a workout that can be drawn.
    package enum Figure: Hashable, Sendable, CaseIterable {
        /// Meters per second.
        case speed
        /// Beats per minute.
        case heartRate
        /// Meters above sea level.
        case elevation
        /// Watts.
        case power
        /// Revolutions or, on foot, steps per minute.
        case cadence
    }

    /// The figure that is drawn.
    package let figure: Figure
    /// The points in ascending order; never empty.
    package let points: [WorkoutPoint]
    /// The mean of the samples; of the speed, the distance by the time without pauses.
    package let average: Double

    /// Creates a curve of samples; `nil` without any.
    init?(_ figure: Figure, _ samples: [MeasuredPoint], average: Double? = nil, maximum: Int) {
        guard !samples.isEmpty else { return nil }
        self.figure = figure
        points = WorkoutPoint.curve(of: samples, maximum: maximum, step: 1)
        self.average = average ?? samples.reduce(0) { $0 + $1.value } / Double(samples.count)
    }

    /// The speeds of windows of the workout, from distances in ascending order.
    ///
    /// Windows are at least 20 s long, because locations are inaccurate by some meters. One that was mostly paused, or
    /// has no distance, is a gap.
    static func speeds(
        of pieces: [DistancePiece], from start: Double, to end: Double, pauses: IntervalSet, maximum: Int
    ) -> [MeasuredPoint] {
        guard end > start, !pieces.isEmpty else { return [] }
        let window = max(20, (end - start) / Double(max(1, maximum)))
        var (speeds, first): ([MeasuredPoint], Int) = ([], 0)
        for index in 0..<Int(((end - start) / window).rounded(.up)) {
            let from = start + Double(index) * window
            let to = min(from + window, end)
            while first < pieces.count, pieces[first].end < from { first += 1 }
            let seconds = to - from - pauses.length(from: from, to: to)
            guard seconds > window / 2 else { continue }
            let meters = DistancePiece.meters(of: pieces[first...].prefix { $0.start <= to }, from: from, to: to)
            guard meters > 0 else { continue }
            speeds.append(MeasuredPoint(start: from, end: to, value: meters / seconds))
        }
        return speeds
    }
}

extension WorkoutHistory {
    /// Returns the figures of a workout over its time that are known, each with about `maximum` points at most.
    ///
    /// - Throws: `HKError` if reading fails.
    package func curves(of workout: HKWorkout, maximum: Int) async throws -> [WorkoutCurve] {
        let summary = WorkoutSummary(workout)
        var curves: [WorkoutCurve?] = []
        if workout.workoutActivityType.coversDistance {
            let speeds = WorkoutCurve.speeds(
                of: try await pieces(of: workout).pieces, from: workout.startDate.timeIntervalSinceReferenceDate,
                to: workout.endDate.timeIntervalSinceReferenceDate, pauses: PausedTime.pauses(of: workout),
                maximum: maximum)
            curves.append(WorkoutCurve(.speed, speeds, average: summary.speed, maximum: maximum))
        }
        curves.append(WorkoutCurve(.heartRate, try await heartRates(of: workout), maximum: maximum))
        let elevations = try await locations(of: workout).joined().filter { $0.verticalAccuracy >= 0 }.map { location in
            let instant = location.timestamp.timeIntervalSinceReferenceDate
            return MeasuredPoint(start: instant, end: instant, value: location.altitude)
        }
        curves.append(WorkoutCurve(.elevation, elevations, maximum: maximum))
        curves.append(WorkoutCurve(.power, try await powers(of: workout), maximum: maximum))
        curves.append(WorkoutCurve(.cadence, try await cadences(of: workout), maximum: maximum))
        return curves.compactMap { $0 }
    }

    private func powers(of workout: HKWorkout) async throws -> [MeasuredPoint] {
        let riding = try await quantities(HKQuantityType(.cyclingPower), of: workout, unit: .watt())
        return riding.isEmpty
            ? try await quantities(HKQuantityType(.runningPower), of: workout, unit: .watt()) : riding
    }

    /// Revolutions per minute; on foot, the steps by the time in which they were counted, if that is short enough.
    private func cadences(of workout: HKWorkout) async throws -> [MeasuredPoint] {
        let riding = try await quantities(HKQuantityType(.cyclingCadence), of: workout, unit: .beatsPerMinute)
        guard riding.isEmpty, [.walking, .running, .hiking].contains(workout.workoutActivityType) else { return riding }
        return try await quantities(HKQuantityType(.stepCount), of: workout, unit: .count()).compactMap { steps in
            let seconds = steps.end - steps.start
            guard seconds > 0, seconds <= 60 else { return nil }
            return MeasuredPoint(start: steps.start, end: steps.end, value: steps.value * 60 / seconds)
        }
    }
}
