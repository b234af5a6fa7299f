import Foundation
import HealthModel

/// What an activity summary holds.
struct ActivitySummaryFields: Equatable, Sendable {
    /// A day of the person's calendar, which is Gregorian.
    struct Day: Hashable, Codable, Sendable {
        var year: Int
        var month: Int
        var day: Int

        /// Era, year, month and day in any calendar.
        func components(in calendar: Calendar) -> DateComponents {
            var gregorian = Calendar(identifier: .gregorian)
            gregorian.timeZone = calendar.timeZone
            // Noon exists on every day in every zone.
            let noon = DateComponents(year: year, month: month, day: day, hour: 12)
            guard let date = gregorian.date(from: noon) else { return DateComponents(calendar: calendar) }
            var components = calendar.dateComponents([.era, .year, .month, .day], from: date)
            components.calendar = calendar
            return components
        }
    }

    var day: Day?
    var activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
    var activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
    var appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 0)
    var appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 0)
    var appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 0)
    var exerciseTimeGoal: HKQuantity?
    var appleStandHours = HKQuantity(unit: .count(), doubleValue: 0)
    var standHoursGoal: HKQuantity?
    var moveMode = HKActivityMoveMode.activeEnergy
    var isPaused = false

    init() {}

    /// The engine's summary of a day. Quantities keep the unit they were recorded in.
    init(_ body: ActivitySummaryBody) {
        day = Day(year: body.year, month: body.month, day: body.day)
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
}
