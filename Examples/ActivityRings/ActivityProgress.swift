import Foundation
import HealthKit

/// The printed values of an activity summary.
struct ActivityProgress {
    let kilojoules: Int
    let kilocalories: Int
    let exerciseSeconds: Int
    let standHours: Int
    let movePercent: Int
    let exercisePercent: Int
    let standPercent: Int

    init(_ summary: HKActivitySummary) {
        let kilojoule = HKUnit.jouleUnit(with: .kilo)
        kilojoules = Int(summary.activeEnergyBurned.doubleValue(for: kilojoule).rounded())
        kilocalories = Int(summary.activeEnergyBurned.doubleValue(for: .kilocalorie()).rounded())
        exerciseSeconds = Int(summary.appleExerciseTime.doubleValue(for: .second()).rounded())
        standHours = Int(summary.appleStandHours.doubleValue(for: .count()))
        movePercent = Self.percent(
            summary.activeEnergyBurned.doubleValue(for: kilojoule),
            summary.activeEnergyBurnedGoal.doubleValue(for: kilojoule))
        exercisePercent = Self.percent(
            summary.appleExerciseTime.doubleValue(for: .second()),
            summary.appleExerciseTimeGoal.doubleValue(for: .second()))
        standPercent = Self.percent(
            summary.appleStandHours.doubleValue(for: .count()), summary.appleStandHoursGoal.doubleValue(for: .count()))
    }

    private static func percent(_ value: Double, _ goal: Double) -> Int {
        // A goal of zero means that there is no goal.
        goal == 0 ? 0 : Int((100 * value / goal).rounded())
    }
}
