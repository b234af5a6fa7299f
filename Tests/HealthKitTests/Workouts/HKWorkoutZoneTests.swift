import Foundation
import HealthModel
import HealthEngine
@testable import HealthKit
import Testing

/// Configurations, and the time that builders measure in them.
@Suite struct HKWorkoutZoneTests {
    private let store = FreshStore.make()
    private let start = FreshStore.epoch
    private let perMinute = HKUnit.count().unitDivided(by: .minute())
    private let power = HKQuantityType(.cyclingPower)

    private func boundaries(_ rates: Double...) -> [HKQuantity] {
        rates.map { HKQuantity(unit: perMinute, doubleValue: $0) }
    }

    private func builder(_ activity: HKWorkoutActivityType = .running) -> HKWorkoutBuilder {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        return HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
    }

    private func custom() throws -> HKWorkoutZoneConfiguration {
        try HKWorkoutZoneConfiguration(quantityType: FreshStore.heartRate, zoneBoundaries: boundaries(100, 120, 140))
    }

    // MARK: Configurations

    @Test func aConfigurationHasOneZoneMoreThanBoundaries() throws {
        let configuration = try custom()
        #expect(configuration.zones.map(\.index) == [0, 1, 2, 3])
        let bounds: [HKQuantity?] = boundaries(100, 120, 140).map { $0 }
        #expect(configuration.zones.map(\.minimum) == [nil] + bounds)
        #expect(configuration.zones.map(\.maximum) == bounds + [nil])
        #expect(configuration.source == .app)
        #expect(configuration.quantityType == FreshStore.heartRate)
        #expect(try configuration == custom())
        let other = try HKWorkoutZoneConfiguration(
            quantityType: FreshStore.heartRate, zoneBoundaries: boundaries(100, 120, 141))
        #expect(configuration != other)
    }

