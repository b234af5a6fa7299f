import Foundation
import HealthKit
import Testing

@Suite("SampleQuery")
struct SampleQueryTests {
    private let store = TestStore()

    @Test("Without samples")
    func nothing() throws {
        let run = try store.run("SampleQuery")
        #expect(run.status == 0)
        #expect(run.lines == ["All: 0 samples", "Today: 0 samples"])
    }

    @Test("Prints all samples, then today’s, sorted by start date")
    func samples() async throws {
        func steps(_ count: Double, _ hour: Double, daysAgo: Int = 0, lasting: TimeInterval = 60) -> HKQuantitySample {
            TestStore.quantity(
                .stepCount, count, .count(), at: TestStore.today(hour, daysAgo: daysAgo), lasting: lasting)
        }
        try await store.health.save([
            steps(3, 9), steps(1, 7), steps(2, 8, lasting: 90), steps(10, 8, daysAgo: 1),
            // Spans midnight, so it belongs to today without a strict option.
            steps(5, 23.99, daysAgo: 1, lasting: 600),
        ])
        let run = try store.run("SampleQuery")
        #expect(run.status == 0)
        let cut = try #require(run.lines.firstIndex { $0.hasPrefix("Today") })
        #expect(run.lines[0] == "All: 5 samples")
        #expect(
            Set(run.lines[1..<cut]) == [
                "  3.0 steps in 60.0 s, from Other", "  1.0 steps in 60.0 s, from Other",
                "  2.0 steps in 90.0 s, from Other",
                "  10.0 steps in 60.0 s, from Other", "  5.0 steps in 600.0 s, from Other",
            ])
        #expect(
            Array(run.lines[cut...]) == [
                "Today: 4 samples", "  5.0 steps in 600.0 s, from Other", "  1.0 steps in 60.0 s, from Other",
                "  2.0 steps in 90.0 s, from Other", "  3.0 steps in 60.0 s, from Other",
            ])
    }
}
