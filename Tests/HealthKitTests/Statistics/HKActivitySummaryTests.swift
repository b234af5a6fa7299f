import Foundation
@testable import HealthKit
import HealthModel
import Testing

@Suite struct HKActivitySummaryTests {
    private func body() -> ActivitySummaryBody {
        var body = ActivitySummaryBody(year: 2024, month: 2, day: 29, moveMode: 2, isPaused: true)
        body.activeEnergyBurned = QuantityRecord(431.5, unit: "kcal")
        body.activeEnergyBurnedGoal = QuantityRecord(500, unit: "kcal")
        body.appleExerciseTime = QuantityRecord(31, unit: "min")
        body.appleExerciseTimeGoal = QuantityRecord(30, unit: "min")
        body.appleStandHours = QuantityRecord(9, unit: "count")
        return body
    }

    @Test func figuresAreThoseOfTheStore() {
        let summary = HKActivitySummary(body())
        #expect(summary.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 431.5)
        #expect(summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) == 500)
        #expect(summary.appleExerciseTime.doubleValue(for: .minute()) == 31)
        #expect(summary.exerciseTimeGoal?.doubleValue(for: .minute()) == 30)
        #expect(summary.appleExerciseTimeGoal == summary.exerciseTimeGoal)
        #expect(summary.appleStandHours.doubleValue(for: .count()) == 9)
        #expect(summary.standHoursGoal == nil)
        #expect(summary.appleStandHoursGoal.doubleValue(for: .count()) == 0)
        #expect(summary.activityMoveMode == .appleMoveTime)
        #expect(summary.isPaused)
    }

    @Test(arguments: ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Sao_Paulo"])
    func theDayIsTheSameInEveryZone(zone: String) {
        let summary = HKActivitySummary(body())
        let calendar = FreshStore.calendar(zone)
        let components = summary.dateComponents(for: calendar)
        #expect([components.era, components.year, components.month, components.day] == [1, 2024, 2, 29])
        #expect(components.hour == nil)
        #expect(components.calendar == calendar)
    }

    @Test func anotherCalendarHasItsOwnNumbers() {
        let summary = HKActivitySummary(body())
        let components = summary.dateComponents(for: Calendar(identifier: .buddhist))
        #expect([components.year, components.month, components.day] == [2567, 2, 29])
    }

    @Test func aSummaryOfOnesOwnCanBeFilled() {
        let summary = HKActivitySummary()
        #expect(summary.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 0)
        summary.activeEnergyBurned = HKQuantity(unit: .joule(), doubleValue: 4184)
        summary.appleExerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: 20)
        summary.activityMoveMode = .appleMoveTime
        #expect(summary.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 1)
        #expect(summary.exerciseTimeGoal?.doubleValue(for: .minute()) == 20)
        let copy = summary.copy() as? HKActivitySummary
        #expect(copy == summary)
        summary.isPaused = true
        #expect(copy != summary)
    }

    @Test func aSummarySurvivesAnArchive() throws {
        for summary in [HKActivitySummary(body()), HKActivitySummary()] {
            let data = try NSKeyedArchiver.archivedData(withRootObject: summary, requiringSecureCoding: true)
            let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKActivitySummary.self, from: data)
            #expect(back == summary)
            #expect(back?.hash == summary.hash)
        }
    }
}
