import Foundation
import HealthKit
import Testing

@Suite("ActivityRings")
struct ActivityRingsTests {
    private let store = TestStore()

    private func stand(_ hour: Double, _ value: HKCategoryValueAppleStandHour = .stood, daysAgo: Int = 0)
        -> HKCategorySample
    {
        let start = TestStore.today(hour, daysAgo: daysAgo)
        return HKCategorySample(
            type: HKCategoryType(.appleStandHour), value: value.rawValue, start: start,
            end: start.addingTimeInterval(3_600))
    }

    private func fill() async throws {
        try await store.health.save([
            TestStore.quantity(.activeEnergyBurned, 400, .kilocalorie(), at: TestStore.today(8), lasting: 3_600),
            TestStore.quantity(
                .activeEnergyBurned, 300, .kilocalorie(), at: TestStore.today(8, daysAgo: 3), lasting: 3_600),
            TestStore.quantity(
                .activeEnergyBurned, 300, .kilocalorie(), at: TestStore.today(8, daysAgo: 9), lasting: 3_600),
            TestStore.quantity(.appleExerciseTime, 20, .minute(), at: TestStore.today(8), lasting: 1_200),
            stand(7), stand(8), stand(9, .idle), stand(10),
        ])
    }

    @Test("Without activity")
    func nothing() throws {
        let run = try store.run("ActivityRings")
        #expect(run.status == 0)
        #expect(run.lines == ["No activity today.", "Last seven days: 0 with activity"])
    }

    @Test("Today’s progress toward the goals, and the last seven days")
    func goals() async throws {
        try await fill()
        try store.profile(["--move-goal", "500", "--exercise-goal", "30", "--stand-goal", "12"])
        let run = try store.run("ActivityRings")
        #expect(run.status == 0)
        #expect(
            run.lines == [
                "Move:     1674 kJ, 400 kcal, 80 % of the goal", "Exercise: 1200 s, 67 % of the goal",
                "Stand:    3 h, 25 % of the goal", "Last seven days: 2 with activity",
            ])
    }

    @Test("A goal of zero or no goal doesn’t divide by zero")
    func noGoals() async throws {
        try await fill()
        let expected = [
            "Move:     1674 kJ, 400 kcal, 0 % of the goal", "Exercise: 1200 s, 0 % of the goal",
            "Stand:    3 h, 0 % of the goal", "Last seven days: 2 with activity",
        ]
        #expect(try store.run("ActivityRings").lines == expected)
        try store.profile(["--move-goal", "0", "--exercise-goal", "0", "--stand-goal", "0"])
        #expect(try store.run("ActivityRings").lines == expected)
    }

    @Test("Draws the rings as SVG")
    func image() async throws {
        try await fill()
        try store.profile(["--move-goal", "300", "--exercise-goal", "30", "--stand-goal", "12"])
        let file = store.folder.appendingPathComponent("rings.svg")
        #expect(try store.run("ActivityRings", [file.path]).status == 0)
        let svg = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(svg.contains("<svg"))
        #expect(svg.hasSuffix("</svg>\n") || svg.hasSuffix("</svg>"))
    }

    @Test("Prints the rings again when another process saves a sample")
    func watch() async throws {
        try await fill()
        try store.profile(["--move-goal", "500", "--exercise-goal", "30", "--stand-goal", "12"])
        let program = try RunningProgram("ActivityRings", ["watch"], store: store)
        #expect(program.lines { $0.hasPrefix("Stand:") }.last == "Stand:    3 h, 25 % of the goal")
        try await store.health.save(stand(11))
        #expect(program.lines { $0.contains(" 4 h") }.last == "Stand:    4 h, 33 % of the goal")
        try await store.health.save(
            TestStore.quantity(.activeEnergyBurned, 200, .kilocalorie(), at: TestStore.today(10), lasting: 60))
        #expect(program.lines { $0.contains("600 kcal") }.last == "Move:     2510 kJ, 600 kcal, 120 % of the goal")
        try await store.health.save(
            TestStore.quantity(.appleExerciseTime, 10, .minute(), at: TestStore.today(10), lasting: 600))
        #expect(program.lines { $0.contains("1800 s") }.last == "Exercise: 1800 s, 100 % of the goal")
        #expect(program.end() == 0)
    }
}
