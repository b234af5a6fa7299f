import Foundation
import HealthKit

/// Saves what the user enters.
final class EnergyJournal {
    private let healthStore: HKHealthStore

    init(healthStore: HKHealthStore) {
        self.healthStore = healthStore
    }

    static let typesToWrite: Set<HKSampleType> = [
        HKObjectType.quantityType(forIdentifier: .dietaryEnergyConsumed)!,
        HKObjectType.quantityType(forIdentifier: .activeEnergyBurned)!,
        HKObjectType.quantityType(forIdentifier: .height)!,
        HKObjectType.quantityType(forIdentifier: .bodyMass)!,
        HKObjectType.workoutType(),
    ]

    func addFood(named name: String, kilocalories: Double, completion: @escaping (Bool, Error?) -> Void) {
        let now = Date()
        let energyType = HKQuantityType.quantityType(forIdentifier: .dietaryEnergyConsumed)!
        let energy = HKQuantitySample(
            type: energyType, quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories), start: now, end: now,
            metadata: [HKMetadataKeyFoodType: name])
        let food = HKCorrelation(
            type: HKCorrelationType.correlationType(forIdentifier: .food)!, start: now, end: now, objects: [energy],
            metadata: [HKMetadataKeyFoodType: name])
        healthStore.save(food, withCompletion: completion)
    }

    func addWeight(kilograms: Double, completion: @escaping (Bool, Error?) -> Void) {
        save(.bodyMass, HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms), completion)
    }

    func addHeight(centimeters: Double, completion: @escaping (Bool, Error?) -> Void) {
        save(.height, HKQuantity(unit: .meterUnit(with: .centi), doubleValue: centimeters), completion)
    }

    private func save(
        _ identifier: HKQuantityTypeIdentifier, _ quantity: HKQuantity, _ completion: @escaping (Bool, Error?) -> Void
    ) {
        let now = Date()
        let sample = HKQuantitySample(
            type: HKQuantityType.quantityType(forIdentifier: identifier)!, quantity: quantity, start: now, end: now,
            metadata: [HKMetadataKeyWasUserEntered: true])
        healthStore.save(sample, withCompletion: completion)
    }

    func addRun(minutes: Double, kilocalories: Double, completion: @escaping (Bool, Error?) -> Void) {
        let end = Date()
        let start = end.addingTimeInterval(-60 * minutes)
        let energy = HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories)
        let workout = HKWorkout(
            activityType: .running, start: start, end: end, duration: 0, totalEnergyBurned: energy, totalDistance: nil,
            metadata: nil)
        let burned = HKQuantitySample(
            type: HKQuantityType.quantityType(forIdentifier: .activeEnergyBurned)!, quantity: energy, start: start, end: end)
        healthStore.save(workout) { success, error in
            guard success else {
                completion(success, error)
                return
            }
            self.healthStore.add([burned], to: workout, completion: completion)
        }
    }
}
