import Foundation
import HealthKit
import Testing

@Suite("Watcher")
struct WatcherTests {
    private let store = TestStore()

    private var anchor: String { store.folder.appendingPathComponent("anchor").path }

    private func steps(_ count: Double) -> HKQuantitySample {
        TestStore.quantity(.stepCount, count, .count(), at: TestStore.today(8))
    }

    private func watch() throws -> [String] {
        let run = try store.run("Watcher", [anchor])
        #expect(run.status == 0)
        return run.lines
    }

    @Test("The first run prints no samples; the next prints quantities, categories and deletions")
    func runs() async throws {
        let old = steps(1)
        try await store.health.save(old)
        #expect(try watch() == ["Ready."])
        #expect(try watch() == ["Ready."])
        let sleep = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepDeep.rawValue,
            start: TestStore.today(1), end: TestStore.today(2))
        try await store.health.save(steps(2))
        try await store.health.save(sleep)
        try await store.health.save(TestStore.quantity(.dietaryProtein, 12.5, .gram(), at: TestStore.today(9)))
        // Not one of the five types.
        try await store.health.save(TestStore.quantity(.height, 1.7, .meter(), at: TestStore.today(9)))
        try await store.health.delete(old)
        #expect(
            Set(try watch()) == [
                "quantity HKQuantityTypeIdentifierStepCount: 2 count",
                "category HKCategoryTypeIdentifierSleepAnalysis: 4",
                "quantity HKQuantityTypeIdentifierDietaryProtein: 12.5 g", "deleted: 1", "Ready.",
            ])
        #expect(try watch() == ["Ready."])
    }

    @Test("Prints what another process saves while it watches")
    func follows() async throws {
        let program = try RunningProgram("Watcher", [anchor, "watch"], store: store)
        #expect(program.lines { $0 == "Ready." } == ["Ready."])
        let sample = steps(7)
        try await store.health.save(sample)
        #expect(
            program.lines { $0.hasPrefix("quantity") }.last == "quantity HKQuantityTypeIdentifierStepCount: 7 count")
        try await store.health.delete(sample)
        #expect(program.lines { $0.hasPrefix("deleted") }.last == "deleted: 1")
        #expect(program.end() == 0)
        // If it ended after printing and before saving the anchor, it prints only the last change again.
        #expect(Set(try watch()).subtracting(["deleted: 1"]) == ["Ready."])
        #expect(try watch() == ["Ready."])
    }

    @Test("kill -9 at any moment loses no sample and never starts over")
    func killed() async throws {
        try await store.health.save(steps(1_000))
        #expect(try watch() == ["Ready."])
        var printed: [String] = []
        for round in 1...8 {
            try await store.health.save(steps(Double(round)))
            let program = try RunningProgram("Watcher", [anchor, "watch"], store: store)
            // Kills it immediately, after it printed a sample, or when it is ready, in turn.
            switch round % 3 {
            case 0: break
            case 1: printed += program.lines { $0.hasPrefix("quantity") }
            default: printed += program.lines { $0 == "Ready." }
            }
            printed += program.kill9()
        }
        printed += try watch()
        for round in 1...8 {
            #expect(printed.contains("quantity HKQuantityTypeIdentifierStepCount: \(round) count"), "\(printed)")
        }
        #expect(!printed.contains { $0.contains("1000 count") })
        #expect(try watch() == ["Ready."])
    }
}
