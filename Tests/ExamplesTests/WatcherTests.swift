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

    @Test("The first run is silent; the next tells quantities, categories and deletions")
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
                "quantity HKQuantityTypeIdentifierStepCount: 2 count", "category HKCategoryTypeIdentifierSleepAnalysis: 4",
                "quantity HKQuantityTypeIdentifierDietaryProtein: 12.5 g", "deleted: 1", "Ready.",
            ])
        #expect(try watch() == ["Ready."])
    }

    @Test("While it watches, it tells what another process saves")
    func follows() async throws {
        let program = try RunningProgram("Watcher", [anchor, "watch"], store: store)
        #expect(program.lines { $0 == "Ready." } == ["Ready."])
        let sample = steps(7)
        try await store.health.save(sample)
        #expect(program.lines { $0.hasPrefix("quantity") }.last == "quantity HKQuantityTypeIdentifierStepCount: 7 count")
        try await store.health.delete(sample)
        #expect(program.lines { $0.hasPrefix("deleted") }.last == "deleted: 1")
        #expect(program.end() == 0)
        // Ended between telling and noting the place, it tells the last word once more, and no other.
        #expect(Set(try watch()).subtracting(["deleted: 1"]) == ["Ready."])
        #expect(try watch() == ["Ready."])
    }

    @Test("kill -9 at any moment loses no sample and never begins anew")
    func killed() async throws {
        try await store.health.save(steps(1_000))
        #expect(try watch() == ["Ready."])
        var told: [String] = []
        for round in 1...8 {
            try await store.health.save(steps(Double(round)))
            let program = try RunningProgram("Watcher", [anchor, "watch"], store: store)
            // Killed at once, when it has told, and when it is ready, in turns.
            switch round % 3 {
            case 0: break
            case 1: told += program.lines { $0.hasPrefix("quantity") }
            default: told += program.lines { $0 == "Ready." }
            }
            told += program.kill9()
        }
        told += try watch()
        for round in 1...8 {
            #expect(told.contains("quantity HKQuantityTypeIdentifierStepCount: \(round) count"), "\(told)")
        }
        #expect(!told.contains { $0.contains("1000 count") })
        #expect(try watch() == ["Ready."])
    }
}
