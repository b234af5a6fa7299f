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

    @Test("Progress is the share of the goal and may exceed 1")
    func shares() {
        let progress = RingProgress(
            summary(move: 250, moveGoal: 500, exercise: 45, exerciseGoal: 30, stand: 3, standGoal: 12))
        #expect(progress.move == 0.5)
        #expect(progress.exercise == 1.5)
        #expect(progress.stand == 0.25)
    }

    @Test("A ring without a positive goal has no progress")
    func noGoal() {
        let empty = RingProgress()
        #expect(RingProgress(summary(move: 250, exercise: 45, stand: 3)) == empty)
        #expect(RingProgress(summary(move: 250, exercise: 45, exerciseGoal: 0, stand: 3, standGoal: 0)) == empty)
        #expect(RingProgress(HKActivitySummary()) == empty)
        let negative = summary(move: 250, moveGoal: -1, exercise: 45, exerciseGoal: -30, stand: 3, standGoal: .nan)
        #expect(RingProgress(negative) == empty)
    }

    @Test(
        "All rings treat values and goals alike",
        arguments: [
            (250, 500, 0.5), (775, 500, 1.55), (0, 500, 0), (-1, 500, 0),
            (250, 0, nil), (250, -500, nil), (250, .nan, nil), (250, .infinity, nil), (250, nil, nil),
            (.nan, 500, nil), (.infinity, 500, nil), (-.infinity, 500, nil),
            (.greatestFiniteMagnitude, .leastNonzeroMagnitude, nil),
        ] as [(Double, Double?, Double?)])
    func share(value: Double, goal: Double?, expected: Double?) {
        #expect(RingProgress.share(of: value, goal: goal) == expected)
        let summary = summary(
            move: value, moveGoal: goal ?? 0, exercise: value, exerciseGoal: goal, stand: value, standGoal: goal)
        #expect(RingProgress(summary) == RingProgress(move: expected, exercise: expected, stand: expected))
    }

    @Test("Falls back to the older exercise and stand goal properties")
    func olderGoals() {
        let summary = summary(exercise: 15, stand: 6)
        summary.appleExerciseTimeGoal = HKQuantity(unit: .minute(), doubleValue: 30)
        summary.appleStandHoursGoal = HKQuantity(unit: .count(), doubleValue: 12)
        #expect(RingProgress(summary) == RingProgress(exercise: 0.5, stand: 0.5))
    }

    @Test("In move time mode, the move ring shows minutes")
    func moveTime() {
        let summary = summary(move: 250, moveGoal: 500)
        summary.activityMoveMode = .appleMoveTime
        summary.appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 15)
        summary.appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 60)
        #expect(RingProgress(summary).move == 0.25)
    }
}