    @Test func invalidBoundariesAreRefused() {
        let heartRate = FreshStore.heartRate
        let watts = HKQuantity(unit: .watt(), doubleValue: 100)
        for (type, wrong) in [
            (heartRate, boundaries(100)), (heartRate, boundaries(1, 2, 3, 4, 5, 6, 7, 8, 9)),
            (heartRate, boundaries(120, 100)), (heartRate, boundaries(100, 100)), (heartRate, [watts, watts]),
            (heartRate, boundaries(100, .infinity)), (FreshStore.steps, boundaries(100, 120)),
        ] {
            let error = #expect(throws: HKError.self) {
                try HKWorkoutZoneConfiguration(quantityType: type, zoneBoundaries: wrong)
            }
            #expect(error?.code == .errorInvalidArgument)
        }
    }

    /// Five zones of heart rate for everyone, of cycling power only if the person set them.
    @Test func thePersonsZones() async throws {
        let system = try #require(try await store.preferredWorkoutZoneConfiguration(for: FreshStore.heartRate))
        #expect(system.source == .system)
        #expect(system.zones.compactMap { $0.minimum?.doubleValue(for: perMinute) } == [114, 133, 152, 171])
        #expect(try await store.preferredWorkoutZoneConfiguration(for: power) == nil)
        #expect(try await store.preferredWorkoutZoneConfiguration(for: FreshStore.steps) == nil)
        try store.connection.engine().profile.update { $0.workoutZones = [power.identifier: [100, 150, 200]] }
        let own = try #require(try await store.preferredWorkoutZoneConfiguration(for: power))
        #expect(own.source == .user)
        #expect(own.zones.compactMap { $0.minimum?.doubleValue(for: .watt()) } == [100, 150, 200])
        #expect(WorkoutZoneRecord.heartRate(age: 70).boundaries == [90, 105, 120, 135])
    }

    /// As documented, it is an error where there are no zones.
    @Test func aBuilderWithoutZonesOfATypeThrows() async throws {
        let builder = builder(.cycling)
        for isCollecting in [false, true] {
            if isCollecting { try await builder.beginCollection(at: start) }
            for (type, code) in [(power, HKError.Code.errorNoData), (FreshStore.steps, .errorInvalidArgument)] {
                let error = await #expect(throws: HKError.self) { try await builder.zoneConfiguration(for: type) }
                #expect(error?.code == code)
            }
        }
        #expect(try await store.preferredWorkoutZoneConfiguration(for: power) == nil)
    }

    @Test func zonesMustBeSetBeforeCollection() async throws {
        let builder = builder()
        #expect(try await builder.zoneConfiguration(for: FreshStore.heartRate)?.source == .system)
        try await builder.setCustomZoneConfiguration(try custom(), for: FreshStore.heartRate)
        #expect(try await builder.zoneConfiguration(for: FreshStore.heartRate) == custom())
        await #expect(throws: HKError.self) { try await builder.setCustomZoneConfiguration(try custom(), for: power) }
        await #expect(throws: HKError.self) {
            try await builder.setCustomZoneConfiguration(nil, for: FreshStore.steps)
        }
        try await builder.beginCollection(at: start)
        let error = await #expect(throws: HKError.self) {
            try await builder.setCustomZoneConfiguration(nil, for: FreshStore.heartRate)
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(try await builder.zoneConfiguration(for: FreshStore.heartRate) == custom())
    }

    // MARK: Time

    /// A value holds until the next one, at most a minute after its end, and not during a pause.
    @Test func theTimeInZones() async throws {
        let builder = builder()
        try await builder.setCustomZoneConfiguration(try custom(), for: FreshStore.heartRate)
        try await builder.beginCollection(at: start)
        #expect(builder.zoneGroup(for: FreshStore.heartRate) == nil)
        // In any order; 100 is in the zone above the boundary; after 110 comes a gap.
        try await builder.addSamples([
            FreshStore.pulse(110, at: 40), FreshStore.pulse(90, at: 0), FreshStore.pulse(100, at: 30),
            FreshStore.pulse(150, at: 200),
        ])
        let live = try #require(builder.zoneGroup(for: FreshStore.heartRate))
        #expect(live.zoneDurations.map(\.duration) == [30, 70, 0, 0])
        try await builder.addWorkoutEvents([
            HKWorkoutEvent(type: .pause, dateInterval: .init(start: start + 210, duration: 0), metadata: nil),
            HKWorkoutEvent(type: .resume, dateInterval: .init(start: start + 225, duration: 0), metadata: nil),
        ])
        try await builder.endCollection(at: start + 300)
        let workout = try #require(try await builder.finishWorkout())
        let group = try #require(workout.zoneGroup(for: FreshStore.heartRate))
        #expect(group.zoneDurations.map(\.duration) == [30, 70, 0, 45])
        #expect(group.zoneDurations.map(\.zone) == group.configuration.zones)
        #expect(try group.configuration == custom())
        #expect(workout.zoneGroup(for: power) == nil)
        // As the store keeps it, and in an archive.
        let found = try #require(
            try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(for: store).first)
        #expect(found.zoneGroupsByType == [FreshStore.heartRate: group])
        #expect(found.workoutActivities.first?.zoneGroup(for: FreshStore.heartRate) == group)
        let data = try NSKeyedArchiver.archivedData(withRootObject: found, requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKWorkout.self, from: data)
        #expect(copy?.zoneGroupsByType == found.zoneGroupsByType)
    }

    @Test func activitiesHaveTheirOwnZones() async throws {
        let builder = builder(.swimBikeRun)
        try await builder.setCustomZoneConfiguration(try custom(), for: FreshStore.heartRate)
        try await builder.beginCollection(at: start)
        for (type, from) in [(HKWorkoutActivityType.cycling, 0.0), (.running, 60)] {
            let configuration = HKWorkoutConfiguration()
            configuration.activityType = type
            try await builder.addWorkoutActivity(
                HKWorkoutActivity(
                    workoutConfiguration: configuration, start: start + from, end: start + from + 60, metadata: nil))
        }
        try await builder.addSamples(
            [(90.0, 0.0), (130, 30), (150, 60), (150, 90)].map { FreshStore.pulse($0, at: $1) })
        try await builder.endCollection(at: start + 120)
        let workout = try #require(try await builder.finishWorkout())
        let parts = workout.workoutActivities.map { activity in
            activity.zoneGroup(for: FreshStore.heartRate)?.zoneDurations.map(\.duration)
        }
        #expect(parts == [[30, 0, 30, 0], [0, 0, 0, 60]])
        #expect(workout.zoneGroup(for: FreshStore.heartRate)?.zoneDurations.map(\.duration) == [30, 0, 30, 60])
        #expect(workout.workoutActivities[0].zoneGroupsByType?.count == 1)
    }

    @Test func aWorkoutWithoutABuilderHasNoZones() {
        let workout = HKWorkout(activityType: .running, start: start, end: start + 60)
        #expect(workout.zoneGroupsByType == nil)
        #expect(workout.workoutActivities.first?.zoneGroupsByType == nil)
    }

    /// A new builder of the same state measures on: the state is stored with its session.
    @Test func zonesAreRecovered() throws {
        var state = WorkoutBuilderState(configuration: HKWorkoutConfiguration().settings)
        let fields = try custom().record
        try state.setZones(fields, of: fields.type)
        state.personZones = ["other": .heartRate(age: 40)]
        let bytes = try JSONEncoder().encode(try #require(state.snapshot))
        let snapshot = try JSONDecoder().decode(WorkoutBuilderState.Snapshot.self, from: bytes)
        let recovered = WorkoutBuilderState(snapshot, configuration: state.configuration)
        #expect(recovered.zones(of: fields.type) == fields)
        #expect(recovered.zones(of: "other") == .heartRate(age: 40))
    }
}
