import Foundation
import Testing

@testable import HealthKit

struct ArraySampleClassTests {
    private static let instant = Date(timeIntervalSinceReferenceDate: 700_000_000)

    private let steps = HKQuantitySample(
        type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 10), start: instant,
        end: instant)
    private let pulse = HKQuantitySample(
        type: HKQuantityType(.heartRate), quantity: HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 60),
        start: instant, end: instant)
    private let sleep = HKCategorySample(
        type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.inBed.rawValue, start: instant,
        end: instant)

    @Test func picksAClassAndItsSubclassesInOrder() {
        let mixed: [HKSample] = [sleep, steps, steps, pulse, sleep, sleep, steps, pulse]
        #expect(mixed.only(HKQuantitySample.self) == [steps, steps, pulse, steps, pulse])
        #expect(mixed.only(HKCumulativeQuantitySample.self) == [steps, steps, steps])
        #expect(mixed.only(HKCategorySample.self) == [sleep, sleep, sleep])
        #expect(mixed.only(HKWorkout.self).isEmpty)
    }

    @Test func keepsEverythingOfTheGeneralClass() {
        let mixed: [HKSample] = [sleep, steps, pulse]
        #expect(mixed.only(HKSample.self) == mixed)
        #expect([HKSample]().only(HKSample.self).isEmpty)
    }
}
