import CoreLocation
import Foundation
import HealthKit

/// Reads workouts and prints them.
struct WorkoutHistory {
    let healthStore: HKHealthStore

    /// Returns runs of more than one kilometer, newest first.
    func runs() async throws -> [HKWorkout] {
        let isRun = HKQuery.predicateForWorkouts(with: .running)
        let isLong = HKQuery.predicateForWorkouts(
            with: .greaterThan, totalDistance: HKQuantity(unit: .meterUnit(with: .kilo), doubleValue: 1))
        let predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [isRun, isLong])
        return try await withCheckedThrowingContinuation { continuation in
            let newestFirst = NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: false)
            let query = HKSampleQuery(
                sampleType: .workoutType(), predicate: predicate, limit: HKObjectQueryNoLimit,
                sortDescriptors: [newestFirst]
            ) { _, samples, error in
                if let workouts = samples as? [HKWorkout] {
                    continuation.resume(returning: workouts)
                } else {
                    continuation.resume(throwing: error ?? HKError(.unknownError))
                }
            }
            healthStore.execute(query)
        }
    }

    func show(_ workout: HKWorkout) async throws {
        let beats = HKUnit.count().unitDivided(by: .minute())
        print("Run of \(Int(workout.duration)) s, excluding pauses")
        if let distance = workout.statistics(for: HKQuantityType(.distanceWalkingRunning))?.sumQuantity() {
            print("Distance: \(Int(distance.doubleValue(for: .meter()))) m")
        }
        if let energy = workout.statistics(for: HKQuantityType(.activeEnergyBurned))?.sumQuantity() {
            print("Energy: \(Int(energy.doubleValue(for: .kilocalorie()))) kcal")
        }
        if let rate = workout.statistics(for: HKQuantityType(.heartRate)),
            let minimum = rate.minimumQuantity(), let maximum = rate.maximumQuantity(),
            let average = rate.averageQuantity()
        {
            print(
                "Heart rate: \(Int(minimum.doubleValue(for: beats))) to \(Int(maximum.doubleValue(for: beats))), "
                    + "average \(Int(average.doubleValue(for: beats).rounded()))")
        }
        let laps = (workout.workoutEvents ?? []).filter { $0.type == .lap }
        for (index, lap) in laps.enumerated() {
            print("Lap \(index + 1): \(Int(lap.dateInterval.duration)) s")
        }
        print("Plan: \(workout.metadata?["com.example.tracker.plan"] as? String ?? "none")")
    }

    /// Prints each route of the workout with its length.
    func showRoutes(of workout: HKWorkout) async throws {
        let descriptor = HKSampleQueryDescriptor(
            predicates: [.workoutRoute(HKQuery.predicateForObjects(from: workout))], sortDescriptors: [])
        for route in try await descriptor.result(for: healthStore) {
            let locations = try await locations(of: route)
            let length = zip(locations, locations.dropFirst()).reduce(0.0) { $0 + $1.1.distance(from: $1.0) }
            print("Route: \(locations.count) locations, about \(Int((length / 100).rounded()) * 100) m")
        }
    }

    private func locations(of route: HKWorkoutRoute) async throws -> [CLLocation] {
        var all: [CLLocation] = []
        return try await withCheckedThrowingContinuation { continuation in
            let query = HKWorkoutRouteQuery(route: route) { _, locations, done, error in
                if let error = error {
                    continuation.resume(throwing: error)
                    return
                }
                all.append(contentsOf: locations ?? [])
                if done {
                    continuation.resume(returning: all)
                }
            }
            healthStore.execute(query)
        }
    }

    /// Saves an effort score for a workout, reads it back and prints it.
    func rate(_ workout: HKWorkout, _ score: Double) async throws {
        let sample = HKQuantitySample(
            type: HKQuantityType(.workoutEffortScore),
            quantity: HKQuantity(unit: .appleEffortScore(), doubleValue: score), start: workout.startDate,
            end: workout.endDate)
        _ = try await healthStore.relateWorkoutEffortSample(sample, with: workout, activity: nil)
        let related = HKSamplePredicate.quantitySample(
            type: HKQuantityType(.workoutEffortScore),
            predicate: HKQuery.predicateForWorkoutEffortSamplesRelated(workout: workout, activity: nil))
        let found = try await HKSampleQueryDescriptor(predicates: [related], sortDescriptors: []).result(
            for: healthStore)
        for rating in found {
            print("Effort: \(Int(rating.quantity.doubleValue(for: .appleEffortScore()))) of 10")
        }
    }
}
