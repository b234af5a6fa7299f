import HealthKit
import Testing

@Suite struct HKCategoryValuePredicateProvidingTests {
    private func sample(_ value: HKCategoryValueSleepAnalysis) -> HKCategorySample {
        let now = Date(timeIntervalSinceReferenceDate: 0)
        return HKCategorySample(type: HKCategoryType(.sleepAnalysis), value: value.rawValue, start: now, end: now)
    }

    @Test func comparesValues() {
        let atLeastCore = HKCategoryValueSleepAnalysis.predicateForSamples(.greaterThanOrEqualTo, value: .asleepCore)
        #expect(atLeastCore.evaluate(with: sample(.asleepDeep)))
        #expect(!atLeastCore.evaluate(with: sample(.inBed)))
    }

    @Test func membersOfASet() {
        let asleep = HKCategoryValueSleepAnalysis.predicateForSamples(
            equalTo: HKCategoryValueSleepAnalysis.allAsleepValues)
        #expect(asleep.evaluate(with: sample(.asleepREM)))
        #expect(!asleep.evaluate(with: sample(.awake)))
        let none = HKCategoryValueSleepAnalysis.predicateForSamples(equalTo: [])
        #expect(!none.evaluate(with: sample(.asleepREM)))
    }
}
