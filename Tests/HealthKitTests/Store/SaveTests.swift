import Dispatch
import Foundation
import HealthKit
import Testing

@Suite struct SaveTests {
    private let store = FreshStore.make()

    private func count(_ type: HKSampleType = FreshStore.steps) async throws -> Int {
        try await HKSampleQueryDescriptor(predicates: [.sample(type: type)], sortDescriptors: [])
            .result(for: store).count
    }

    @Test func aSavedSampleIsReadBackWithTheApplicationAsItsSource() async throws {
        let sample = FreshStore.steps(12, metadata: ["note": "left foot"])
        try await store.save(sample)
        let read = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], sortDescriptors: []
        ).result(for: store)
        let found = try #require(read.first)
        #expect(read.count == 1)
        #expect(found.uuid == sample.uuid)
        #expect(found.quantity.doubleValue(for: .count()) == 12)
        #expect(found.startDate == sample.startDate)
        #expect(found.metadata?["note"] as? String == "left foot")
        #expect(found.sourceRevision.source.bundleIdentifier == "org.example.app")
    }

    @Test func theHandlerFormTellsSuccess() async throws {
        let calls = Calls<(Bool, (any Error)?)>()
        store.save([FreshStore.steps(1), FreshStore.steps(2, at: 60)]) { calls.add(($0, $1)) }
        let (success, error) = await calls.next()
        #expect(success)
        #expect(error == nil)
        #expect(try await count() == 2)
    }

    @Test func aStoredIdentityIsRefusedAndNothingOfTheBatchIsSaved() async throws {
        let sample = FreshStore.steps(1)
        try await store.save(sample)
        let calls = Calls<(Bool, (any Error)?)>()
        store.save([FreshStore.steps(2, at: 60), sample]) { calls.add(($0, $1)) }
        let (success, error) = await calls.next()
        #expect(!success)
        #expect((error as? HKError)?.code == .errorInvalidArgument)
        #expect(try await count() == 1)
    }

    @Test func aSyncIdentifierKeepsOneObjectOfTheNewestVersion() async throws {
        func version(_ number: Int, _ value: Double) -> HKSample {
            FreshStore.steps(
                value,
                metadata: [HKMetadataKeySyncIdentifier: "day", HKMetadataKeySyncVersion: number])
        }
        try await store.save(version(1, 10))
        try await store.save(version(2, 20))
        try await store.save(version(2, 30))
        try await store.save(version(1, 40))
        let read = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], sortDescriptors: []
        ).result(for: store)
        #expect(read.map { $0.quantity.doubleValue(for: .count()) } == [20])
    }

    @Test func samplesJoinASavedWorkout() async throws {
        let workout = HKWorkout(
            activityType: .running, start: FreshStore.epoch, end: FreshStore.epoch + 600)
        try await store.save(workout)
        let saved = FreshStore.steps(5)
        try await store.save(saved)
        try await store.addSamples([saved, FreshStore.steps(7, at: 60)], to: workout)
        let calls = Calls<(Bool, (any Error)?)>()
        store.add([FreshStore.steps(9, at: 120)], to: workout) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        let mine = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: FreshStore.steps, predicate: HKQuery.predicateForObjects(from: workout))
            ], sortDescriptors: []
        ).result(for: store)
        let counts = mine.map { $0.quantity.doubleValue(for: .count()) }
        #expect(counts.reduce(0, +) == 21)
        #expect(try await count() == 3)
    }

    @Test func aWorkoutThatWasNotSavedTakesNoSamples() async {
        let workout = HKWorkout(
            activityType: .running, start: FreshStore.epoch, end: FreshStore.epoch + 600)
        await #expect(throws: HKError.self) {
            try await store.addSamples([FreshStore.steps(7)], to: workout)
        }
    }

    @Test func changesHappenInTheOrderTheyWereAskedFor() async throws {
        let calls = Calls<Int>()
        for round in 0..<50 {
            let sample = FreshStore.steps(1, at: Double(round) * 60)
            store.save(sample) { success, _ in calls.add(success ? 1 : 0) }
            store.delete(sample) { success, _ in calls.add(success ? 1 : 0) }
        }
        var succeeded = 0
        for _ in 0..<100 { succeeded += await calls.next() }
        #expect(succeeded == 100)
        #expect(try await count() == 0)
    }

    @Test func aHandlerMayWaitForAnotherChange() async throws {
        let store = store
        let calls = Calls<Bool>()
        store.save(FreshStore.steps(1)) { _, _ in
            let inner = DispatchSemaphore(value: 0)
            store.save(FreshStore.steps(2, at: 60)) { _, _ in inner.signal() }
            inner.wait()
            calls.add(true)
        }
        #expect(await calls.next())
        #expect(try await count() == 2)
    }

    @Test func aConfigurationLimitsDurations() async throws {
        var configuration = HKHealthStore.Configuration.inMemory
        configuration.maximumDurations = [FreshStore.steps: 3_600]
        let store = HKHealthStore(configuration: configuration)
        try await store.save([FreshStore.steps(1, lasting: 3_600), FreshStore.asleep(at: 0, lasting: 90_000)])
        let error = await #expect(throws: HKError.self) { try await store.save(FreshStore.steps(1, lasting: 3_601)) }
        #expect(error?.code == .errorInvalidArgument)
        let calls = Calls<Bool>()
        store.save([FreshStore.steps(1, lasting: 3_601)]) { done, _ in calls.add(done) }
        #expect(await calls.next() == false)
    }

    @Test func equalExternalIdentifiersAreOnlyLabels() async throws {
        let store = FreshStore.make()
        let metadata = [HKMetadataKeyExternalUUID: "7E1D"]
        try await store.save([FreshStore.steps(1, metadata: metadata), FreshStore.steps(2, metadata: metadata)])
        try await store.save(FreshStore.steps(3, metadata: metadata))
        let found = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(
                    type: FreshStore.steps,
                    predicate: HKQuery.predicateForObjects(
                        withMetadataKey: HKMetadataKeyExternalUUID, allowedValues: ["7E1D"]))
            ], sortDescriptors: []
        ).result(for: store)
        #expect(found.count == 3)
    }

    @Test func handlersAreCalledOffTheMainThread() async {
        let store = FreshStore.make()
        let calls = Calls<Bool>()
        await MainActor.run {
            store.save(FreshStore.steps(1)) { _, _ in calls.add(Thread.isMainThread) }
            store.requestAuthorization(toShare: [FreshStore.steps], read: nil) { _, _ in calls.add(Thread.isMainThread)
            }
            store.deleteObjects(of: FreshStore.steps, predicate: NSPredicate(value: false)) { _, _, _ in
                calls.add(Thread.isMainThread)
            }
            store.execute(
                HKSampleQuery(sampleType: FreshStore.steps, predicate: nil, limit: 0, sortDescriptors: nil) { _, _, _ in
                    calls.add(Thread.isMainThread)
                })
        }
        for _ in 0..<4 {
            #expect(await calls.next() == false)
        }
    }
}
