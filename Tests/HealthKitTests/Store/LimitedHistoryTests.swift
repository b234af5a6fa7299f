import CoreLocation
import Foundation
import HealthKit
import Testing
import UniformTypeIdentifiers

/// An application whose access is limited to recent history: every kind of query leaves out samples that end before
/// the limit.
@Suite struct LimitedHistoryTests {
    private let name = FreshStore.name()
    private let limit = FreshStore.epoch + 600

    /// A store without limits, as another application has it. A test keeps it, because the data goes with the last
    /// store.
    private var other: HKHealthStore {
        FreshStore.make(named: name, app: "org.example.other", authorization: .allowAll)
    }

    /// The store of an application that may read the types since ``limit``, and share nothing.
    private func limited(_ types: Set<HKObjectType>) async throws -> HKHealthStore {
        let answer = HKHealthStore.Configuration.AuthorizationAnswer(
            share: [], read: types, earliestSampleDate: limit)
        let store = FreshStore.make(named: name, authorization: .handler { _ in answer })
        try await store.requestAuthorization(toShare: [], read: types)
        return store
    }

    @Test func theEndOfASampleCounts() async throws {
        let across = FreshStore.steps(1, at: 0, lasting: 601)
        let at = FreshStore.steps(2, at: 0, lasting: 600)
        let before = FreshStore.steps(4, at: 0, lasting: 599)
        let other = other
        try await other.save([across, at, before])
        let store = try await limited([FreshStore.steps])
        let found = try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], sortDescriptors: []
        ).result(for: store)
        #expect(Set(found) == [across, at])
        // Neither a predicate nor the identity leads around the limit.
        let named = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: FreshStore.steps, predicate: HKQuery.predicateForObject(with: before.uuid))
            ],
            sortDescriptors: []
        ).result(for: store)
        #expect(named.isEmpty)
    }

    @Test func statistics() async throws {
        let other = other
        try await other.save([FreshStore.pulse(40), FreshStore.pulse(60, at: 700), FreshStore.pulse(80, at: 800)])
        let store = try await limited([FreshStore.heartRate])
        let unit = HKUnit.count().unitDivided(by: .minute())
        let options: HKStatisticsOptions = [.discreteMin, .discreteMax, .mostRecent]
        let statistics = try #require(
            try await HKStatisticsQueryDescriptor(
                predicate: .quantitySample(type: FreshStore.heartRate), options: options
            ).result(for: store))
        #expect(statistics.minimumQuantity()?.doubleValue(for: unit) == 60)
        #expect(statistics.startDate == FreshStore.epoch + 700)
        let hours = try await HKStatisticsCollectionQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.heartRate), options: options, anchorDate: FreshStore.epoch,
            intervalComponents: DateComponents(minute: 1)
        ).result(for: store)
        #expect(hours.statistics().map(\.startDate) == [660, 780].map { FreshStore.epoch + $0 })
        #expect(hours.statistics(for: FreshStore.epoch)?.minimumQuantity() == nil)
    }

    @Test func aStatisticsQueryWithoutVisibleSamplesHasNoData() async throws {
        let other = other
        try await other.save(FreshStore.steps(5))
        let store = try await limited([FreshStore.steps])
        let calls = Calls<(HKStatistics?, (any Error)?)>()
        store.execute(
            HKStatisticsQuery(
                quantityType: FreshStore.steps, quantitySamplePredicate: nil, options: .cumulativeSum
            ) { calls.add(($1, $2)) })
        let (statistics, error) = await calls.next()
        #expect(statistics == nil)
        #expect((error as? HKError)?.code == .errorNoData)
    }

    @Test func observersAreNotNotifiedOfUnreadableSamples() async throws {
        let other = other
        try await other.save(FreshStore.steps(1))
        let store = try await limited([FreshStore.steps])
        let calls = Calls<Bool>()
        let query = HKObserverQuery(sampleType: FreshStore.steps, predicate: nil) { _, completion, error in
            calls.add(error == nil)
            completion()
        }
        store.execute(query)
        // The type has data, but none that this application sees: the first call is for the sample within the limit.
        try await other.save(FreshStore.steps(2, at: 900))
        #expect(await calls.next())
        store.stop(query)
    }

    @Test func correlationsAndTheirMembers() async throws {
        let other = other
        try await other.save([FreshStore.pressure(120, 80), FreshStore.pressure(130, 90, at: 900)])
        let store = try await limited([HKQuantityType(.bloodPressureSystolic), HKQuantityType(.bloodPressureDiastolic)])
        let found = try await HKSampleQueryDescriptor(
            predicates: [.correlation(type: HKCorrelationType(.bloodPressure))], sortDescriptors: []
        ).result(for: store)
        #expect(found.map(\.startDate) == [FreshStore.epoch + 900])
        #expect(found.first?.objects.count == 2)
        let calls = Calls<[HKCorrelation]?>()
        store.execute(
            HKCorrelationQuery(type: HKCorrelationType(.bloodPressure), predicate: nil, samplePredicates: nil) {
                _, correlations, _ in calls.add(correlations)
            })
        #expect(await calls.next()?.map(\.startDate) == [FreshStore.epoch + 900])
    }

    @Test func workoutsTheirSamplesAndRoutes() async throws {
        let other = other
        let early = HKWorkout(activityType: .running, start: FreshStore.epoch, end: FreshStore.epoch + 300)
        let late = HKWorkout(activityType: .running, start: FreshStore.epoch + 500, end: FreshStore.epoch + 1000)
        try await other.save([early, late])
        for workout in [early, late] {
            let builder = HKWorkoutRouteBuilder(healthStore: other, device: nil)
            let offset = workout.startDate.timeIntervalSince(FreshStore.epoch)
            try await builder.insertRouteData([
                CLLocation(
                    coordinate: CLLocationCoordinate2D(latitude: 50, longitude: 8), altitude: 0, horizontalAccuracy: 1,
                    verticalAccuracy: 1, timestamp: FreshStore.epoch + offset + 200)
            ])
            try await builder.finishRoute(with: workout, metadata: nil)
        }
        try await other.addSamples([FreshStore.pulse(60, at: 510), FreshStore.pulse(100, at: 900)], to: late)
        let types: Set<HKObjectType> = [.workoutType(), HKSeriesType.workoutRoute(), FreshStore.heartRate]
        let store = try await limited(types)
        let workouts = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: store)
        #expect(workouts.map(\.uuid) == [late.uuid])
        let routes = try await HKSampleQueryDescriptor(predicates: [.workoutRoute()], sortDescriptors: []).result(
            for: store)
        #expect(routes.map(\.startDate) == [FreshStore.epoch + 700])
        // A workout that began before the limit is visible, its samples from before aren't.
        let pulses = try await HKSampleQueryDescriptor(
            predicates: [
                .quantitySample(type: FreshStore.heartRate, predicate: HKQuery.predicateForObjects(from: late))
            ],
            sortDescriptors: []
        ).result(for: store)
        #expect(pulses.map(\.startDate) == [FreshStore.epoch + 900])
        // Its statistics are part of the workout.
        let unit = HKUnit.count().unitDivided(by: .minute())
        let minimum = workouts.first?.statistics(for: FreshStore.heartRate)?.minimumQuantity()
        #expect(minimum?.doubleValue(for: unit) == 60)
    }

    @Test func quantitySeries() async throws {
        let other = other
        for offset in [0.0, 900] {
            let builder = HKQuantitySeriesSampleBuilder(
                healthStore: other, quantityType: FreshStore.heartRate, startDate: FreshStore.epoch + offset,
                device: nil)
            let unit = HKUnit.count().unitDivided(by: .minute())
            try builder.insert(HKQuantity(unit: unit, doubleValue: 60), at: FreshStore.epoch + offset)
            try builder.insert(HKQuantity(unit: unit, doubleValue: 70), at: FreshStore.epoch + offset + 10)
            _ = try await builder.finishSeries(metadata: nil)
        }
        let store = try await limited([FreshStore.heartRate])
        var dates: [Date] = []
        let results = HKQuantitySeriesSampleQueryDescriptor(
            predicate: .quantitySample(type: FreshStore.heartRate), options: []
        ).results(for: store)
        for try await result in results { dates.append(result.dateInterval.start) }
        #expect(dates == [900, 910].map { FreshStore.epoch + $0 })
    }

    @Test func changes() async throws {
        let other = other
        let (old, new) = (FreshStore.steps(1), FreshStore.steps(2, at: 900))
        try await other.save([old, new])
        let store = try await limited([FreshStore.steps])
        let descriptor = HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], anchor: nil)
        let first = try await descriptor.result(for: store)
        #expect(first.addedSamples == [new])
        // Deletions are reported regardless of dates.
        try await other.delete([old])
        let next = try await HKAnchoredObjectQueryDescriptor(
            predicates: [.quantitySample(type: FreshStore.steps)], anchor: first.newAnchor
        ).result(for: store)
        #expect(next.addedSamples.isEmpty && next.deletedObjects.map(\.uuid) == [old.uuid])
    }

    @Test func attachmentsOfHiddenSamples() async throws {
        let other = other
        let (old, new) = (FreshStore.steps(1), FreshStore.steps(2, at: 900))
        try await other.save([old, new])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "LimitedHistory-\(UUID().uuidString).txt")
        try Data("text".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for sample in [old, new] {
            _ = try await HKAttachmentStore(healthStore: other).addAttachment(
                to: sample, name: "a", contentType: .plainText, url: file)
        }
        let attachments = HKAttachmentStore(healthStore: try await limited([FreshStore.steps]))
        #expect(try await attachments.attachments(for: new).count == 1)
        let hidden = try? await attachments.attachments(for: old)
        #expect(hidden?.isEmpty ?? true)
    }
}
