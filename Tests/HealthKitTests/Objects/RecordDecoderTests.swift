import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthKit

@Suite struct RecordDecoderTests {
    @Test func columnsBecomeSamplesInOrder() throws {
        var selection = RecordFixtures.selection([
            RecordFixtures.columns("HKQuantityTypeIdentifierStepCount", unit: 1),
            RecordFixtures.columns("HKQuantityTypeIdentifierBodyMass", unit: 2),
        ])
        selection.order.reverse()
        let samples = RecordDecoder(selection).samples()
        #expect(samples.count == 6)
        #expect(samples.map(\.startDate.timeIntervalSinceReferenceDate) == [30, 20, 10, 30, 20, 10])
        #expect(samples[0] is HKDiscreteQuantitySample)
        #expect(samples[5] is HKCumulativeQuantitySample)
        let mass = try #require(samples[1] as? HKQuantitySample)
        #expect("\(mass.quantity)" == "2.5 lb")
        #expect(mass.endDate.timeIntervalSinceReferenceDate == 20)
        #expect(mass.quantityType == HKQuantityType(.bodyMass))
    }

    @Test func identitiesAreGivenOrDerived() {
        let selection = RecordFixtures.selection([
            RecordFixtures.columns("HKQuantityTypeIdentifierStepCount", unit: 1)
        ])
        let samples = RecordDecoder(selection).samples()
        #expect(samples[0].uuid == selection.identities.uuid(for: 7))
        #expect(samples[1].uuid == selection.identities.uuid(for: 8))
        #expect(samples[2].uuid == RecordFixtures.givenIdentity)
    }

    @Test func sourcesDevicesAndMetadataAreShared() throws {
        let samples = RecordDecoder(
            RecordFixtures.selection([
                RecordFixtures.columns("HKQuantityTypeIdentifierStepCount", unit: 1),
                RecordFixtures.columns("HKQuantityTypeIdentifierHeartRate", unit: 3),
            ])
        ).samples()
        #expect(samples[0].sourceRevision.productType == "Watch6,7")
        #expect(samples[0].sourceRevision === samples[2].sourceRevision)
        #expect(samples[0].sourceRevision === samples[3].sourceRevision)
        #expect(samples[0].device === samples[5].device)
        #expect(samples[1].device == nil)
        #expect(samples[1].metadata == nil)
        #expect(samples[1].source.bundleIdentifier == "com.example.app")
        #expect(samples[2].metadata?["bool"] as? Bool == true)
        #expect(samples[0].metadata?.count == 6)
    }

    @Test func categoriesBecomeCategorySamples() throws {
        var columns = RecordFixtures.columns("HKCategoryTypeIdentifierSleepAnalysis", unit: 0)
        columns.values = [1, 4, 5]
        let samples = RecordDecoder(RecordFixtures.selection([columns])).samples()
        #expect(samples.compactMap { ($0 as? HKCategorySample)?.value } == [1, 4, 5])
    }

    @Test func columnsNotAskedForCountAsEmpty() throws {
        var columns = SampleColumns(type: RecordFixtures.code("HKQuantityTypeIdentifierStepCount"))
        columns.starts = [1, 2]
        columns.ends = [1, 2]
        columns.sequences = [1, 2]
        let samples = RecordDecoder(RecordFixtures.selection([columns])).samples()
        #expect(samples.count == 2)
        #expect(samples[0].device == nil)
        #expect(samples[0].metadata == nil)
    }

    @Test func typesOfTomorrowKeepTheirName() throws {
        let samples = RecordDecoder(
            RecordFixtures.selection([RecordFixtures.columns(RecordFixtures.unknownType.identifier, unit: 1)])
        ).samples()
        #expect(samples.count == 3)
        let sample = try #require(samples.first as? HKQuantitySample)
        #expect(sample.sampleType.identifier == "HKQuantityTypeIdentifierOfTomorrow")
        #expect(sample.sampleRecord?.type == .firstUnknown)
    }

    @Test func numbersBeyondTheTablesDoNotTrap() {
        var columns = RecordFixtures.columns("HKQuantityTypeIdentifierStepCount", unit: 99)
        columns.revisions = [99, 99, 99]
        columns.devices = [99, 99, 99]
        let samples = RecordDecoder(RecordFixtures.selection([columns])).samples()
        #expect(samples.count == 3)
        #expect(samples[0].device == nil)
    }

    @Test func correlationsComeWithTheirMembers() throws {
        let member = SampleRecord(
            type: RecordFixtures.code("HKQuantityTypeIdentifierDietaryProtein"), start: 5, end: 5,
            value: 12, unit: "g", revision: RecordFixtures.dictionaries.revision(2), sequence: 3)
        let record = ObjectRecord(
            uuid: RecordFixtures.givenIdentity,
            type: RecordFixtures.code("HKCorrelationTypeIdentifierFood"), start: 5, end: 5,
            revision: RecordFixtures.dictionaries.revision(2), members: [member])
        let selection = RecordFixtures.selection([], objects: [record])
        let samples = RecordDecoder(selection).samples()
        let correlation = try #require(samples.first as? HKCorrelation)
        #expect(correlation.uuid == RecordFixtures.givenIdentity)
        let inner = try #require(correlation.objects.first as? HKQuantitySample)
        #expect(inner.uuid == selection.identities.uuid(for: 3))
        #expect(inner.quantity.doubleValue(for: HKUnit(from: "g")) == 12)
        #expect(inner.sourceRevision === correlation.sourceRevision)
    }

    @Test func familiesWithoutAClassBecomePlainSamples() throws {
        let record = ObjectRecord(
            uuid: UUID(), type: RecordFixtures.code("HKDataTypeIdentifierAudiogram"), start: 1, end: 2)
        let summary = ObjectRecord(
            uuid: UUID(), type: RecordFixtures.code("HKActivitySummaryTypeIdentifier"), start: 1, end: 2,
            body: .activitySummary(ActivitySummaryBody(year: 2024, month: 1, day: 1)))
        let samples = RecordDecoder(RecordFixtures.selection([], objects: [record, summary])).samples()
        #expect(samples.map(\.sampleType.identifier) == ["HKDataTypeIdentifierAudiogram"])
    }
}
