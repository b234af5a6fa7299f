import Foundation
import Testing

@testable import HealthKit

@Suite struct HKCategorySampleTests {
    private let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    @Test func propertiesAreThoseGiven() {
        let type = HKCategoryType(.sleepAnalysis)
        let sample = HKCategorySample(
            type: type, value: 4, start: start, end: start + 600, metadata: ["HKTimeZone": "Europe/Berlin"])
        #expect(sample.value == 4)
        #expect(sample.categoryType == type)
        #expect(sample.sampleType == type)
        #expect(sample.metadata?["HKTimeZone"] as? String == "Europe/Berlin")
        #expect("\(sample)".hasPrefix("HKCategoryTypeIdentifierSleepAnalysis 4 \(sample.uuid)"))
    }

    @Test func anOngoingStateHasNoDuration() {
        let sample = HKCategorySample(
            type: HKCategoryType(.pregnancy), value: 0, start: start, end: .distantFuture)
        #expect(sample.hasUndeterminedDuration)
    }

    @Test func requiredMetadataIsEnough() {
        let sample = HKCategorySample(
            type: HKCategoryType(.menstrualFlow), value: 2, start: start, end: start,
            metadata: ["HKMenstrualCycleStart": true])
        #expect(sample.metadata?["HKMenstrualCycleStart"] as? Bool == true)
    }

    @available(*, deprecated)
    @Test func theOlderLabelsMakeTheSame() {
        let type = HKCategoryType(.mindfulSession)
        let samples = [
            HKCategorySample(type: type, value: 0, startDate: start, endDate: start + 1),
            HKCategorySample(type: type, value: 0, startDate: start, endDate: start + 1, metadata: nil),
            HKCategorySample(
                type: type, value: 0, startDate: start, endDate: start + 1, device: nil, metadata: nil),
        ]
        #expect(samples.allSatisfy { $0.endDate == start + 1 })
    }
}
