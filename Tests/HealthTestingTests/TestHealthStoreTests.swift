import Foundation
import HealthKit
import HealthTesting
import Synchronization
import Testing

struct TestHealthStoreTests {
    private let steps = HKQuantityType(.stepCount)

    private func sample(_ count: Double = 100, at offset: TimeInterval = 0) -> HKQuantitySample {
        HKQuantitySample(
            type: steps, quantity: HKQuantity(unit: .count(), doubleValue: count),
            start: TestClock.start + offset, end: TestClock.start + offset + 60)
    }

    private func read(_ store: HKHealthStore) async throws -> [HKQuantitySample] {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: steps)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: store)
    }

    @Test func plantedDataKeepsItsSourceAndDevice() async throws {
        let health = TestHealthStore()
        let scale = HKDevice(
            name: "Band", manufacturer: nil, model: "B2", hardwareVersion: nil, firmwareVersion: nil,
            softwareVersion: nil, localIdentifier: nil, udiDeviceIdentifier: nil)
        let source = TestSource(
            bundleIdentifier: "com.example.band", name: "Band", version: "2", productType: "Band2,1")
        try health.plant([sample()], from: source, device: scale)
        let found = try #require(try await read(health.store).first)
        #expect(found.sourceRevision.source.bundleIdentifier == "com.example.band")
        #expect(found.sourceRevision.source.name == "Band")
        #expect(found.sourceRevision.productType == "Band2,1")
        #expect(found.device?.model == "B2")
    }

    @Test func readingCanBeLimitedToRecentHistory() async throws {
        let health = TestHealthStore()
        try health.plant([sample(1), sample(2, at: 600)])
        health.grant(read: [steps], since: TestClock.start + 600)
        #expect(try await read(health.store).map { $0.quantity.doubleValue(for: .count()) } == [2])
        let dates = try await health.store.earliestAuthorizedSampleDate(for: [steps, HKQuantityType(.heartRate)])
        #expect(dates == [steps: TestClock.start + 600])
        health.grant(read: [steps])
        #expect(try await read(health.store).count == 2)
    }

    @Test func storesAreIndependent() async throws {
        let (one, other) = (TestHealthStore(), TestHealthStore())
        try one.plant([sample()])
        #expect(try await read(one.store).count == 1)
        #expect(try await read(other.store).isEmpty)
    }

    @Test func anotherApplicationSeesTheSameData() async throws {
        let health = TestHealthStore()
        let other = health.store(of: .init(bundleIdentifier: "com.example.other"))
        try await other.save(sample())
        let found = try #require(try await read(health.store).first)
        #expect(found.sourceRevision.source.bundleIdentifier == "com.example.other")
        await #expect(throws: HKError.self) { try await health.store.delete(found) }
    }

    @Test(arguments: [false, true])
    func decisionsOfThePerson(isGranted: Bool) async throws {
        let health = TestHealthStore(permission: isGranted ? .granted : .denied)
        #expect(health.store.authorizationStatus(for: steps) == (isGranted ? .sharingAuthorized : .sharingDenied))
        let status = try await health.store.statusForAuthorizationRequest(toShare: [steps], read: [steps])
        #expect(status == .unnecessary)
        try health.plant([sample()])
        #expect(try await read(health.store).count == (isGranted ? 1 : 0))
        health.forgetDecisions(share: [steps], read: [steps])
        #expect(health.store.authorizationStatus(for: steps) == .notDetermined)
        await #expect(throws: HKError.self) { _ = try await self.read(health.store) }
    }

    @Test func aScriptAnswersEachRequest() async throws {
        let health = TestHealthStore(
            permission: .undecided { request in .init(share: [], read: request.read) })
        try await health.store.requestAuthorization(toShare: [steps], read: [steps])
        try await health.store.requestAuthorization(toShare: [steps], read: [steps])
        #expect(health.store.authorizationStatus(for: steps) == .sharingDenied)
        #expect(health.permissionRequests.count == 1)
        #expect(health.permissionRequests.first?.application.bundleIdentifier == health.application.bundleIdentifier)
    }

    @Test func readingFailsOnALockedDevice() async throws {
        let health = TestHealthStore()
        health.lockDevice()
        do {
            _ = try await read(health.store)
            Issue.record("a locked device was read")
        } catch let error as HKError {
            #expect(error.code == .errorDatabaseInaccessible)
            #expect(error.localizedDescription == "Protected health data is inaccessible")
        }
        #expect(health.store.authorizationStatus(for: steps) == .sharingAuthorized)
    }

    @Test func theProfileIsProtectedToo() async throws {
        let health = TestHealthStore()
        try health.setCharacteristics(TestCharacteristics(bloodType: .oPositive, referenceSex: .female))
        health.lockDevice()
        let calls: [(HKHealthStore) throws -> Void] = [
            { _ = try $0.dateOfBirthComponents() }, { _ = try $0.biologicalSex() }, { _ = try $0.bloodType() },
            { _ = try $0.fitzpatrickSkinType() }, { _ = try $0.wheelchairUse() }, { _ = try $0.activityMoveMode() },
            { _ = try $0.referenceSex },
        ]
        for call in calls {
            #expect(#expect(throws: HKError.self) { try call(health.store) }?.code == .errorDatabaseInaccessible)
        }
        let error = await #expect(throws: HKError.self) { try await health.store.preferredUnits(for: [steps]) }
        #expect(error?.code == .errorDatabaseInaccessible)
        health.unlockDevice()
        #expect(try health.store.bloodType().bloodType == .oPositive)
        #expect(try health.store.referenceSex == .female)
        #expect(try await health.store.preferredUnits(for: [steps]) == [steps: .count()])
    }

    @Test("A workout finished on a locked device is saved, and not returned")
    func aWorkoutOfALockedDevice() async throws {
        let health = TestHealthStore()
        let start = health.clock.now
        let builder = HKWorkoutBuilder(healthStore: health.store, configuration: .init(), device: nil)
        try await builder.beginCollection(at: start)
        health.lockDevice()
        try await builder.endCollection(at: start + 60)
        #expect(try await builder.finishWorkout() == nil)
        health.unlockDevice()
        let workouts = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: health.store)
        #expect(workouts.map(\.duration) == [60])
    }

    @Test func unlockingLetsFailedQueriesRead() async throws {
        let health = TestHealthStore()
        // The number of samples, or the negative code of an error.
        let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
        let inaccessible = -HKError.Code.errorDatabaseInaccessible.rawValue
        let query = HKAnchoredObjectQuery(
            type: steps, predicate: nil, anchor: nil, limit: HKObjectQueryNoLimit
        ) { _, samples, _, _, _ in
            continuation.yield(samples?.count ?? 0)
        }
        query.updateHandler = { _, samples, _, _, error in
            continuation.yield(samples?.count ?? -((error as? HKError)?.code.rawValue ?? 0))
        }
        health.store.execute(query)
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next() == 0)
        health.lockDevice()
        try health.plant([sample()])
        #expect(await iterator.next() == inaccessible)
        health.unlockDevice()
        #expect(await iterator.next() == 1)
        // Updates that are held wait, as all others do.
        health.lockDevice()
        try health.plant([sample(at: 600), sample(at: 1_200)])
        #expect(await iterator.next() == inaccessible)
        health.holdUpdates()
        health.unlockDevice()
        health.deliverUpdates()
        #expect(await iterator.next() == 2)
        health.store.stop(query)
    }

    @Test func everyCallFailsWithoutHealthData() async throws {
        let health = TestHealthStore()
        #expect(HKHealthStore.isHealthDataAvailable())
        await health.withoutHealthData {
            #expect(!HKHealthStore.isHealthDataAvailable())
            let saving = await #expect(throws: HKError.self) { try await health.store.save(sample()) }
            #expect(saving?.code == .errorHealthDataUnavailable)
            let reading = await #expect(throws: HKError.self) { _ = try await read(health.store) }
            #expect(reading?.code == .errorHealthDataUnavailable)
            let asking = await #expect(throws: HKError.self) {
                try await health.store.requestAuthorization(toShare: [steps], read: [steps])
            }
            #expect(asking?.code == .errorHealthDataUnavailable)
            #expect(throws: HKError.self) { try health.store.biologicalSex() }
        }
        #expect(HKHealthStore.isHealthDataAvailable())
        try await health.store.save(sample())
        #expect(try await read(health.store).count == 1)
    }

    @Test func theDefaultSourceIsTheAppUnderTest() async throws {
        let health = TestHealthStore(application: .init(bundleIdentifier: "com.example.mine", name: "Mine"))
        let own = sample()
        try await health.store.save(own)
        try health.plant([sample(5, at: 600)], from: .watch)
        try await health.store(of: .init(bundleIdentifier: "com.example.stranger")).save(sample(7, at: 900))
        let all = try await read(health.store)
        #expect(all.map { $0.sourceRevision.source == .default() } == [true, false, false])
        #expect(all.map { HKSource.default() == $0.sourceRevision.source } == [true, false, false])
        let predicates = [
            HKQuery.predicateForObjects(from: .default()), HKQuery.predicateForObjects(from: [HKSource.default()]),
            NSPredicate(format: "%K == %@", HKPredicateKeyPathSource, HKSource.default()),
        ]
        for predicate in predicates {
            let found = try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: steps, predicate: predicate)], sortDescriptors: []
            ).result(for: health.store)
            #expect(found.map(\.uuid) == [own.uuid])
        }
        let others = NSCompoundPredicate(notPredicateWithSubpredicate: predicates[0])
        #expect(try await health.store.deleteObjects(of: steps, predicate: others) == 0)
        #expect(try await health.store.deleteObjects(of: steps, predicate: predicates[0]) == 1)
    }

    @Test func readingOnlyIsSharingDenied() async throws {
        let health = TestHealthStore(permission: .undecided)
        try await health.store.requestAuthorization(toShare: [], read: [steps])
        #expect(health.store.authorizationStatus(for: steps) == .sharingDenied)
        let error = await #expect(throws: HKError.self) { try await health.store.save(sample()) }
        #expect(error?.code == .errorAuthorizationDenied)
        // Sharing can still be requested, and is then granted.
        let status = try await health.store.statusForAuthorizationRequest(toShare: [steps], read: [])
        #expect(status == .shouldRequest)
        try await health.store.requestAuthorization(toShare: [steps], read: [steps])
        try await health.store.save(sample())
    }

    @Test func anInjectedFaultFailsOnceAndChangesNothing() async throws {
        let health = TestHealthStore()
        health.inject(Fault(at: .commit, after: 0))
        do {
            try await health.store.save(sample())
            Issue.record("the save succeeded")
        } catch let error as HKError {
            #expect(error.code == .errorDatabaseInaccessible)
        }
        #expect(try await read(health.store).isEmpty)
        try await health.store.save(sample())
        #expect(try await read(health.store).count == 1)
    }

    @Test func updatesAreDeliveredByHand() async throws {
        let health = TestHealthStore()
        let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
        let query = HKObserverQuery(sampleType: steps, predicate: nil) { _, completion, _ in
            continuation.yield(1)
            completion()
        }
        try health.plant([sample()])
        health.holdUpdates()
        health.store.execute(query)
        var iterator = calls.makeAsyncIterator()
        // The first call reports existing data without waiting for changes.
        _ = await iterator.next()
        try health.plant([sample(at: 100)])
        health.deliverUpdates()
        _ = await iterator.next()
        try health.deliverBackgroundUpdate(for: [steps])
        _ = await iterator.next()
        try health.plant([sample(at: 200)])
        health.releaseUpdates()
        _ = await iterator.next()
        health.store.stop(query)
    }

    @Test func aBackgroundDeliveryNeedsNoChange() async throws {
        let health = TestHealthStore()
        try health.plant([sample()])
        let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
        let many = HKQuery.predicateForQuantitySamples(
            with: .greaterThan, quantity: HKQuantity(unit: .count(), doubleValue: 1_000))
        let query = HKObserverQuery(sampleType: steps, predicate: many) { _, completion, _ in
            continuation.yield(1)
            completion()
        }
        health.store.execute(query)
        // The query may not be observing yet; the system, too, wakes an app repeatedly.
        let deliveries = Task { [steps] in
            while !Task.isCancelled {
                try health.deliverBackgroundUpdate(for: [steps])
                await Task.yield()
            }
        }
        var iterator = calls.makeAsyncIterator()
        #expect(await iterator.next() == 1)
        deliveries.cancel()
        health.store.stop(query)
    }

    @Test func theClockAdvancesOnlyOnRequest() {
        let clock = TestClock()
        let (calls, continuation) = AsyncStream.makeStream(of: Int.self)
        clock.clock.after(30) { continuation.yield(2) }
        clock.clock.after(10) { continuation.yield(1) }
        #expect(clock.waits == [10, 30])
        clock.advance(by: 15)
        #expect(clock.waits == [15])
        #expect(clock.now == TestClock.start + 15)
        clock.advance(by: 15)
        #expect(clock.waits.isEmpty)
        continuation.finish()
        _ = calls
    }

    @Test func summariesAndCharacteristicsArePlanted() async throws {
        let health = TestHealthStore()
        let day = DateComponents(calendar: TestHealthStore.utcCalendar, year: 2023, month: 3, day: 7)
        try health.plant([
            .testing(day, activeEnergy: (420, goal: 500), exercise: (20, goal: 30), standHours: (9, goal: 12))
        ])
        let found = try await HKActivitySummaryQueryDescriptor(
            predicate: HKQuery.predicateForActivitySummary(with: day)
        ).result(for: health.store)
        let summary = try #require(found.first)
        #expect(summary.activeEnergyBurned.doubleValue(for: .kilocalorie()) == 420)
        #expect(summary.activeEnergyBurnedGoal.doubleValue(for: .kilocalorie()) == 500)
        #expect(summary.exerciseTimeGoal?.doubleValue(for: .minute()) == 30)

        try health.setCharacteristics(
            TestCharacteristics(
                dateOfBirth: DateComponents(year: 1980, month: 2, day: 29), biologicalSex: .female,
                bloodType: .oNegative, wheelchairUse: .no))
        #expect(try health.store.dateOfBirthComponents().year == 1980)
        #expect(try health.store.biologicalSex().biologicalSex == .female)
        #expect(try health.store.bloodType().bloodType == .oNegative)
        #expect(try health.store.wheelchairUse().wheelchairUse == .no)
    }
}
