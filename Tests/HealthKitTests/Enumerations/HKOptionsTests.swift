import HealthKit
import Testing

@Suite struct HKOptionsTests {
    @Test func optionsCombine() {
        let both: HKQueryOptions = [.strictStartDate, .strictEndDate]
        #expect(both.rawValue == 3)
        #expect(HKQueryOptions([]).isEmpty)
        let options: HKStatisticsOptions = [.cumulativeSum, .separateBySource]
        #expect(options.contains(.cumulativeSum) && !options.contains(.mostRecent))
        #expect(HKStatisticsOptions.discreteMostRecent == .mostRecent)
    }

    @Test func asleepValues() {
        #expect(HKCategoryValueSleepAnalysis.allAsleepValues == [.asleep, .asleepCore, .asleepDeep, .asleepREM])
        #expect(!HKCategoryValueSleepAnalysis.allAsleepValues.contains(.inBed))
    }

    @Test func rawValuesOutsideAreRefused() {
        #expect(HKWorkoutActivityType(rawValue: 81) == nil)
        #expect(HKWorkoutActivityType(rawValue: 3000) == .other)
        #expect(HKCategoryValueMenstrualFlow(rawValue: 0) == nil)
        #expect(HKUpdateFrequency(rawValue: 0) == nil)
    }
}
