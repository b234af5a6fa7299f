import CoreLocation
import Foundation
@testable import HealthKit
import Testing

@Suite struct HKWorkoutBuilderTests {
    private let store = FreshStore.make()
    private let start = FreshStore.epoch

    private func builder(_ activity: HKWorkoutActivityType = .running) -> HKWorkoutBuilder {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = activity
        configuration.locationType = .outdoor
        return HKWorkoutBuilder(healthStore: store, configuration: configuration, device: .local())
    }

    private func energy(_ value: Double, at offset: TimeInterval) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.activeEnergyBurned), quantity: HKQuantity(unit: .kilocalorie(), doubleValue: value),
            start: start + offset, end: start + offset + 10)
    }

    private func distance(_ value: Double, at offset: TimeInterval) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.distanceWalkingRunning), quantity: HKQuantity(unit: .meter(), doubleValue: value),
            start: start + offset, end: start + offset + 10)
    }

    // MARK: Every call in every state

    enum State: CaseIterable, Sendable {
        case fresh, collecting, collected, finished, discarded
    }

    enum Call: CaseIterable, Sendable {
        case begin, addSamples, addEvents, addActivity, addMetadata, end, finish

        /// Where the call succeeds.
        var allowed: Set<State> {
            switch self {
            case .begin: [.fresh]
            case .addSamples, .addEvents, .addActivity, .addMetadata: [.collecting, .collected]
            case .end: [.collecting]
            case .finish: [.collected]
            }
        }
    }

    private func builder(in state: State) async throws -> HKWorkoutBuilder {
        let builder = builder()
        if state == .fresh { return builder }
        try await builder.beginCollection(at: start)
        if state == .collecting { return builder }
        if state == .discarded {
            builder.discardWorkout()
            return builder
        }
        try await builder.endCollection(at: start + 600)
        if state == .finished { _ = try await builder.finishWorkout() }
        return builder
    }

    private func make(_ call: Call, on builder: HKWorkoutBuilder) async throws {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        switch call {
        case .begin: try await builder.beginCollection(at: start)
        case .addSamples: try await builder.addSamples([energy(1, at: 5)])
        case .addEvents: try await builder.addWorkoutEvents([HKWorkoutEvent(type: .lap, date: start + 5)])
        case .addActivity:
            try await builder.addWorkoutActivity(
                HKWorkoutActivity(
                    workoutConfiguration: configuration, start: start, end: start + 60, metadata: nil))
        case .addMetadata: try await builder.addMetadata(["key": "value"])
        case .end: try await builder.endCollection(at: start + 600)
        case .finish: _ = try await builder.finishWorkout()
        }
    }

    @Test(arguments: State.allCases, Call.allCases)
    func callsSucceedInTheirStates(state: State, call: Call) async throws {
        let builder = try await builder(in: state)
        if call.allowed.contains(state) {
            try await make(call, on: builder)
        } else {
            let (events, activities) = (builder.workoutEvents, builder.workoutActivities)
            let error = await #expect(throws: HKError.self) { try await make(call, on: builder) }
            #expect(error?.code == .errorInvalidArgument)
            #expect(builder.workoutEvents == events)
            #expect(builder.workoutActivities == activities)
            #expect(builder.metadata.isEmpty)
        }
    }

    @Test func handlersReceiveTheSame() async throws {
        let builder = builder()
        let calls = Calls<(Bool, (any Error)?)>()
        builder.add([energy(1, at: 0)]) { calls.add(($0, $1)) }
        builder.beginCollection(withStart: start) { calls.add(($0, $1)) }
        // Calls are in order, and each calls its handler on its own queue.
        #expect(Set([await calls.next().0, await calls.next().0]) == [false, true])
        builder.add([energy(1, at: 0)]) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        builder.addMetadata(["a": 1]) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        builder.addWorkoutEvents([HKWorkoutEvent(type: .marker, date: start + 1)]) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        let activity = HKWorkoutActivity(
            workoutConfiguration: builder.workoutConfiguration, start: start, end: nil, metadata: nil)
        builder.addWorkoutActivity(activity) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        builder.updateActivity(uuid: activity.uuid, adding: ["b": 2]) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        builder.updateActivity(uuid: activity.uuid, end: start + 30) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        builder.endCollection(withEnd: start + 60) { calls.add(($0, $1)) }
        #expect(await calls.next().0)
        let workouts = Calls<(HKWorkout?, (any Error)?)>()
        builder.finishWorkout { workouts.add(($0, $1)) }
        let (workout, error) = await workouts.next()
        #expect(error == nil)
        #expect(workout?.workoutActivities.first?.metadata?["b"] as? Int == 2)
        #expect(workout?.workoutActivities.first?.duration == 30)
    }

    // MARK: What is gathered

    @Test func samplesAreStoredAtOnceAndStayWhenTheWorkoutDoesNot() async throws {
        let builder = try await builder(in: .collecting)
        try await builder.addSamples([energy(3, at: 1), energy(4, at: 20)])
        let type = HKQuantityType(.activeEnergyBurned)
        #expect(builder.statistics(for: type)?.sumQuantity()?.doubleValue(for: .kilocalorie()) == 7)
        #expect(Set(builder.allStatistics.keys) == [type])
        builder.discardWorkout()
        let kept = try await HKSampleQueryDescriptor(predicates: [.quantitySample(type: type)], sortDescriptors: [])
            .result(for: store)
        #expect(kept.count == 2)
        #expect(kept[0].device == nil)
        let workouts = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: store)
        #expect(workouts.isEmpty)
    }

    @Test func samplesObeyTheRulesOfSaving() async throws {
        let builder = try await builder(in: .collecting)
        let early = await #expect(throws: HKError.self) { try await builder.addSamples([energy(1, at: -1)]) }
        #expect(early?.code == .errorInvalidArgument)
        let workout = HKWorkout(activityType: .running, start: start, end: start + 1)
        await #expect(throws: HKError.self) { try await builder.addSamples([workout]) }
        let saved = energy(5, at: 30)
        try await store.save(saved)
        try await builder.addSamples([saved, saved])
        #expect(
            builder.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity()?
                .doubleValue(for: .kilocalorie()) == 5)
    }

    @Test func withoutPermissionNothingIsAdded() async throws {
        let denied = FreshStore.make(authorization: .handler { _ in .none })
        let configuration = HKWorkoutConfiguration()
        let builder = HKWorkoutBuilder(healthStore: denied, configuration: configuration, device: nil)
        try await builder.beginCollection(at: start)
        let error = await #expect(throws: HKError.self) { try await builder.addSamples([energy(1, at: 0)]) }
        #expect(error?.code == .errorAuthorizationNotDetermined)
        try await builder.endCollection(at: start + 1)
        await #expect(throws: HKError.self) { try await builder.finishWorkout() }
        // The builder is as it was, and may be asked again.
        let again = await #expect(throws: HKError.self) { try await builder.finishWorkout() }
        #expect(again?.code == .errorAuthorizationNotDetermined)
    }

    @Test func metadataIsLaidOverKeyByKey() async throws {
        let builder = try await builder(in: .collecting)
        try await builder.addMetadata(["a": 1, "b": "old"])
        try await builder.addMetadata(["b": "new", "c": 3])
        await #expect(throws: HKError.self) { try await builder.addMetadata(["b": "lost", "d": [1]]) }
        #expect(builder.metadata.count == 3)
        #expect(builder.metadata["b"] as? String == "new")
        #expect(builder.metadata["a"] as? Int == 1)
    }

    @Test func pausesAreLeftOutOfTheElapsedTime() async throws {
        let builder = builder()
        #expect(builder.elapsedTime(at: start + 10) == 0)
        try await builder.beginCollection(at: start)
        try await builder.addWorkoutEvents([
            HKWorkoutEvent(type: .pause, date: start + 10), HKWorkoutEvent(type: .resume, date: start + 40),
        ])
        #expect(builder.elapsedTime(at: start - 5) == 0)
        #expect(builder.elapsedTime(at: start + 5) == 5)
        #expect(builder.elapsedTime(at: start + 20) == 10)
        #expect(builder.elapsedTime(at: start + 100) == 70)
        try await builder.addWorkoutEvents([HKWorkoutEvent(type: .pause, date: start + 100)])
        #expect(builder.elapsedTime(at: start + 500) == 70)
        try await builder.endCollection(at: start + 200)
        #expect(builder.elapsedTime(at: start + 900) == 70)
    }

    @Test func eventsThatCannotBeStoredFail() async throws {
        let builder = try await builder(in: .collecting)
        for event in [HKWorkoutEvent(type: .resume, date: start + 1), HKWorkoutEvent(type: .lap, date: start - 1)] {
            await #expect(throws: HKError.self) { try await builder.addWorkoutEvents([event]) }
        }
        await #expect(throws: HKError.self) { try await builder.addWorkoutEvents([]) }
        #expect(builder.workoutEvents.isEmpty)
        try await builder.addWorkoutEvents([HKWorkoutEvent(type: .marker, date: start + 50)])
        await #expect(throws: HKError.self) { try await builder.endCollection(at: start + 40) }
        await #expect(throws: HKError.self) { try await builder.endCollection(at: start - 1) }
        try await builder.endCollection(at: start + 50)
        #expect(builder.endDate == start + 50)
    }

    // MARK: Activities

    @Test func activitiesDoNotOverlapAndAreWithinTheWorkout() async throws {
        let builder = try await builder(in: .collecting)
        let configuration = builder.workoutConfiguration
        func add(_ from: TimeInterval, _ to: TimeInterval?, _ type: HKWorkoutActivityType = .running) async throws {
            configuration.activityType = type
            try await builder.addWorkoutActivity(
                HKWorkoutActivity(
                    workoutConfiguration: configuration, start: start + from, end: to.map { start + $0 }, metadata: nil)
            )
        }
        try await add(10, 20)
        try await add(20, 30)
        await #expect(throws: HKError.self) { try await add(15, 17) }
        await #expect(throws: HKError.self) { try await add(-5, 5) }
        await #expect(throws: HKError.self) { try await add(40, 50, .cycling) }
        await #expect(throws: HKError.self) { try await add(5, nil) }
        try await add(40, nil)
        #expect(builder.workoutActivities.map(\.startDate) == [start + 10, start + 20, start + 40])
        await #expect(throws: HKError.self) { try await builder.updateActivity(uuid: UUID(), end: start + 50) }
        let first = builder.workoutActivities[0].uuid
        await #expect(throws: HKError.self) { try await builder.updateActivity(uuid: first, end: start + 25) }
        await #expect(throws: HKError.self) { try await builder.updateActivity(uuid: first, end: start + 5) }
        try await builder.endCollection(at: start + 100)
        #expect(builder.workoutActivities.last?.endDate == start + 100)
    }

    @Test func aTriathlonHasItsSports() async throws {
        let builder = builder(.swimBikeRun)
        try await builder.beginCollection(at: start)
        for (index, type) in [HKWorkoutActivityType.swimming, .transition, .cycling, .running].enumerated() {
            let part = HKWorkoutConfiguration()
            part.activityType = type
            let begin = start + Double(index) * 100
            try await builder.addWorkoutActivity(
                HKWorkoutActivity(workoutConfiguration: part, start: begin, end: begin + 100, metadata: nil))
        }
        let yoga = HKWorkoutConfiguration()
        yoga.activityType = .yoga
        let extra = HKWorkoutActivity(workoutConfiguration: yoga, start: start + 500, end: nil, metadata: nil)
        await #expect(throws: HKError.self) { try await builder.addWorkoutActivity(extra) }
        #expect(builder.workoutActivities.count == 4)
    }

    // MARK: The workout

    @Test func workoutHasTheCollectedSamples() async throws {
        let builder = try await builder(in: .collecting)
        try await builder.addSamples([
            energy(30, at: 0), energy(50, at: 100), distance(400, at: 50), FreshStore.pulse(120, at: 5),
            FreshStore.pulse(160, at: 105),
        ])
        try await builder.addWorkoutEvents([
            HKWorkoutEvent(type: .pause, date: start + 20), HKWorkoutEvent(type: .resume, date: start + 50),
        ])
        try await builder.addMetadata(["note": "hills"])
        try await builder.endCollection(at: start + 600)
        let made = try #require(try await builder.finishWorkout())
        let read = try #require(
            try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(for: store).first)
        let perMinute = HKUnit.count().unitDivided(by: .minute())
        for workout in [made, read] {
            #expect(workout.uuid == made.uuid)
            #expect(workout.duration == 570)
            #expect(workout.workoutActivityType == .running)
            #expect(workout.workoutEvents?.map(\.type) == [.pause, .resume])
            #expect(workout.metadata?["note"] as? String == "hills")
            #expect(workout.device == .local())
            #expect(workout.sourceRevision.source.bundleIdentifier == "org.example.app")
            #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 80)
            #expect(workout.totalDistance?.doubleValue(for: .meter()) == 400)
            let pulse = workout.statistics(for: FreshStore.heartRate)
            #expect(pulse?.averageQuantity()?.doubleValue(for: perMinute).rounded() == 140)
            #expect(pulse?.maximumQuantity()?.doubleValue(for: perMinute) == 160)
            #expect(pulse?.mostRecentQuantity()?.doubleValue(for: perMinute) == 160)
            #expect(workout.allStatistics.count == 3)
            let activity = workout.workoutActivities[0]
            #expect(workout.workoutActivities.count == 1)
            #expect(activity.workoutConfiguration.locationType == .outdoor)
            #expect(activity.duration == 570)
            #expect(activity.workoutEvents.count == 2)
        }
    }

    @Test func predicatesSeeTheFigures() async throws {
        let builder = try await builder(in: .collecting)
        try await builder.addSamples([energy(30, at: 0), distance(400, at: 50), FreshStore.pulse(160, at: 5)])
        try await builder.endCollection(at: start + 600)
        let workout = try #require(try await builder.finishWorkout())
        let kilocalories = HKQuantity(unit: .kilocalorie(), doubleValue: 29)
        let rate = HKQuantity(unit: .count().unitDivided(by: .minute()), doubleValue: 159)
        let predicates = [
            HKQuery.predicateForWorkouts(with: .greaterThan, totalEnergyBurned: kilocalories),
            HKQuery.predicateForWorkouts(
                with: .equalTo, totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 0.4)),
            HKQuery.predicateForWorkouts(
                operatorType: .greaterThan, quantityType: FreshStore.heartRate, maximumQuantity: rate),
            HKQuery.predicateForWorkouts(
                activityPredicate: HKQuery.predicateForWorkoutActivities(
                    operatorType: .greaterThan, quantityType: HKQuantityType(.activeEnergyBurned),
                    sumQuantity: kilocalories)),
        ]
        for predicate in predicates {
            let found = try await HKSampleQueryDescriptor(predicates: [.workout(predicate)], sortDescriptors: [])
                .result(for: store)
            #expect(found == [workout], "\(predicate)")
        }
        let mine = HKSamplePredicate.quantitySample(
            type: FreshStore.heartRate, predicate: HKQuery.predicateForObjects(from: workout))
        let pulses = try await HKSampleQueryDescriptor(predicates: [mine], sortDescriptors: []).result(for: store)
        #expect(pulses.count == 1)
    }

    @Test func samplesThatAreGoneAreNotMissed() async throws {
        let builder = try await builder(in: .collecting)
        let gone = energy(30, at: 0)
        try await builder.addSamples([gone, energy(50, at: 100)])
        try await store.delete(gone)
        try await builder.endCollection(at: start + 600)
        let workout = try #require(try await builder.finishWorkout())
        let mine = HKSamplePredicate.quantitySample(
            type: HKQuantityType(.activeEnergyBurned), predicate: HKQuery.predicateForObjects(from: workout))
        let found = try await HKSampleQueryDescriptor(predicates: [mine], sortDescriptors: []).result(for: store)
        #expect(found.count == 1)
    }

    @Test func theRouteOfItsBuilderIsAttached() async throws {
        let builder = try await builder(in: .collecting)
        let route = try #require(builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        #expect(builder.seriesBuilder(for: .workoutRoute()) === route)
        try await route.insertRouteData([RouteFixtures.point(1), RouteFixtures.point(0)])
        try await builder.endCollection(at: start + 600)
        let other = HKWorkout(activityType: .running, start: start, end: start + 10)
        try await store.save(other)
        await #expect(throws: HKError.self) { try await route.finishRoute(with: other, metadata: nil) }
        let workout = try #require(try await builder.finishWorkout())
        let routes = try await HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))], sortDescriptors: []
        ).result(for: store)
        #expect(routes.map(\.count) == [2])
        #expect(routes.first?.device == .local())
    }

    @Test func theHeartbeatsOfItsBuilderAreAttached() async throws {
        #expect(try await builder(in: .fresh).seriesBuilder(for: .heartbeat()) == nil)
        let builder = try await builder(in: .collecting)
        let beats = try #require(builder.seriesBuilder(for: .heartbeat()) as? HKHeartbeatSeriesBuilder)
        #expect(builder.seriesBuilder(for: .heartbeat()) === beats)
        try await beats.addHeartbeat(at: 1.5, precededByGap: false)
        try await beats.addHeartbeat(at: 0.7, precededByGap: true)
        await #expect(throws: HKError.self) { try await beats.finishSeries() }
        try await builder.endCollection(at: start + 600)
        let workout = try #require(try await builder.finishWorkout())
        let series = try await HKSampleQueryDescriptor(
            predicates: [.heartbeatSeries(HKQuery.predicateForObjects(from: workout))], sortDescriptors: []
        ).result(for: store)
        #expect(series.map(\.count) == [2])
        #expect(series.first?.startDate == start && series.first?.endDate == start + 1.5)
        #expect(series.first?.device == .local())
        await #expect(throws: HKError.self) { try await beats.addHeartbeat(at: 2, precededByGap: false) }
    }

    @Test func aBuilderWithoutBeatsAttachesNone() async throws {
        let builder = try await builder(in: .collecting)
        _ = builder.seriesBuilder(for: .heartbeat())
        try await builder.endCollection(at: start + 600)
        _ = try await builder.finishWorkout()
        let all = try await HKSampleQueryDescriptor(predicates: [.heartbeatSeries()], sortDescriptors: []).result(
            for: store)
        #expect(all.isEmpty)
    }

    @Test func aDiscardedWorkoutTakesItsRouteWithIt() async throws {
        let builder = try await builder(in: .collecting)
        let route = try #require(builder.seriesBuilder(for: .workoutRoute()) as? HKWorkoutRouteBuilder)
        builder.discardWorkout()
        await #expect(throws: HKError.self) { try await route.insertRouteData([RouteFixtures.point(0)]) }
    }
}
