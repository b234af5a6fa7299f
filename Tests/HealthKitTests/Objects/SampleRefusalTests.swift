import Foundation
import Testing

@testable import HealthKit

/// Programmer errors end the process with the original's words.
@Suite struct SampleRefusalTests {
    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func aUnitOfAnotherKindIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKQuantitySample(
                type: HKQuantityType(.bodyMass),
                quantity: HKQuantity(unit: HKUnit(from: "m"), doubleValue: 1100), start: Date(),
                end: Date())
        }
        #expect(text(result).contains("requires unit of type Mass. Incompatible unit: m"))
        #expect(text(result).contains("_HKObjectValidationFailureException: HKQuantitySample "))
        #expect(!text(result).contains("1100"), "the message must not tell the value")
    }

    @Test func aStartAfterTheEndIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKQuantitySample(
                type: HKQuantityType(.stepCount),
                quantity: HKQuantity(unit: .count(), doubleValue: 1),
                start: Date(timeIntervalSinceReferenceDate: 1),
                end: Date(timeIntervalSinceReferenceDate: 0))
        }
        #expect(text(result).contains("HKQuantityTypeIdentifierStepCount"))
        #expect(text(result).contains("startDate"))
    }

    @Test func anOpenEndIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKCategorySample(
                type: HKCategoryType(.sleepAnalysis), value: 1, start: Date(), end: .distantFuture)
        }
        #expect(text(result).contains("can not have endDate of NSDate.distantFuture"))
    }

    @Test func aValueOutsideTheEnumerationIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKCategorySample(
                type: HKCategoryType(.cervicalMucusQuality), value: 0, start: Date(), end: Date())
        }
        #expect(
            text(result).contains(
                "Value 0 is not compatible with type HKCategoryTypeIdentifierCervicalMucusQuality"))
    }

    @Test func missingRequiredMetadataIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKCategorySample(
                type: HKCategoryType(.menstrualFlow), value: 2, start: Date(), end: Date())
        }
        #expect(
            text(result).contains(
                "Type HKCategoryTypeIdentifierMenstrualFlow does not have required metadata HKMenstrualCycleStart"
            ))
    }

    @Test func aSyncIdentifierWithoutVersionIsRefused() async {
        await #expect(processExitsWith: .failure) {
            _ = HKQuantitySample(
                type: HKQuantityType(.stepCount),
                quantity: HKQuantity(unit: .count(), doubleValue: 1), start: Date(), end: Date(),
                metadata: ["HKMetadataKeySyncIdentifier": "a"])
        }
    }

    @Test func metadataInAnotherUnitIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let now = Date()
            _ = HKWorkout(
                activityType: .hiking, start: now, end: now + 60, workoutEvents: nil, totalEnergyBurned: nil,
                totalDistance: nil,
                metadata: [HKMetadataKeyElevationAscended: HKQuantity(unit: .second(), doubleValue: 5)])
        }
        #expect(text(result).contains("Incompatible unit for metadata key: HKElevationAscended."))
    }

    @Test func metadataOfAnotherClassIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            _ = HKQuantitySample(
                type: HKQuantityType(.stepCount),
                quantity: HKQuantity(unit: .count(), doubleValue: 1), start: Date(), end: Date(),
                metadata: ["list": [1, 2]])
        }
        #expect(text(result).contains("for metadata key: list"))
    }

    @Test func anEmptyCorrelationIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            guard let food = HKObjectType.correlationType(forIdentifier: .food) else { return }
            _ = HKCorrelation(type: food, start: Date(), end: Date(), objects: [])
        }
        #expect(text(result).contains("HKCorrelationTypeIdentifierFood"))
    }

    @Test func aWorkoutWithinACorrelationIsRefused() async {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            guard let food = HKObjectType.correlationType(forIdentifier: .food) else { return }
            let workout = HKWorkout(activityType: .running, start: Date(), end: Date())
            _ = HKCorrelation(type: food, start: Date(), end: Date(), objects: [workout])
        }
        #expect(text(result).contains("HKWorkout"))
    }
}
