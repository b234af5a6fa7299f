import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthKit

@Suite struct RecordEncoderTests {
    @Test func samplesRoundTrip() throws {
        for (identifier, unit, value) in [
            ("HKQuantityTypeIdentifierStepCount", "count", 12.0),
            ("HKQuantityTypeIdentifierHeartRate", "count/min", 71.5),
            ("HKCategoryTypeIdentifierSleepAnalysis", "", 4),
        ] {
            let record = SampleRecord(
                uuid: RecordFixtures.givenIdentity, type: RecordFixtures.code(identifier), start: 0.1,
                end: 0.3, value: value, unit: unit, revision: RecordFixtures.dictionaries.revision(1),
                device: RecordFixtures.dictionaries.device(1), metadata: RecordFixtures.metadata)
            let object = try #require(RecordDecoder(RecordFixtures.selection([])).sample(record))
            guard case .sample(let back) = RecordEncoder.item(object) else {
                Issue.record("no sample record for \(identifier)")
                continue
            }
            #expect(back == record)
        }
    }

    @Test func savingLeavesTheSourceToTheEngine() throws {
        let record = SampleRecord(
            uuid: UUID(), type: RecordFixtures.code("HKQuantityTypeIdentifierStepCount"), start: 0, end: 1,
            value: 1, unit: "count", revision: RecordFixtures.dictionaries.revision(1),
            device: RecordFixtures.dictionaries.device(1))
        let sample = try #require(RecordDecoder(RecordFixtures.selection([])).sample(record))
        let items = try RecordEncoder.items([sample])
        guard case .sample(let saved) = items.first else {
            Issue.record("no sample record")
            return
        }
        #expect(saved.revision == nil)
        #expect(saved.device == record.device)
        #expect(saved.uuid == record.uuid)
    }

    @Test func correlationsCarryTheirMembersInOrder() throws {
        let members: Set<HKSample> = Set(
            (0..<5).map { index in
                HKQuantitySample(
                    type: HKQuantityType(.dietaryProtein),
                    quantity: HKQuantity(unit: HKUnit(from: "g"), doubleValue: Double(index)),
                    start: Date(timeIntervalSinceReferenceDate: Double(10 - index)),
                    end: Date(timeIntervalSinceReferenceDate: 20))
            })
        let type = try #require(HKObjectType.correlationType(forIdentifier: .food))
        let correlation = HKCorrelation(
            type: type, start: Date(timeIntervalSinceReferenceDate: 0),
            end: Date(timeIntervalSinceReferenceDate: 20), objects: members)
        guard case .object(let record)? = RecordEncoder.item(correlation) else {
            Issue.record("not an object")
            return
        }
        #expect(record.members.map(\.start) == [6, 7, 8, 9, 10])
        #expect(Set(record.members.map(\.uuid)) == Set(members.map(\.uuid)))
        let back = try #require(
            RecordDecoder(RecordFixtures.selection([])).sample(record) as? HKCorrelation)
        #expect(back == correlation)
        #expect(back.objects == correlation.objects)
    }

    @Test func itemsKeepTheOrderOfTheBatch() throws {
        let workout = HKWorkout(
            activityType: .running, start: Date(timeIntervalSinceReferenceDate: 0),
            end: Date(timeIntervalSinceReferenceDate: 10))
        let sample = HKCategorySample(
            type: HKCategoryType(.mindfulSession), value: 0,
            start: Date(timeIntervalSinceReferenceDate: 0), end: Date(timeIntervalSinceReferenceDate: 1))
        let items = try RecordEncoder.items([workout, sample, workout])
        let kinds = items.map { item in
            if case .object = item { "object" } else { "sample" }
        }
        #expect(kinds == ["object", "sample", "object"])
    }

    @Test func objectsThatAreNotSamplesAreRefused() {
        let type = HKQuantityType(.stepCount)
        let object = HKObject(identity: UUID(), context: ObjectContext(type: type))
        #expect(throws: EngineError.self) { try RecordEncoder.items([object]) }
    }
}
