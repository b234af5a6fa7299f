@testable import HealthKit
import HealthModel
import Testing

@Suite struct WorkoutPausesTests {
    private func duration(_ events: [(HKWorkoutEventType, Double)]) -> Double {
        WorkoutPauses.duration(
            from: 0, to: 100,
            events: events.map { .init(type: $0.0.rawValue, start: $0.1, end: $0.1) })
    }

    @Test func nothingPausedIsTheWholeSpan() {
        #expect(duration([]) == 100)
        #expect(duration([(.lap, 10), (.marker, 20), (.segment, 30)]) == 100)
    }

    @Test func aPauseIsLeftOut() {
        #expect(duration([(.pause, 10), (.resume, 30)]) == 80)
        #expect(duration([(.pause, 10), (.resume, 30), (.pause, 50), (.resume, 51)]) == 79)
    }

    @Test func redundantEventsChangeNothing() {
        #expect(duration([(.pause, 10), (.pause, 20), (.resume, 30), (.resume, 40)]) == 80)
        #expect(duration([(.resume, 10)]) == 100)
    }

    @Test func anOpenPauseLastsToTheEnd() {
        #expect(duration([(.pause, 90)]) == 90)
    }

    @Test func pausesByHandAndByMotionCountOnce() {
        #expect(
            duration([(.pause, 10), (.motionPaused, 20), (.resume, 30), (.motionResumed, 40)]) == 70)
    }
}
