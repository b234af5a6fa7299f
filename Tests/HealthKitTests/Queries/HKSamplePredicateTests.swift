import Foundation
import HealthKit
import Testing

@Suite struct HKSamplePredicateTests {
    @Test func theTypeAndPredicateAreThoseGiven() {
        let predicate = HKQuery.predicateForSamples(withStart: FreshStore.epoch, end: nil)
        let steps = HKSamplePredicate.quantitySample(type: FreshStore.steps, predicate: predicate)
        #expect(steps.sampleType == FreshStore.steps)
        #expect(steps.nsPredicate == predicate)
        #expect(HKSamplePredicate<HKWorkout>.workout().sampleType == HKObjectType.workoutType())
        #expect(HKSamplePredicate<HKCategorySample>.categorySample(type: FreshStore.sleep).nsPredicate == nil)
    }

    @Test func equalPredicatesAreOne() {
        let all = Set([
            HKSamplePredicate.quantitySample(type: FreshStore.steps),
            HKSamplePredicate.quantitySample(type: FreshStore.steps),
            HKSamplePredicate.quantitySample(type: FreshStore.heartRate),
        ])
        #expect(all.count == 2)
    }

    @Test func descriptorsAreEqualByValue() {
        let one = HKQueryDescriptor(sampleType: FreshStore.steps, predicate: nil)
        #expect(one == HKQueryDescriptor(sampleType: FreshStore.steps, predicate: nil))
        #expect(one != HKQueryDescriptor(sampleType: FreshStore.heartRate, predicate: nil))
    }
}
