public import Foundation
public import HealthKit

extension HKActivitySummary {
    /// A day's rings. Applications can fill a summary but not give it a day.
    ///
    /// - Parameters:
    ///   - date: a Gregorian year, month and day.
    ///   - activeEnergy: kilocalories and their goal.
    ///   - exercise: minutes and their goal.
    ///   - standHours: hours and their goal.
    public static func testing(
        _ date: DateComponents, activeEnergy: (Double, goal: Double) = (0, 0),
        exercise: (Double, goal: Double) = (0, 0), standHours: (Double, goal: Double) = (0, 0)
    ) -> HKActivitySummary {
        let summary = HKActivitySummary.ofDay(year: date.year ?? 1, month: date.month ?? 1, day: date.day ?? 1)
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: activeEnergy.0)
        summary.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: activeEnergy.goal)
        summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: exercise.0)
        summary.exerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: exercise.goal)
        summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: standHours.0)
        summary.standHoursGoal = HKQuantity(unit: .count(), doubleValue: standHours.goal)
        return summary
    }
}
