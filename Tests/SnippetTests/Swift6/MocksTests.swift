import Foundation
import HealthKit
import HealthTesting
import Testing

/// Everything that is overridable in the original is overridable here.
struct MocksTests {
    private let health = TestHealthStore()
    private let steps = HKQuantityType(.stepCount)

    private func sample(_ count: Double = 10, hour: Double = 0) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count), start: TestClock.start + hour * 3600,
            end: TestClock.start + hour * 3600 + 60)
    }

    @Test("A mock store answers the calls that it overrides")
    func mockStore() async throws {
        let mock = MockHealthStore()
        let store: HKHealthStore = mock
        let query = HKSampleQuery(sampleType: steps, predicate: nil, limit: 1, sortDescriptors: nil) { _, _, _ in }
        store.execute(query)
        store.stop(query)
        store.save(sample()) { _, _ in }
        try await store.delete([sample(), sample()])
        try await store.disableBackgroundDelivery(for: steps)
        #expect(mock.log.calls == ["execute", "stop", "save", "delete 2", "disableBackgroundDelivery"])
        #expect(store.authorizationStatus(for: steps) == .sharingDenied)
        #expect(try store.biologicalSex().biologicalSex == .female)
        #expect(try store.dateOfBirthComponents().year == 1980)
        #expect(type(of: store).isHealthDataAvailable() == false)
        let resting: HKQuantity? = await withCheckedContinuation { continuation in
            let total = HKQuantity(unit: .kilocalorie(), doubleValue: 5)
            store.splitTotalEnergy(total, start: TestClock.start, end: TestClock.start) { resting, _, _ in
                continuation.resume(returning: resting)
            }
        }
        #expect(resting?.doubleValue(for: .kilocalorie()) == 5)
    }

    @Test("An async call reaches the override of its form with a completion handler")
    func bothForms() async throws {
        let mock = MockHealthStore()
        let store: HKHealthStore = mock
        try await store.save(sample())
        try await store.save([sample(), sample()])
        try await store.requestAuthorization(toShare: [steps], read: [steps, HKCategoryType(.sleepAnalysis)])
        try await store.__requestAuthorization(toShare: nil, read: [steps])
        try await store.enableBackgroundDelivery(for: steps, frequency: .hourly)
        let deleted = try await store.deleteObjects(of: steps, predicate: NSPredicate(value: true))
        #expect(deleted == 3)
        #expect(
            mock.log.calls == [
                "save", "save 2", "requestAuthorization 1 2", "requestAuthorization 0 1", "enableBackgroundDelivery",
                "deleteObjects",
            ])
        #expect(try await store.preferredUnits(for: [steps]) == [steps: .stone()])
    }

    @Test("An error of the overridden form is thrown, and so is a failure without one")
    func failures() async throws {
        let failing = MockHealthStore(error: HKError(.errorDatabaseInaccessible))
        let failure = await #expect(throws: HKError.self) { try await failing.save(sample()) }
        #expect(failure?.code == .errorDatabaseInaccessible)
        await #expect(throws: HKError.self) {
            try await failing.deleteObjects(of: steps, predicate: NSPredicate(value: true))
        }
        let silent = await #expect(throws: HKError.self) { try await MockHealthStore().disableAllBackgroundDelivery() }
        #expect(silent?.code == .unknownError)
    }

    @Test("A subclass may leave the work to its superclass")
    func observedStore() async throws {
        let store = ObservedHealthStore(configuration: .inMemory)
        try await store.save([sample(), sample(20, hour: 1)])
        let samples = try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: steps)], sortDescriptors: [])
            .result(for: store)
        #expect(samples.count == 2)
        let found: [HKSample] = await withCheckedContinuation { continuation in
            store.execute(NamedQuery(name: "all") { continuation.resume(returning: $0) })
        }
        #expect(found.count == 1)
        #expect(store.log.calls == ["save 2", "execute"])
    }

    @Test("Figures of statistics are overridden")
    func statistics() async throws {
        try health.plant([sample()])
        let found = try await HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: steps), options: .cumulativeSum
        ).result(for: health.store)
        let real = try #require(found)
        let mock: HKStatistics = try #require(MockStatistics(steps: 7, like: real))
        #expect(mock.sumQuantity()?.doubleValue(for: .count()) == 7)
        #expect(mock.sumQuantity(for: .default()) == nil)
        #expect(mock.startDate == .distantPast)
        #expect(mock.endDate == real.endDate)
        #expect(mock.quantityType == steps)
    }

    @Test("Queries of an application's own classes run")
    func queries() async throws {
        try health.plant([sample(), sample(hour: 1)])
        let query = NamedQuery(name: "one") { _ in }
        #expect(query.name == "one" && query.objectType == steps)
        // Its override of the limit holds.
        let found: [HKSample] = await withCheckedContinuation { continuation in
            health.store.execute(NamedQuery(name: "two") { continuation.resume(returning: $0) })
        }
        #expect(found.count == 1)
        let changes: Int = await withCheckedContinuation { continuation in
            health.store.execute(StepChanges { continuation.resume(returning: $0) })
        }
        #expect(changes == 2)
        let (calls, continuation) = AsyncStream<Void>.makeStream()
        let observer = StepObserver { continuation.yield() }
        health.store.execute(observer)
        _ = await calls.first { true }
        health.store.stop(observer)
    }

    @Test("A mock builder and a mock session answer for themselves")
    func workouts() async throws {
        let mock = MockWorkoutBuilder(
            healthStore: health.store, configuration: HKWorkoutConfiguration(), device: .local())
        let builder: HKWorkoutBuilder = mock
        try await builder.beginCollection(at: TestClock.start)
        try await builder.addSamples([sample()])
        try await builder.endCollection(at: TestClock.start)
        #expect(try await builder.finishWorkout() == nil)
        builder.discardWorkout()
        #expect(mock.log.calls == ["begin", "add 1", "end", "finish", "discard"])
        #expect(builder.workoutEvents.count == 1)
        #expect(builder.elapsedTime(at: TestClock.start) == 60)
        #expect(builder.device == .local())

        let session = try MockWorkoutSession(healthStore: health.store, configuration: HKWorkoutConfiguration())
        session.pause()
        session.end()
        #expect(session.log.calls == ["pause", "end"])
        #expect((session as HKWorkoutSession).state == .paused)
    }

    @Test("An async call of a builder or an attachment store reaches the override, too")
    func otherClasses() async throws {
        let store = HKHealthStore(configuration: .inMemory)
        let route = MockRouteBuilder(healthStore: store, device: nil)
        let workout = HKWorkout(activityType: .running, start: TestClock.start, end: TestClock.start)
        try await route.addMetadata(["key": 1])
        let failure = await #expect(throws: HKError.self) { try await route.finishRoute(with: workout, metadata: nil) }
        #expect(failure?.code == .errorDatabaseInaccessible)
        #expect(route.log.calls == ["addMetadata", "finishRoute"])

        let series = MockSeriesBuilder(
            healthStore: store, quantityType: HKQuantityType(.heartRate), startDate: TestClock.start, device: nil)
        #expect(try await series.finishSeries(metadata: nil).isEmpty)
        #expect(try await series.finishSeries(metadata: nil, endDate: nil).isEmpty)
        #expect(series.log.calls == ["finishSeries", "finishSeries"])

        let beats = MockHeartbeatBuilder(healthStore: store, device: nil, start: TestClock.start)
        try await beats.addHeartbeat(at: 1.5, precededByGap: false)
        #expect(beats.log.calls == ["addHeartbeat 1.5"])

        let attachments = MockAttachmentStore(healthStore: store)
        #expect(try await attachments.attachments(for: workout).isEmpty)
        #expect(attachments.log.calls == ["getAttachments"])
    }

    @Test("A class method is overridden")
    func classMethods() {
        #expect(MockDevice.local().name == "strap")
    }

    @Test("Characteristic objects and summaries are made without a store")
    func objects() {
        #expect(HKBiologicalSexObject().biologicalSex == .notSet)
        #expect(HKBloodTypeObject().bloodType == .notSet)
        #expect(HKFitzpatrickSkinTypeObject().skinType == .notSet)
        #expect(HKWheelchairUseObject().wheelchairUse == .notSet)
        #expect(HKActivityMoveModeObject().activityMoveMode == .activeEnergy)
        let summary: HKActivitySummary = MockActivitySummary()
        #expect(summary.appleStandHours.doubleValue(for: .count()) == 12)
    }
}
