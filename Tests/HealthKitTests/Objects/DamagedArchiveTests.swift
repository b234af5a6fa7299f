import Foundation
import HealthModel
import HealthTesting
import Testing

@testable import HealthKit

/// A damaged archive gives nothing, or something else; it never ends the process.
///
/// The damage is done to the record within the archive. The envelope around it is Foundation's, which
/// has its own traps on Linux.
@Suite struct DamagedArchiveTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 0)

    static func objects() throws -> [NSObject] {
        let steps = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 12),
            start: start, end: start + 60, device: .local(), metadata: ["HKTimeZone": "Asia/Tokyo", "n": 2])
        let sleep = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: 3, start: start, end: start + 60)
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 100,
            workoutEvents: [HKWorkoutEvent(type: .pause, date: start + 10)], totalEnergyBurned: nil,
            totalDistance: HKQuantity(unit: HKUnit(from: "km"), doubleValue: 5), metadata: nil)
        var objects: [NSObject] = [
            steps, FreshStore.pulse(60), sleep, workout, HKDevice.local(), HKSource.default(), steps.sourceRevision,
            HKWorkoutEvent(type: .lap, date: start),
            HKWorkoutConfiguration(), workout.workoutActivities[0],
        ]
        if let food = HKObjectType.correlationType(forIdentifier: .food) {
            let protein = HKQuantitySample(
                type: HKQuantityType(.dietaryProtein),
                quantity: HKQuantity(unit: HKUnit(from: "g"), doubleValue: 1), start: start, end: start)
            objects.append(HKCorrelation(type: food, start: start, end: start, objects: [protein]))
        }
        objects += try ObjectFamilies.samples() as [NSObject]
        objects += try ObjectFamilies.parts()
        return objects
    }

    /// The object of this one's class that the record's bytes give.
    private func decoded(_ record: Data, like object: NSObject) -> NSObject? {
        guard let type = type(of: object) as? any NSSecureCoding.Type else { return nil }
        return type.init(coder: RecordCoder(record)) as? NSObject
    }

    /// Uses what came out, so that a trap in a property would show.
    private func use(_ object: NSObject?) {
        guard let object else { return }
        _ = object.description
        _ = object.hash
        if let sample = object as? HKQuantitySample { _ = sample.quantity }
        if let sample = object as? HKDiscreteQuantitySample { _ = sample.mostRecentQuantityDateInterval }
        if let workout = object as? HKWorkout {
            _ = workout.workoutActivities.map(\.workoutEvents)
            _ = workout.totalDistance
            _ = workout.allStatistics
        }
        if let event = object as? HKWorkoutEvent { _ = event.dateInterval }
        ObjectFamilies.use(object)
    }

    private func record(of object: NSObject) throws -> Data {
        let coder = RecordCoder(Data())
        try #require(object as? any NSSecureCoding).encode(with: coder)
        return coder.record
    }

    @Test func everyDamagedByte() throws {
        var generator = SplitMix64(seed: 20_240_501)
        for object in try Self.objects() {
            let record = try record(of: object)
            #expect(decoded(record, like: object) == object)
            for place in record.indices {
                for byte in [0, UInt8(ascii: "9"), UInt8.random(in: 0...255, using: &generator)] {
                    var damaged = record
                    damaged[place] = byte
                    use(decoded(damaged, like: object))
                }
            }
            for length in record.indices {
                #expect(decoded(record.prefix(length), like: object) == nil)
            }
        }
    }

    @Test(arguments: [
        ("\"start\":0", "\"start\":9"),
        ("HKQuantityTypeIdentifierStepCount", "HKCategoryTypeIdentifierPregnancy"),
        ("\"unit\":\"count\"", "\"unit\":\"c·unt\""),
    ])
    func invalidRecordsAreNil(_ old: String, _ new: String) throws {
        // A start after the end, a type of another family, a unit that does not parse.
        let sample = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 12),
            start: Self.start, end: Self.start)
        let record = String(decoding: try record(of: sample), as: UTF8.self)
        #expect(record.contains(old))
        let damaged = record.replacingOccurrences(of: old, with: new)
        #expect(decoded(Data(damaged.utf8), like: sample) == nil)
    }
}

/// A coder that holds nothing but one record.
final class RecordCoder: NSCoder {
    var record: Data

    init(_ record: Data) {
        self.record = record
    }

    override var allowsKeyedCoding: Bool { true }

    override func containsValue(forKey key: String) -> Bool { key == "record" }

    override func encode(_ object: Any?, forKey key: String) {
        if key == "record" { record = object as? Data ?? Data() }
    }

    override func encode(_ value: Double, forKey key: String) {}
    override func encode(_ value: Int, forKey key: String) {}

    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        (record as NSData) as? Object
    }
}
