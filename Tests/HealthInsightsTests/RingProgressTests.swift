import HealthInsights
import HealthKit
import Testing

@Suite("Ring progress")
struct RingProgressTests {
    private func summary(
        move: Double = 0, moveGoal: Double = 0, exercise: Double = 0, exerciseGoal: Double? = nil, stand: Double = 0,
        standGoal: Double? = nil
    ) -> HKActivitySummary {
        let summary = HKActivitySummary()
        summary.activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: move)
        summary.activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: moveGoal)
        summary.appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: exercise)
        summary.exerciseTimeGoal = exerciseGoal.map { HKQuantity(unit: .minute(), doubleValue: $0) }
        summary.appleStandHours = HKQuantity(unit: .count(), doubleValue: stand)
        summary.standHoursGoal = standGoal.map { HKQuantity(unit: .count(), doubleValue: $0) }
        return summary
    }

    @Test("Shares of the goals, over one as well")
    func shares() {
        let progress = RingProgress(
            summary(move: 250, moveGoal: 500, exercise: 45, exerciseGoal: 30, stand: 3, standGoal: 12))
        #expect(progress.move == 0.5)
        #expect(progress.exercise == 1.5)
        #expect(progress.stand == 0.25)
    }

    @Test("No goal and a goal of zero are no division")
    func noGoal() {
        let none = RingProgress(summary(move: 250, exercise: 45, stand: 3))
        #expect([none.move, none.exercise, none.stand] == [0, 0, 0])
        let zero = RingProgress(summary(move: 250, exercise: 45, exerciseGoal: 0, stand: 3, standGoal: 0))
        #expect([zero.move, zero.exercise, zero.stand] == [0, 0, 0])
        #expect(RingProgress(HKActivitySummary()) == none)
    }

    @Test("In move time mode minutes move the outer ring")
    func moveTime() {
        let summary = summary(move: 250, moveGoal: 500)
        summary.activityMoveMode = .appleMoveTime
        summary.appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 15)
        summary.appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 60)
        #expect(RingProgress(summary).move == 0.25)
    }
}
