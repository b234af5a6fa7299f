import Foundation
import HealthEngine
@testable import HealthKit
import HealthModel
import Testing

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

    @Test func initializersKeepTheirArguments() {
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

    @Test func recordsRoundTrip() throws {
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
        guard case .workout(var body) = record.body else {
            Issue.record("no workout")
            return
        }
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
        #expect(workout.objectRecord?.body == record.body)
    }

    @Test func eventsOutsideTheWorkoutEndTheProcess() async {
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

    @Test func aPauseWithADurationEndsTheProcess() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKWorkoutEvent(
                type: .pause, dateInterval: DateInterval(start: Date(), duration: 1), metadata: nil)
        }
        #expect(text(result).contains("Only lap and segment"))
    }
}

@Suite struct WorkoutStatisticsTests {
    private func workout() throws -> HKWorkout {
        try #require(
            RecordDecoder(RecordFixtures.selection([])).sample(RecordFixtures.workout) as? HKWorkout)
    }

    @Test func storedFiguresComeAsTheyCame() throws {
        let energy = try #require(try workout().statistics(for: HKQuantityType(.activeEnergyBurned)))
        #expect(energy.sumQuantity()?.doubleValue(for: HKUnit(from: "kcal")) == 90)
        #expect(energy.endDate.timeIntervalSinceReferenceDate == 100)
        #expect(try workout().totalEnergyBurned?.doubleValue(for: HKUnit(from: "kcal")) == 90)
    }

    @Test func otherFiguresFollowFromTheMembers() throws {
        let unit = HKUnit(from: "count/min")
        let beats = try #require(try workout().statistics(for: HKQuantityType(.heartRate)))
        #expect(beats.minimumQuantity()?.doubleValue(for: unit) == 100)
        #expect(beats.maximumQuantity()?.doubleValue(for: unit) == 170)
        #expect(beats.mostRecentQuantity()?.doubleValue(for: unit) == 170)
        #expect(beats.sumQuantity() == nil)
        // Weighted by time: (10 · 100 + 30 · 150) / 40.
        let average = try #require(beats.averageQuantity()?.doubleValue(for: unit))
        #expect(abs(average - 137.5) < 1e-9)
        #expect(beats.duration()?.doubleValue(for: .second()) == 40)
        #expect(
            Set(try workout().allStatistics.keys.map(\.identifier)) == [
                "HKQuantityTypeIdentifierActiveEnergyBurned", "HKQuantityTypeIdentifierHeartRate",
            ])
    }

    @Test func activitiesSeeTheirOwnSpan() throws {
        let unit = HKUnit(from: "count/min")
        let type = HKQuantityType(.heartRate)
        let activities = try workout().workoutActivities
        #expect(activities[0].statistics(for: type)?.maximumQuantity()?.doubleValue(for: unit) == 150)
        #expect(activities[1].statistics(for: type)?.maximumQuantity()?.doubleValue(for: unit) == 170)
        #expect(activities[0].statistics(for: HKQuantityType(.activeEnergyBurned)) != nil)
        #expect(activities[1].allStatistics.count == 1)
    }
}

extension RecordFixtures {
    /// A workout with events, two activities, stored statistics and members, from 0 to 100.
    static var workout: ObjectRecord {
        let event = WorkoutBody.Event(type: 7, start: 5, end: 10, metadata: metadata)
        let statistics = WorkoutBody.Statistics(
            type: "HKQuantityTypeIdentifierActiveEnergyBurned", start: 0, end: 100, unit: "kcal", sum: 90)
        let body = WorkoutBody(
            activityType: 82, duration: 95, totalDistance: QuantityRecord(1.5, unit: "mi"),
            events: [event],
            activities: [
                WorkoutBody.Activity(
                    uuid: givenIdentity, activityType: 46, locationType: 2, swimmingLocationType: 1,
                    lapLength: QuantityRecord(25, unit: "m"), start: 0, end: 50, duration: 50,
                    events: [event], statistics: [statistics], metadata: metadata),
                WorkoutBody.Activity(
                    uuid: UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)),
                    activityType: 37, start: 50, end: nil, duration: 45),
            ],
            statistics: [statistics],
            archived: [ArchivedElement(name: "WorkoutRoute", attributes: [.init(name: "a", value: "b")])])
        return ObjectRecord(
            uuid: UUID(uuid: (7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7)),
            type: code("HKWorkoutTypeIdentifier"), start: 0, end: 100,
            revision: dictionaries.revision(1), device: dictionaries.device(1), metadata: metadata,
            body: .workout(body), members: [beat(10, 20, 100), beat(20, 50, 150), beat(60, 60, 170)])
    }

    /// A heart-rate sample as a member.
    static func beat(_ start: Double, _ end: Double, _ value: Double) -> SampleRecord {
        SampleRecord(
            type: code("HKQuantityTypeIdentifierHeartRate"), start: start, end: end, value: value,
            unit: "count/min")
    }
}
