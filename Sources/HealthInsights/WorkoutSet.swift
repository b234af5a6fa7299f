package import Foundation
package import HealthKit

/// A set of a strength workout: a segment that says which exercise was repeated how often, or with which weight.
package struct WorkoutSet: Hashable, Sendable {
    /// The position, from 1.
    package let number: Int
    package let start: Date
    package let end: Date
    /// The kind of exercise, in words of lowercase letters such as `bench press`; `nil` if unknown.
    package let exercise: String?
    /// How often it was repeated; `nil` if unknown.
    package let repetitions: Int?
    /// The weight in kilograms; `nil` without one.
    package let kilograms: Double?

    /// The sets of a workout in their order; empty for one without any.
    package static func sets(of workout: HKWorkout) -> [WorkoutSet] {
        let segments = (workout.workoutEvents ?? []).filter { event in
            event.type == .segment && ["Exercise", "Repetitions", "Weight"].contains { event.metadata?[$0] != nil }
        }
        return segments.sorted { $0.dateInterval.start < $1.dateInterval.start }.enumerated().map { place, event in
            WorkoutSet(
                number: place + 1, start: event.dateInterval.start, end: event.dateInterval.end,
                exercise: (event.metadata?["Exercise"] as? String)?.replacing("_", with: " "),
                repetitions: (event.metadata?["Repetitions"] as? NSNumber)?.intValue,
                kilograms: (event.metadata?["Weight"] as? HKQuantity).flatMap { weight in
                    let unit = HKUnit.gramUnit(with: .kilo)
                    return weight.is(compatibleWith: unit) ? weight.doubleValue(for: unit) : nil
                })
        }
    }
}
