import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthKit

@Suite struct HKWorkoutTests {
    private let start = Date(timeIntervalSinceReferenceDate: 1_000)
    private let kilocalorie = HKUnit(from: "kcal")

    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func aPlainWorkout() {
        let workout = HKWorkout(activityType: .walking, start: start, end: start + 600)
        #expect(workout.workoutActivityType == .walking)
        #expect(workout.duration == 600)
        #expect(workout.workoutEvents == nil)
        #expect(workout.totalEnergyBurned == nil)
        #expect(workout.sampleType == HKObjectType.workoutType())
        #expect(workout.allStatistics.isEmpty)
        #expect(workout.statistics(for: HKQuantityType(.heartRate)) == nil)
    }

    @Test func everyInitializerKeepsWhatItIsGiven() {
        let energy = HKQuantity(unit: kilocalorie, doubleValue: 100)
        let distance = HKQuantity(unit: HKUnit(from: "mi"), doubleValue: 3)
        let count = HKQuantity(unit: .count(), doubleValue: 40)
        let lap = HKWorkoutEvent(type: .lap, date: start + 5)
        let workouts = [
            HKWorkout(
                activityType: .swimming, start: start, end: start + 60, workoutEvents: [lap],
                totalEnergyBurned: energy, totalDistance: distance, metadata: nil),
            HKWorkout(
                activityType: .swimming, start: start, end: start + 60, workoutEvents: [lap],
                totalEnergyBurned: energy, totalDistance: distance, device: .local(), metadata: nil),
            HKWorkout(
                activityType: .swimming, start: start, end: start + 60, workoutEvents: [lap],
                totalEnergyBurned: energy, totalDistance: distance, totalSwimmingStrokeCount: count,
                device: nil, metadata: nil),
            HKWorkout(
                activityType: .swimming, start: start, end: start + 60, workoutEvents: [lap],
                totalEnergyBurned: energy, totalDistance: distance, totalFlightsClimbed: count,
                device: nil, metadata: nil),
            HKWorkout(
                activityType: .swimming, start: start, end: start + 60, duration: 30,
                totalEnergyBurned: energy, totalDistance: distance, metadata: nil),
            HKWorkout(
                activityType: .swimming, start: start, end: start + 60, duration: 0,
                totalEnergyBurned: energy, totalDistance: distance, device: .local(), metadata: nil),
        ]
        #expect(workouts.allSatisfy { $0.totalEnergyBurned == energy && $0.totalDistance == distance })
        #expect(workouts[0...3].allSatisfy { $0.workoutEvents == [lap] })
        #expect(workouts.map(\.duration) == [60, 60, 60, 60, 30, 60])
        #expect(workouts[1].device == .local())
        #expect(workouts[2].totalSwimmingStrokeCount == count)
        #expect(workouts[3].totalFlightsClimbed == count)
    }

    @Test func pausesShortenTheDurationAndEventsAreSorted() {
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 100,
            workoutEvents: [
                HKWorkoutEvent(type: .resume, date: start + 30),
                HKWorkoutEvent(type: .pause, date: start + 10),
            ], totalEnergyBurned: nil, totalDistance: nil, metadata: nil)
        #expect(workout.duration == 80)
        #expect(workout.workoutEvents?.map(\.type) == [.pause, .resume])
    }

    @Test func aWorkoutWithoutPartsHasOne() throws {
        let workout = HKWorkout(activityType: .yoga, start: start, end: start + 60)
        let activity = try #require(workout.workoutActivities.first)
        #expect(workout.workoutActivities.count == 1)
        #expect(activity.uuid == workout.workoutActivities[0].uuid)
        #expect(activity.uuid != workout.uuid)
        #expect(activity.startDate == workout.startDate)
        #expect(activity.endDate == workout.endDate)
        #expect(activity.duration == 60)
        #expect(activity.workoutConfiguration.activityType == .yoga)
    }

    @Test func recordsGoThereAndBackUnchanged() throws {
        let record = RecordFixtures.workout
        let workout = try #require(
            RecordDecoder(RecordFixtures.selection([])).sample(record) as? HKWorkout)
        #expect(workout.workoutActivities.count == 2)
        #expect(workout.workoutActivities[0].workoutConfiguration.lapLength?.doubleValue(for: HKUnit(from: "m")) == 25)
        #expect(workout.workoutActivities[1].endDate == nil)
        #expect(workout.workoutEvents?.first?.metadata?["bool"] as? Bool == true)
        guard case .object(var back) = RecordEncoder.item(workout) else {
            Issue.record("no object record")
            return
        }
        back.members = record.members
        #expect(back == record)
    }

    @Test func anActivityHasTheEventsThatOverlapIt() throws {
        var record = RecordFixtures.workout
        guard case .workout(var body) = record.body else { return }
        body.activities[0].events = []
        body.events.append(.init(type: 4, start: 50, end: 50))
        record.body = .workout(body)
        let workout = try #require(
            RecordDecoder(RecordFixtures.selection([])).sample(record) as? HKWorkout)
        #expect(workout.workoutActivities.map(\.workoutEvents.count) == [2, 1])
        #expect(workout.workoutActivities[1].workoutEvents[0].type == .marker)
    }

    @Test func anUnknownActivityIsOther() throws {
        var record = RecordFixtures.workout
        record.body = .workout(WorkoutBody(activityType: 2_999, duration: 1))
        let workout = try #require(
            RecordDecoder(RecordFixtures.selection([])).sample(record) as? HKWorkout)
        #expect(workout.workoutActivityType == .other)
        #expect(ObjectRecord(workout).body == record.body)
    }

    @Test func eventsOutsideAreRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let start = Date(timeIntervalSinceReferenceDate: 0)
            _ = HKWorkout(
                activityType: .running, start: start, end: start + 10,
                workoutEvents: [HKWorkoutEvent(type: .marker, date: start + 11)],
                totalEnergyBurned: nil, totalDistance: nil, metadata: nil)
        }
        #expect(text(result).contains("between the workout's start and end"))
    }

    @Test func aLastingPauseIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKWorkoutEvent(
                type: .pause, dateInterval: DateInterval(start: Date(), duration: 1), metadata: nil)
        }
        #expect(text(result).contains("Only lap and segment"))
    }
}
