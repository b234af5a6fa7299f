import Foundation
import HealthKit

/// Saves what the person enters: meals, measurements and runs.
struct EnergyLog {
    let healthStore: HKHealthStore

    static let typesToShare: Set<HKSampleType> = [
        HKQuantityType(.dietaryEnergyConsumed), HKQuantityType(.activeEnergyBurned), HKQuantityType(.bodyMass),
        HKQuantityType(.height), HKObjectType.workoutType(),
    ]

    /// Saves a meal as a food correlation that contains its energy.
    func logFood(_ name: String, kilocalories: Double, at date: Date = Date()) async throws {
        let metadata = [HKMetadataKeyFoodType: name]
        let energy = HKQuantitySample(
            type: HKQuantityType(.dietaryEnergyConsumed),
            quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories), start: date, end: date,
            metadata: metadata)
        let food = HKCorrelation(
            type: HKCorrelationType(.food), start: date, end: date, objects: [energy], metadata: metadata)
        try await healthStore.save(food)
    }

    func logWeight(kilograms: Double) async throws {
        try await log(.bodyMass, HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: kilograms))
    }

    func logHeight(centimeters: Double) async throws {
        try await log(.height, HKQuantity(unit: .meterUnit(with: .centi), doubleValue: centimeters))
    }

    private func log(_ identifier: HKQuantityTypeIdentifier, _ quantity: HKQuantity, at date: Date = Date())
        async throws
    {
        try await healthStore.save(
            HKQuantitySample(
                type: HKQuantityType(identifier), quantity: quantity, start: date, end: date,
                metadata: [HKMetadataKeyWasUserEntered: true]))
    }

    /// Saves a run that has just ended, with the energy it burned.
    func logRun(minutes: Double, kilocalories: Double, endingAt end: Date = Date()) async throws {
        let start = end.addingTimeInterval(-60 * minutes)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let builder = HKWorkoutBuilder(healthStore: healthStore, configuration: configuration, device: nil)
        try await builder.beginCollection(at: start)
        try await builder.addSamples([
            HKCumulativeQuantitySample(
                type: HKQuantityType(.activeEnergyBurned),
                quantity: HKQuantity(unit: .kilocalorie(), doubleValue: kilocalories), start: start, end: end)
        ])
        try await builder.endCollection(at: end)
        try await builder.finishWorkout()
    }
}
