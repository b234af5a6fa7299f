import Foundation
import HealthFeature
import HealthKit
import Testing

#if canImport(HealthFixtures)
    import HealthFixtures
    import HealthTesting

    /// The model with data that looks like a person's.
    @MainActor
    @Suite("Fixtures")
    struct FixtureTests {
        private let steps = HKQuantityType(.stepCount)

        private func samples(_ health: TestHealthStore, _ day: DateInterval) async throws -> [HKQuantitySample] {
            let predicate = HKQuery.predicateForSamples(withStart: day.start, end: day.end, options: .strictStartDate)
            return try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: steps, predicate: predicate)], sortDescriptors: []
            ).result(for: health.store)
        }

        @Test("Steps of watch and phone are shown once")
        func scenario() async throws {
            let health = try TestHealthStore(scenario: .phoneAndWatch)
            let yesterday = try #require(
                Calendar.current.dateInterval(of: .day, for: health.clock.now.addingTimeInterval(-86_400)))
            let model = StepsModel(store: health.store, now: { yesterday.end.addingTimeInterval(-1) })
            try await model.refresh()
            let counted = try await samples(health, yesterday).reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
            #expect(model.steps > 0 && Double(model.steps) < counted)
        }

        @Test("A redacted export has the day that is shown")
        func redactedExport() async throws {
            let file = try #require(
                Bundle.module.url(forResource: "redacted", withExtension: "xml", subdirectory: "Fixtures"))
            let health = try TestHealthStore(archive: file)
            let all = try await samples(health, DateInterval(start: .distantPast, end: .distantFuture))
            let last = try #require(all.max { $0.endDate < $1.endDate })
            let day = try #require(Calendar.current.dateInterval(of: .day, for: last.startDate))
            let model = StepsModel(store: health.store, now: { day.end.addingTimeInterval(-1) })
            try await model.refresh()
            #expect(model.steps > 0)
        }

        @Test("A store that can’t be read is an error once")
        func error() async throws {
            let health = TestHealthStore()
            let start = TestClock.start
            try health.plant([
                HKQuantitySample(
                    type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 1200),
                    start: start.addingTimeInterval(-60),
                    end: start)
            ])
            let model = StepsModel(store: health.store, now: { start.addingTimeInterval(60) })
            health.inject(Fault(in: .query, .errorDatabaseInaccessible))
            await #expect(throws: HKError.self) { try await model.refresh() }
            try await model.refresh()
            #expect(model.steps == 1200)
        }
    }
#endif
