import Foundation
import HealthModel
import HealthStorage
import Testing

@testable import HealthKit

@Suite struct SecureCodingTests {
    private func archived(_ object: NSObject) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    private func goneRound<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
        try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: archived(object)))
    }

    private func sample(_ record: SampleRecord) throws -> HKSample {
        try #require(RecordDecoder(RecordFixtures.selection([])).sample(record))
    }

    private func record(_ identifier: String, _ value: Double, _ unit: String) -> SampleRecord {
        SampleRecord(
            uuid: RecordFixtures.givenIdentity, type: RecordFixtures.code(identifier), start: 0.1,
            end: 0.30000000000000004, value: value, unit: unit,
            revision: RecordFixtures.dictionaries.revision(1),
            device: RecordFixtures.dictionaries.device(1), metadata: RecordFixtures.metadata)
    }

    @Test(arguments: [1.0, 0.1 + 0.2, .nan, -.infinity, .leastNonzeroMagnitude])
    func quantitySamples(_ value: Double) throws {
        let original = record("HKQuantityTypeIdentifierStepCount", value, "count")
        let back = try goneRound(try sample(original))
        #expect(back is HKCumulativeQuantitySample)
        let quantity = try #require(back as? HKQuantitySample)
        #expect(quantity.sampleRecord?.value.bitPattern == value.bitPattern)
        #expect(quantity.sampleRecord?.metadata == original.metadata)
        #expect(quantity.sampleRecord?.revision == original.revision)
        #expect(quantity.sampleRecord?.device == original.device)
        #expect(quantity.start == original.start && quantity.end == original.end)
    }

    @Test func categorySamplesAndTypesOfTomorrow() throws {
        let sleep = try goneRound(
            try sample(record("HKCategoryTypeIdentifierSleepAnalysis", 4, "")))
        #expect((sleep as? HKCategorySample)?.value == 4)
        let tomorrow = try goneRound(
            try sample(record(RecordFixtures.unknownType.identifier, 4, "count")))
        #expect(tomorrow.sampleType.identifier == RecordFixtures.unknownType.identifier)
    }

    @Test func correlations() throws {
        let type = try #require(HKObjectType.correlationType(forIdentifier: .food))
        let member = try sample(record("HKQuantityTypeIdentifierDietaryProtein", 3, "g"))
        let correlation = HKCorrelation(
            type: type, start: member.startDate, end: member.endDate, objects: [member],
            metadata: ["HKFoodType": "soup"])
        let back = try goneRound(correlation)
        #expect(back == correlation)
        #expect(back.objects == [member])
        #expect(back.metadata?["HKFoodType"] as? String == "soup")
    }

    @Test func workouts() throws {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 100,
            workoutEvents: [HKWorkoutEvent(type: .pause, date: start + 10)],
            totalEnergyBurned: HKQuantity(unit: HKUnit(from: "kcal"), doubleValue: 80),
            totalDistance: nil, metadata: ["HKIndoorWorkout": false])
        let back = try goneRound(workout)
        #expect(back == workout)
        #expect(back.objectRecord == workout.objectRecord)
        let activity = try #require(workout.workoutActivities.first)
        #expect(try goneRound(activity).record == activity.record)
    }

    @Test func theRest() throws {
        let revision = try #require(
            RecordFixtures.dictionaries.revision(1).map { HKSourceRevision($0) })
        #expect(try goneRound(revision) == revision)
        #expect(try goneRound(revision.source).name == "Watch")
        let device = HKDevice(DeviceRecord(name: "a", softwareVersion: "2"))
        #expect(try goneRound(device) == device)
        let deleted = HKDeletedObject(
            StoredTombstone(
                sequence: 1, type: .firstUnknown, uuid: RecordFixtures.givenIdentity,
                syncIdentifier: "s", syncVersion: 3))
        let back = try goneRound(deleted)
        #expect(back == deleted)
        #expect(back.metadata?["HKMetadataKeySyncIdentifier"] as? String == "s")
        #expect(back.metadata?["HKMetadataKeySyncVersion"] as? Int == 3)
        let event = HKWorkoutEvent(
            type: .lap,
            dateInterval: DateInterval(start: Date(timeIntervalSinceReferenceDate: 1), duration: 2),
            metadata: ["n": 1])
        #expect(try goneRound(event) == event)
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .swimming
        configuration.lapLength = HKQuantity(unit: HKUnit(from: "yd"), doubleValue: 25)
        #expect(try goneRound(configuration) == configuration)
    }

    @Test func aDeletedObjectWithoutSyncKeysHasNoMetadata() {
        let deleted = HKDeletedObject(
            StoredTombstone(sequence: 1, type: .firstUnknown, uuid: RecordFixtures.givenIdentity))
        #expect(deleted.metadata == nil)
        #expect(deleted.uuid == RecordFixtures.givenIdentity)
    }

    @Test func aListOfSamplesIsOneArchive() throws {
        let samples = try [
            sample(record("HKQuantityTypeIdentifierStepCount", 1, "count")),
            sample(record("HKCategoryTypeIdentifierSleepAnalysis", 1, "")),
        ]
        let data = try archived(samples as NSArray)
        let back = try NSKeyedUnarchiver.unarchivedObject(
            ofClasses: [NSArray.self, HKQuantitySample.self, HKCategorySample.self], from: data)
        #expect((back as? [HKSample])?.count == 2)
        let again = try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKSample.self, from: data)
        #expect(again == samples)
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKSample.self, from: archived(samples[0]))
        }
    }
}
