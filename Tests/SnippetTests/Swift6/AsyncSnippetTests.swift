import Foundation
import HealthKit
import HealthTesting
import Testing

/// The snippets on an in-memory store.
struct AsyncSnippetTests {
    let health = TestHealthStore()
    let day = DateInterval(start: TestHealthStore.utcCalendar.startOfDay(for: TestClock.start), duration: 86_400)
    var service: HealthService { HealthService(store: health.store) }

    private func heartRate(_ rate: Double, minute: Double) -> HKQuantitySample {
        let date = day.start + minute * 60
        return HKQuantitySample(
            type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: rate),
            start: date, end: date)
    }

    @Test func authorizes() async throws {
        let health = TestHealthStore(permission: .undecided)
        let service = HealthService(store: health.store)
        try await service.authorize()
        try await service.authorize()
        #expect(health.permissionRequests.count == 1)
        #expect(health.store.authorizationStatus(for: HKQuantityType(.dietaryWater)) == .sharingAuthorized)
    }

    @Test func sums() async throws {
        try health.plant([
            HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 70),
                start: day.start + 60, end: day.start + 120)
        ])
        #expect(try await service.steps(in: day) == 70)
    }

    @Test func heartRates() async throws {
        try health.plant([heartRate(60, minute: 1), heartRate(80, minute: 2), heartRate(100, minute: 61)])
        #expect(try await service.latestHeartRates(2) == [100, 80])
        #expect(try await service.hourlyPeaks(in: day) == [0: 80, 1: 100])
        let late = HKQuery.predicateForSamples(withStart: day.start + 3600, end: nil)
        #expect(try await heartRateSamples(in: health.store, predicate: late).count == 1)
        #expect(try await service.averageOrNil(of: HKQuantityType(.heartRate)) != nil)
        #expect(try await service.averageOrNil(of: HKQuantityType(.restingHeartRate)) == nil)
    }

    @Test func changes() async throws {
        let service = service
        try await service.log(water: 200, at: day.start, id: "a", version: 1)
        let first = try await service.changes()
        #expect(first.added.count == 1)
        try await service.log(water: 250, at: day.start, id: "a", version: 2)
        let second = try await service.changes()
        #expect(second.added.map { $0.quantity.doubleValue(for: .literUnit(with: .milli)) } == [250])
        #expect(second.deleted == first.added.map(\.uuid))
        try await service.remove(second.added)
        #expect(try await service.changes().deleted.count == 1)
    }

    @Test func sequences() async throws {
        let service = service
        async let values = collectWater(from: health.store, count: 2)
        async let total = firstTotal(from: health.store, anchor: day.start, reaching: 300)
        try await service.log(water: 100, at: day.start + 1, id: "a", version: 1)
        try await service.log(water: 200, at: day.start + 2, id: "b", version: 1)
        #expect(try await values.sorted() == [100, 200])
        #expect(try await total == 300)
    }

    @Test func severalTypes() async throws {
        try health.plant([heartRate(60, minute: 1)])
        let service = service
        try await service.logMindfulness(DateInterval(start: day.start, duration: 600))
        let all = try await service.everything(on: day)
        #expect(all.map { type(of: $0) == HKCategorySample.self } == [true, false])
        #expect(try await service.runs().isEmpty)
        #expect(try await service.unit(of: HKQuantityType(.heartRate)) == HKUnit(from: "count/min"))
    }
}
