import Foundation
import HealthModel

/// The archived form of an activity summary.
struct ActivitySummaryArchive: Codable {
    var day: ActivitySummaryFields.Day?
    var activeEnergyBurned: QuantityRecord
    var activeEnergyBurnedGoal: QuantityRecord
    var appleMoveTime: QuantityRecord
    var appleMoveTimeGoal: QuantityRecord
    var appleExerciseTime: QuantityRecord
    var exerciseTimeGoal: QuantityRecord?
    var appleStandHours: QuantityRecord
    var standHoursGoal: QuantityRecord?
    var moveMode: Int
    var isPaused: Bool

    init(_ fields: ActivitySummaryFields) {
        day = fields.day
        activeEnergyBurned = fields.activeEnergyBurned.record
        activeEnergyBurnedGoal = fields.activeEnergyBurnedGoal.record
        appleMoveTime = fields.appleMoveTime.record
        appleMoveTimeGoal = fields.appleMoveTimeGoal.record
        appleExerciseTime = fields.appleExerciseTime.record
        exerciseTimeGoal = fields.exerciseTimeGoal.map { $0.record }
        appleStandHours = fields.appleStandHours.record
        standHoursGoal = fields.standHoursGoal.map { $0.record }
        moveMode = fields.moveMode.rawValue
        isPaused = fields.isPaused
    }

    /// `nil` when a unit or the move mode is unknown.
    var fields: ActivitySummaryFields? {
        guard let activeEnergyBurned = HKQuantity(activeEnergyBurned),
            let activeEnergyBurnedGoal = HKQuantity(activeEnergyBurnedGoal),
            let appleMoveTime = HKQuantity(appleMoveTime),
            let appleMoveTimeGoal = HKQuantity(appleMoveTimeGoal),
            let appleExerciseTime = HKQuantity(appleExerciseTime),
            let appleStandHours = HKQuantity(appleStandHours),
            let moveMode = HKActivityMoveMode(rawValue: moveMode)
        else { return nil }
        var fields = ActivitySummaryFields()
        fields.day = day
        fields.activeEnergyBurned = activeEnergyBurned
        fields.activeEnergyBurnedGoal = activeEnergyBurnedGoal
        fields.appleMoveTime = appleMoveTime
        fields.appleMoveTimeGoal = appleMoveTimeGoal
        fields.appleExerciseTime = appleExerciseTime
        fields.exerciseTimeGoal = exerciseTimeGoal.flatMap { HKQuantity($0) }
        fields.appleStandHours = appleStandHours
        fields.standHoursGoal = standHoursGoal.flatMap { HKQuantity($0) }
        fields.moveMode = moveMode
        fields.isPaused = isPaused
        return fields
    }
}
