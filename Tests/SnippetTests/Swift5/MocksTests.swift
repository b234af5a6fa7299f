import Foundation
import HealthKit
import HealthTesting
import Testing

/// Everything that is overridable in the original is overridable here, in Swift 5 mode too.
struct MocksTests {
    private let steps = HKQuantityType(.stepCount)

    private func sample() -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: 10), start: TestClock.start,
            end: TestClock.start)
    }

    @Test("A mock store answers the calls that it overrides, in both forms")
    func mockStore() async throws {
        let mock = MockHealthStore()
        let store: HKHealthStore = mock
        let query = HKSampleQuery(sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil) { _, _, _ in }
        #expect(store.authorizationStatus(for: steps) == .notDetermined)
        try await store.requestAuthorization(toShare: [steps], read: [steps])
        #expect(store.authorizationStatus(for: steps) == .sharingAuthorized)
        store.execute(query)
        store.stop(query)
        store.save(sample()) { _, _ in }
        try await store.save([sample(), sample()])
        try await store.delete(sample())
        #expect(try await store.deleteObjects(of: steps, predicate: NSPredicate(value: true)) == 2)
        try await store.enableBackgroundDelivery(for: steps, frequency: .daily)
        try await store.disableAllBackgroundDelivery()
        #expect(
            mock.calls == [
                "requestAuthorization", "execute", "stop", "save", "save 2", "delete", "deleteObjects",
                "enableBackgroundDelivery", "disableAllBackgroundDelivery",
            ])
        #expect(try store.biologicalSex().biologicalSex == .notSet)
        #expect(try store.dateOfBirthComponents().year == 1990)
    }

    @Test("A mock store fails as the test wants")
    func failures() async {
        let mock = MockHealthStore()
        mock.error = HKError(.errorAuthorizationDenied)
        let error = await #expect(throws: HKError.self) { try await mock.save(sample()) }
        #expect(error?.code == .errorAuthorizationDenied)
        #expect(throws: HKError.self) { try mock.biologicalSex() }
    }

    @Test("Figures of statistics are overridden")
    func statistics() async throws {
        let health = TestHealthStore()
        try health.plant([sample()])
        let real = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum
        )
        .result(for: health.store)
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        real?.encode(with: archiver)
        archiver.finishEncoding()
        let mock = try #require(MockStatistics(coder: NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)))
        mock.average = HKQuantity(unit: .count(), doubleValue: 5)
        let statistics: HKStatistics = mock
        #expect(statistics.averageQuantity()?.doubleValue(for: .count()) == 5)
        #expect(statistics.sumQuantity()?.doubleValue(for: .count()) == 10)
    }

    @Test("A query of an application's own class calls the initializer of its superclass")
    func query() {
        var delivered = 0
        let query = MockSampleQuery(sampleType: steps, predicate: nil, limit: 5, sortDescriptors: nil) {
            _, samples, _ in
            delivered = samples?.count ?? 0
        }
        query.deliver([sample()])
        #expect(delivered == 1)
        #expect(query.limit == 5 && query.objectType == steps)
    }

    @Test("A mock builder answers for itself")
    func builder() async throws {
        let mock = MockWorkoutBuilder(
            healthStore: HKHealthStore(configuration: .inMemory), configuration: HKWorkoutConfiguration(), device: nil)
        let builder: HKWorkoutBuilder = mock
        try await builder.beginCollection(at: TestClock.start)
        try await builder.addMetadata(["a": 1])
        await #expect(throws: HKError.self) { try await builder.finishWorkout() }
        #expect(mock.calls == ["begin", "metadata 1", "finish"])
    }
}
