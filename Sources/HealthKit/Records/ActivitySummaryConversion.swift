import Foundation
import HealthModel

// Activity summaries ⇄ records.

extension HKActivitySummary.Fields {
    /// The engine's summary of a day. Quantities keep the unit they were recorded in.
    init(_ body: ActivitySummaryBody) {
        self.init()
        day = HKActivitySummary.Day(year: body.year, month: body.month, day: body.day)
        func set(_ field: inout HKQuantity, _ record: QuantityRecord?) {
            if let quantity = record.flatMap({ HKQuantity($0) }) { field = quantity }
        }
        set(&activeEnergyBurned, body.activeEnergyBurned)
        set(&activeEnergyBurnedGoal, body.activeEnergyBurnedGoal)
        set(&appleMoveTime, body.appleMoveTime)
        set(&appleMoveTimeGoal, body.appleMoveTimeGoal)
        set(&appleExerciseTime, body.appleExerciseTime)
        set(&appleStandHours, body.appleStandHours)
        exerciseTimeGoal = body.appleExerciseTimeGoal.flatMap { HKQuantity($0) }
        standHoursGoal = body.appleStandHoursGoal.flatMap { HKQuantity($0) }
        moveMode = HKActivityMoveMode(rawValue: body.moveMode) ?? .activeEnergy
        isPaused = body.isPaused
    }

    /// The record of the summary; `nil` without a day.
    var body: ActivitySummaryBody? {
        guard let day else { return nil }
        var body = ActivitySummaryBody(
            year: day.year, month: day.month, day: day.day, moveMode: moveMode.rawValue, isPaused: isPaused)
        body.activeEnergyBurned = activeEnergyBurned.record
        body.activeEnergyBurnedGoal = activeEnergyBurnedGoal.record
        body.appleMoveTime = appleMoveTime.record
        body.appleMoveTimeGoal = appleMoveTimeGoal.record
        body.appleExerciseTime = appleExerciseTime.record
        body.appleExerciseTimeGoal = exerciseTimeGoal?.record
        body.appleStandHours = appleStandHours.record
        body.appleStandHoursGoal = standHoursGoal?.record
        return body
    }
}
