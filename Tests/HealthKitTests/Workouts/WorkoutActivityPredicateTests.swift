import Foundation
import Testing

@testable import HealthKit

/// Every workout has at least one activity, which predicates find even if the workout was saved without any.
@Suite struct WorkoutActivityPredicateTests {
    private let store = FreshStore.make()
    private let start = FreshStore.epoch

    private func matches(_ predicate: NSPredicate) async throws -> [HKWorkoutActivityType] {
        let query = HKSampleQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForWorkouts(activityPredicate: predicate))],
            sortDescriptors: [SortDescriptor(\.startDate)])
        let found = try await query.result(for: store)
        // The predicate says the same of the object in memory.
        let whole = HKQuery.predicateForWorkouts(activityPredicate: predicate)
        #expect(found.allSatisfy { whole.evaluate(with: $0) })
        return found.map(\.workoutActivityType)
    }

    private func saveTwo() async throws {
        let pauses = [
            HKWorkoutEvent(type: .pause, dateInterval: DateInterval(start: start + 600, duration: 0), metadata: nil),
            HKWorkoutEvent(type: .resume, dateInterval: DateInterval(start: start + 900, duration: 0), metadata: nil),
        ]
        let run = HKWorkout(
            activityType: .running, start: start, end: start + 1_800, workoutEvents: pauses, totalEnergyBurned: nil,
            totalDistance: nil, metadata: nil)
        let ride = HKWorkout(activityType: .cycling, start: start + 3_600, end: start + 7_200)
        try await store.save([run, ride])
        try await store.addSamples(
            [
                HKQuantitySample(
                    type: HKQuantityType(.distanceCycling), quantity: HKQuantity(unit: .meter(), doubleValue: 900),
                    start: start + 3_600, end: start + 4_000),
                FreshStore.pulse(140, at: 3_700),
            ], to: ride)
    }

    @Test func theTypeOfAWorkoutWithoutActivitiesOfItsOwn() async throws {
        try await saveTwo()
        #expect(try await matches(HKQuery.predicateForWorkoutActivities(workoutActivityType: .running)) == [.running])
        #expect(try await matches(HKQuery.predicateForWorkoutActivities(workoutActivityType: .walking)) == [])
    }

    /// The duration leaves out pauses.
    @Test func itsDuration() async throws {
        try await saveTwo()
        func longer(than seconds: Double) -> NSPredicate {
            HKQuery.predicateForWorkoutActivities(operatorType: .greaterThan, duration: seconds)
        }
        #expect(try await matches(longer(than: 1_499)) == [.running, .cycling])
        #expect(try await matches(longer(than: 1_500)) == [.cycling])
        #expect(try await matches(longer(than: 4_000)) == [])
    }

    @Test func itsDatesAndStatistics() async throws {
        try await saveTwo()
        #expect(
            try await matches(
                HKQuery.predicateForWorkoutActivities(start: start + 2_000, end: nil, options: .strictStartDate))
                == [.cycling])
        let distance = HKQuantityType(.distanceCycling)
        func covering(_ meters: Double) -> NSPredicate {
            HKQuery.predicateForWorkoutActivities(
                operatorType: .greaterThanOrEqualTo, quantityType: distance,
                sumQuantity: HKQuantity(unit: .meter(), doubleValue: meters))
        }
        #expect(try await matches(covering(900)) == [.cycling])
        #expect(try await matches(covering(901)) == [])
        #expect(try await matches(NSCompoundPredicate(notPredicateWithSubpredicate: covering(900))) == [.running])
    }

    @Test func handWrittenPredicatesFindItToo() async throws {
        try await saveTwo()
        let predicate = NSPredicate(
            format: "%K == %d", HKPredicateKeyPathWorkoutActivityType, HKWorkoutActivityType.cycling.rawValue)
        let query = HKSampleQueryDescriptor(predicates: [.workout(predicate)], sortDescriptors: [])
        #expect(try await query.result(for: store).map(\.workoutActivityType) == [.cycling])
    }
}
