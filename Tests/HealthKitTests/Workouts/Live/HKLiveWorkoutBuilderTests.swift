import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import Testing

@testable import HealthKit

@Suite struct HKLiveWorkoutBuilderTests {
    private let name = FreshStore.name()
    private let clock = HandClock()
    private let store: HKHealthStore
    private let strap: HKHealthStore
    private let start = FreshStore.epoch
    private let listener = SessionListener()
    private let session: HKWorkoutSession
    private let builder: HKLiveWorkoutBuilder
    private let perMinute = HKUnit.count().unitDivided(by: .minute())

    init() throws {
        store = FreshStore.make(named: name, clock: clock.clock)
        strap = FreshStore.make(named: name, app: "org.example.strap", clock: clock.clock)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        session = try HKWorkoutSession(healthStore: store, configuration: configuration)
        builder = session.associatedWorkoutBuilder()
        session.delegate = listener
        builder.delegate = listener
        builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
    }

    private func pulse() -> HKStatistics? { builder.statistics(for: FreshStore.heartRate) }

    @Test func samplesOfOtherProgramsAreCollected() async throws {
        try await strap.save(FreshStore.pulse(60, at: 1))
        try await builder.beginCollection(at: start)
        try await strap.save([FreshStore.pulse(100, at: 5), FreshStore.pulse(120, at: 6), FreshStore.pulse(50, at: -5)])
        #expect(await listener.words.next() == "collected HeartRate")
        #expect(pulse()?.averageQuantity()?.doubleValue(for: perMinute).rounded() == 110)
        // A type that is not collected is passed over.
        try await strap.save(FreshStore.asleep(at: 0, lasting: 10))
        try await strap.save(FreshStore.pulse(140, at: 7))
        #expect(await listener.words.next() == "collected HeartRate")
        #expect(pulse()?.mostRecentQuantity()?.doubleValue(for: perMinute) == 140)
        try await builder.endCollection(at: start + 60)
        try await strap.save(FreshStore.pulse(200, at: 8))
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.statistics(for: FreshStore.heartRate)?.maximumQuantity()?.doubleValue(for: perMinute) == 140)
        let mine = HKSamplePredicate.quantitySample(
            type: FreshStore.heartRate, predicate: HKQuery.predicateForObjects(from: workout))
        let found = try await HKSampleQueryDescriptor(predicates: [mine], sortDescriptors: []).result(for: store)
        #expect(found.count == 3)
        #expect(Set(found.map(\.sourceRevision.source.bundleIdentifier)) == ["org.example.strap"])
    }

    @Test("A collection that can't begin can begin later")
    func failedBeginning() async throws {
        var failures = 0
        for reads in 0..<8 {
            let storage = FaultStorage(try StorageProviders.shared.openInMemory())
            let store = HKHealthStore(
                configuration: HKHealthStore.Configuration(
                    location: .inMemory(name: nil), authorization: .allowAll, clock: clock.clock),
                engine: try HealthEngine(storage: storage), availability: DeviceAvailability())
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = .running
            let session = try HKWorkoutSession(healthStore: store, configuration: configuration)
            let builder = session.associatedWorkoutBuilder()
            builder.dataSource = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: configuration)
            storage.inject(Fault(at: .read, after: reads))
            do {
                try await builder.beginCollection(at: start)
            } catch {
                failures += 1
                #expect(builder.startDate == nil)
                try await builder.beginCollection(at: start)
            }
            try await store.save(FreshStore.pulse(100, at: 5))
            try await builder.endCollection(at: start + 60)
            #expect(
                builder.statistics(for: FreshStore.heartRate)?.maximumQuantity()?.doubleValue(for: perMinute) == 100,
                "after \(reads) reads")
        }
        #expect(failures > 0)
    }

    @Test func delegateIsNotifiedOfZones() async throws {
        let listener = ZoneListener()
        builder.delegate = listener
        let bounds = [100.0, 120].map { HKQuantity(unit: perMinute, doubleValue: $0) }
        try await builder.setCustomZoneConfiguration(
            HKWorkoutZoneConfiguration(quantityType: FreshStore.heartRate, zoneBoundaries: bounds),
            for: FreshStore.heartRate)
        try await builder.beginCollection(at: start)
        try await strap.save(FreshStore.pulse(90, at: 10))
        let first = await listener.updates.next()
        #expect(first.currentZoneDuration?.zone.index == 0)
        #expect(first.previousZoneDuration == nil)
        #expect(first.lastSampleProcessedDate == start + 10)
        try await strap.save(FreshStore.pulse(130, at: 30))
        let second = await listener.updates.next()
        #expect(second.currentZoneDuration?.zone.index == 2)
        #expect(second.previousZoneDuration?.zone.index == 0)
        #expect(second.previousZoneDuration?.duration == 20)
        #expect(second.zoneGroup?.zoneDurations.map(\.duration) == [20, 0, 0])
        #expect(second.lastSampleProcessedDate == start + 30)
        try await builder.endCollection(at: start + 60)
        let workout = try #require(try await builder.finishWorkout())
        #expect(workout.zoneGroup(for: FreshStore.heartRate)?.zoneDurations.map(\.duration) == [20, 0, 30])
    }

    @Test func lastSamplesAreCollectedBeforeTheEnd() async throws {
        try await builder.beginCollection(at: start)
        try await strap.save([FreshStore.pulse(100, at: 5), FreshStore.pulse(101, at: 80)])
        try await builder.endCollection(at: start + 60)
        #expect(pulse()?.maximumQuantity()?.doubleValue(for: perMinute) == 100)
    }

    @Test func aFailedEndRemovesNothing() async throws {
        try await builder.beginCollection(at: start)
        try await builder.addWorkoutEvents([HKWorkoutEvent(type: .lap, date: start + 50)])
        try await strap.save([FreshStore.pulse(100, at: 5), FreshStore.pulse(140, at: 45)])
        await #expect(throws: HKError.self) { try await builder.endCollection(at: start + 20) }
        try await builder.endCollection(at: start + 60)
        #expect(pulse()?.maximumQuantity()?.doubleValue(for: perMinute) == 140)
    }

    @Test func ownSamplesAreReportedAndCountedOnce() async throws {
        try await builder.beginCollection(at: start)
        try await builder.addSamples([FreshStore.pulse(100, at: 5)])
        #expect(await listener.words.next() == "collected HeartRate")
        try await strap.save(FreshStore.pulse(150, at: 6))
        #expect(await listener.words.next() == "collected HeartRate")
        #expect(pulse()?.averageQuantity()?.doubleValue(for: perMinute).rounded() == 125)
    }

    @Test func dataSourceDeterminesCollectedTypes() async throws {
        let source = try #require(builder.dataSource)
        #expect(source.typesToCollect.contains(HKQuantityType(.distanceWalkingRunning)))
        #expect(source.typesToCollect.contains(FreshStore.heartRate))
        #expect(HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil).typesToCollect.isEmpty)
        source.enableCollection(
            for: FreshStore.heartRate,
            predicate: HKQuery.predicateForQuantitySamples(
                with: .greaterThan, quantity: HKQuantity(unit: perMinute, doubleValue: 100)))
        source.disableCollection(for: HKQuantityType(.stepCount))
        #expect(!source.typesToCollect.contains(HKQuantityType(.stepCount)))
        try await builder.beginCollection(at: start)
        try await strap.save([FreshStore.steps(10), FreshStore.pulse(90, at: 5), FreshStore.pulse(110, at: 6)])
        #expect(await listener.words.next() == "collected HeartRate")
        #expect(pulse()?.minimumQuantity()?.doubleValue(for: perMinute) == 110)
        // A second call replaces the predicate; what was passed over stays so.
        source.enableCollection(for: FreshStore.heartRate, predicate: NSPredicate { _, _ in true })
        try await strap.save(FreshStore.pulse(95, at: 7))
        #expect(await listener.words.next() == "collected HeartRate")
        #expect(pulse()?.minimumQuantity()?.doubleValue(for: perMinute) == 95)
        #expect(builder.statistics(for: FreshStore.steps) == nil)
    }

    @Test(arguments: [true, false])
    func eventsOfTheSessionAreCollected(_ collects: Bool) async throws {
        builder.shouldCollectWorkoutEvents = collects
        session.startActivity(with: nil)
        try await builder.beginCollection(at: start)
        clock.advance(by: 10)
        session.pause()
        clock.advance(by: 10)
        #expect(builder.elapsedTime == (collects ? 10 : 20))
        session.resume()
        clock.advance(by: 10)
        #expect(builder.elapsedTime == (collects ? 20 : 30))
        session.end()
        let expected =
            collects
            ? ["1>2", "2>4", "event1", "builder event", "4>2", "event2", "builder event", "2>3"]
            : ["1>2", "2>4", "event1", "4>2", "event2", "2>3"]
        #expect(await listener.until("2>3") == expected)
        #expect(builder.workoutEvents.count == (collects ? 2 : 0))
    }

    @Test func bothOrdersOfTheEndMakeAWorkout() async throws {
        session.startActivity(with: start)
        try await builder.beginCollection(at: start)
        clock.advance(by: 60)
        session.stopActivity(with: nil)
        _ = await listener.until("2>6")
        try await builder.endCollection(at: clock.clock.now())
        let workout = try #require(try await builder.finishWorkout())
        session.end()
        #expect(workout.duration == 60)

        let other = try HKWorkoutSession(healthStore: store, configuration: session.workoutConfiguration)
        let second = other.associatedWorkoutBuilder()
        other.startActivity(with: nil)
        try await second.beginCollection(at: clock.clock.now())
        clock.advance(by: 30)
        other.end()
        try await second.endCollection(at: clock.clock.now())
        #expect(try await second.finishWorkout()?.duration == 30)
    }

    @Test func noSourceCollectsNothing() async throws {
        builder.dataSource = nil
        try await builder.beginCollection(at: start)
        try await strap.save(FreshStore.pulse(100, at: 5))
        try await builder.endCollection(at: start + 10)
        #expect(builder.allStatistics.isEmpty)
    }

    @Test func aPredicateThatDoesNotFitEndsTheProcess() async {
        await #expect(processExitsWith: .failure) {
            let store = FreshStore.make()
            let source = HKLiveWorkoutDataSource(healthStore: store, workoutConfiguration: nil)
            source.enableCollection(for: FreshStore.heartRate, predicate: NSPredicate(format: "totalDistance > 'a'"))
        }
    }
}

/// Records what a builder tells about zones.
private final class ZoneListener: NSObject, HKLiveWorkoutBuilderDelegate {
    let updates = Calls<HKLiveWorkoutZoneUpdate>()

    func workoutBuilder(_ workoutBuilder: HKLiveWorkoutBuilder, didCollectDataOf collectedTypes: Set<HKSampleType>) {}

    func workoutBuilderDidCollectEvent(_ workoutBuilder: HKLiveWorkoutBuilder) {}

    func workoutBuilder(
        _ workoutBuilder: HKLiveWorkoutBuilder, didUpdateWorkoutZone zoneUpdate: HKLiveWorkoutZoneUpdate
    ) {
        updates.add(zoneUpdate)
    }
}
