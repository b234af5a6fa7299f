import Foundation
import HealthKit
import HealthTesting
import Testing

/// The snippets on an in-memory store.
struct CallbackSnippetTests {
    let health = TestHealthStore()
    var manager: HealthManager { HealthManager(healthStore: health.store) }
    let day = TestHealthStore.utcCalendar.startOfDay(for: TestClock.start)

    private func plant(
        _ identifier: HKQuantityTypeIdentifier, _ unit: HKUnit, _ value: Double, hours: Double,
        metadata: [String: Any] = [:]
    ) throws {
        let start = day.addingTimeInterval(hours * 3600)
        try health.plant([
            HKQuantitySample(
                type: HKQuantityType(identifier), quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
                end: start.addingTimeInterval(60), metadata: metadata)
        ])
    }

    private func result<Value>(_ body: (@escaping (Value) -> Void) -> Void) async -> Value {
        await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }
    }

    @Test func authorization() async {
        let granted: Bool = await result { done in manager.requestAuthorization { success, _ in done(success) } }
        #expect(granted)
    }

    @Test func statistics() async throws {
        try plant(.stepCount, .count(), 300, hours: 1)
        try plant(.stepCount, .count(), 200, hours: 2, metadata: [HKMetadataKeyWasUserEntered: true])
        try plant(.stepCount, .count(), 50, hours: 25)
        let today: Double = await result { manager.todaysSteps(now: day.addingTimeInterval(10 * 3600), completion: $0) }
        #expect(today == 500)
        let sums: [Date: Double] = await result { manager.dailySteps(from: day, days: 2, completion: $0) }
        #expect(sums == [day: 500, day.addingTimeInterval(86_400): 50])
        let measured: [HKSample] = await result { manager.measuredSamples(completion: $0) }
        #expect(measured.count == 2)
        let sources: [String] = await result { manager.sources(completion: $0) }
        #expect(sources == ["Apple Watch"])
    }

    @Test func latestWeightAndSleep() async throws {
        try plant(.bodyMass, .gramUnit(with: .kilo), 80, hours: 1)
        try plant(.bodyMass, .gramUnit(with: .kilo), 79, hours: 3)
        let latest: HKQuantitySample? = await result { done in manager.latestWeight { sample, _ in done(sample) } }
        #expect(latest?.quantity.doubleValue(for: .gramUnit(with: .kilo)) == 79)

        let stages: [HKCategoryValueSleepAnalysis] = [.inBed, .asleepCore, .awake, .asleepREM]
        try health.plant(
            stages.enumerated().map { index, stage in
                HKCategorySample(
                    type: HKObjectType.categoryType(forIdentifier: .sleepAnalysis)!, value: stage.rawValue,
                    start: day.addingTimeInterval(Double(index) * 600),
                    end: day.addingTimeInterval(Double(index) * 600 + 600))
            })
        let asleep: TimeInterval = await result { manager.asleepSeconds(completion: $0) }
        #expect(asleep == 1200)
    }

    @Test func savingAndDeleting() async {
        let manager = manager
        for _ in 0..<2 {
            let saved: Bool = await result { done in
                manager.saveEnergy(120, start: day, end: day.addingTimeInterval(60)) { success, _ in done(success) }
            }
            #expect(saved)
        }
        let count: Int = await result { manager.deleteEnergy(completion: $0) }
        #expect(count == 1)
    }

    @Test func bloodPressure() async {
        let manager = manager
        for (systolic, diastolic) in [(120.0, 80.0), (150, 95)] {
            let saved: Bool = await result { done in
                manager.saveBloodPressure(systolic: systolic, diastolic: diastolic, at: day) { success, _ in
                    done(success)
                }
            }
            #expect(saved)
        }
        let high: [HKCorrelation] = await result { manager.highPressures(above: 140, completion: $0) }
        #expect(high.count == 1)
        #expect(high.first?.objects.count == 2)
    }

    @Test func personAndRings() async throws {
        try health.setCharacteristics(TestCharacteristics(dateOfBirth: DateComponents(year: 1980, month: 1, day: 1)))
        #expect(manager.age(now: day) == 43)
        let calendar = TestHealthStore.utcCalendar
        func components(_ day: Int) -> DateComponents {
            DateComponents(calendar: calendar, year: 2023, month: 3, day: day)
        }
        try health.plant([.testing(components(7), activeEnergy: (400, goal: 500))])
        let summaries: [HKActivitySummary] = await result {
            manager.summaries(from: components(6), to: components(8), completion: $0)
        }
        #expect(summaries.map { $0.activeEnergyBurned.doubleValue(for: .kilocalorie()) } == [400])
    }

    @Test func anchoredSync() async throws {
        let sync = StepSync(store: health.store)
        try plant(.stepCount, .count(), 1, hours: 1)
        let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
        sync.start { continuation.yield(1) }
        var iterator = calls.makeAsyncIterator()
        _ = await iterator.next()
        let first: (Int, Int) = await result { done in sync.fetch { done(($0, $1)) } }
        #expect(first == (1, 0))
        try plant(.stepCount, .count(), 2, hours: 2)
        _ = await iterator.next()
        let second: (Int, Int) = await result { done in sync.fetch { done(($0, $1)) } }
        #expect(second == (1, 0))
        sync.stop()
    }
}
