import Foundation

@testable import HealthKit

extension Misuse {
    /// Units, quantities, types and the samples of pages.
    static let objects: [Misuse] = [
        Misuse("HKUnit", 1, "NSInvalidArgumentException: Unable to parse factorization string percent") {
            _ = HKUnit(from: "percent")
        },
        Misuse("HKUnit+Formatters", 1, "There is no mass formatter unit for the unit m") {
            _ = HKUnit.massFormatterUnit(from: .meter())
        },
        Misuse("HKQuantity", 1, "Attempt to convert incompatible units: dBASPL, Pa") {
            _ = HKQuantity(unit: .decibelAWeightedSoundPressureLevel(), doubleValue: 50).doubleValue(for: .pascal())
        },
        Misuse("HKObjectType", 1, "HKQuantityTypeIdentifierNothing is not the identifier of a known HKQuantityType") {
            _ = HKQuantityType(.init(rawValue: "HKQuantityTypeIdentifierNothing"))
        },
        Misuse("HKSampleType", 1, "HKQuantityTypeIdentifierStepCount has no maximum duration") {
            _ = FreshStore.steps.maximumAllowedDuration
        },
        Misuse("HKSampleType", 2, "HKQuantityTypeIdentifierStepCount has no minimum duration") {
            _ = FreshStore.steps.minimumAllowedDuration
        },
        Misuse("HKError", 1, "An HKError has the domain com.apple.healthkit") {
            _ = HKError(_nsError: NSError(domain: NSCocoaErrorDomain, code: 3))
        },
        Misuse("HKQuantitySample", 1, "HKQuantityTypeIdentifierStepCount samples are not of class OwnQuantitySample") {
            _ = OwnQuantitySample(
                type: FreshStore.steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: date, end: date)
        },
        Misuse("HKQuantitySample", 2, aboutMetadata) {
            _ = HKQuantitySample(
                type: FreshStore.steps, quantity: HKQuantity(unit: .count(), doubleValue: 1), start: date, end: date,
                metadata: wrongMetadata)
        },
        Misuse("HKQuantitySample", 2, "_HKObjectValidationFailureException: HKQuantitySample ") {
            _ = HKQuantitySample(type: FreshStore.steps, quantity: wrongUnit, start: date, end: date)
        },
        Misuse("HKCategorySample", 1, aboutMetadata) {
            _ = HKCategorySample(type: FreshStore.sleep, value: 1, start: date, end: date, metadata: wrongMetadata)
        },
        Misuse("HKCategorySample", 1, "Value 99 is not compatible with type HKCategoryTypeIdentifierSleepAnalysis") {
            _ = HKCategorySample(type: FreshStore.sleep, value: 99, start: date, end: date)
        },
        Misuse("HKCorrelation", 1, "Objects of a correlation must be quantity or category samples, not HKWorkout") {
            let workout = HKWorkout(activityType: .running, start: date, end: date)
            _ = HKCorrelation(type: HKCorrelationType(.food), start: date, end: date, objects: [workout])
        },
        Misuse("HKCorrelation", 2, aboutMetadata) {
            _ = HKCorrelation(
                type: HKCorrelationType(.food), start: date, end: date, objects: [FreshStore.pulse(60)],
                metadata: wrongMetadata)
        },
        Misuse("HKCorrelation", 2, "HKCorrelationTypeIdentifierFood") {
            _ = HKCorrelation(type: HKCorrelationType(.food), start: date, end: date, objects: [])
        },
    ]
}

/// An application's class, which no type has.
private class OwnQuantitySample: HKDiscreteQuantitySample, @unchecked Sendable {}
