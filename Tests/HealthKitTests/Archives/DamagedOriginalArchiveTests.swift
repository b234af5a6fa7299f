import Foundation
import HealthTesting
import Testing

@testable import HealthKit

/// Damaged archives of the original's layout throw or give something else; they never end the process.
///
/// Unlike ``DamagedArchiveTests``, the damage is done to the whole archive, its envelope included: the module's
/// functions read it without Foundation's unarchiver.
@Suite struct DamagedOriginalArchiveTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 600_000_000)

    /// Archives of every family that the original's layout is known for, and of those with a record beside it.
    static func archives() throws -> [(type: any (NSObject & HKArchiveCoding).Type, data: Data)] {
        let metadata: (inout ArchiveFixture, inout [String: ArchiveFixture.Value?]) -> Void = { fixture, fields in
            let quantity = fixture.addQuantity(.real(18), "degC")
            let entries = [("a", fixture.add(.text("é😀"))), ("b", fixture.add(.boolean(true))), ("q", quantity)]
            fields["Metadata"] = fixture.add(entries)
        }
        let sample = ArchiveFixture.sample(changes: metadata)
        let deleted = ArchiveFixture.deletedObject { $0.add([("HKMetadataKeySyncVersion", $0.add(.integer(3)))]) }
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 100,
            workoutEvents: [HKWorkoutEvent(type: .pause, date: start + 10)], totalEnergyBurned: nil, totalDistance: nil,
            metadata: nil)
        let sleep = HKCategorySample(type: HKCategoryType(.sleepAnalysis), value: 3, start: start, end: start + 60)
        return [
            (HKQuantitySample.self, try sample.fixture.binary(sample.root)),
            (HKQuantitySample.self, sample.fixture.xml(sample.root)),
            (HKDeletedObject.self, try deleted.fixture.binary(deleted.root)),
            (HKDeletedObject.self, deleted.fixture.xml(deleted.root)),
            (
                HKCategorySample.self,
                try NSKeyedArchiver.archivedData(withRootObject: sleep, requiringSecureCoding: true)
            ),
            (HKWorkout.self, try NSKeyedArchiver.archivedData(withRootObject: workout, requiringSecureCoding: true)),
            (
                HKQuantityType.self,
                try NSKeyedArchiver.archivedData(
                    withRootObject: HKQuantityType(.heartRate), requiringSecureCoding: true)
            ),
            (
                HKQuantity.self,
                try NSKeyedArchiver.archivedData(
                    withRootObject: HKQuantity(unit: HKUnit(from: "mg/dL"), doubleValue: 90),
                    requiringSecureCoding: true)
            ),
        ]
    }

    private func unarchived<Object: NSObject & HKArchiveCoding>(_ type: Object.Type, _ data: Data) -> Object? {
        try? NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
    }

    /// Uses what came out, so that a trap in a property would show.
    private func use(_ object: NSObject?) {
        guard let object else { return }
        _ = (object.description, object.hash)
        switch object {
        case let sample as HKDiscreteQuantitySample:
            _ = (sample.quantity, sample.mostRecentQuantityDateInterval, sample.metadata, sample.count)
        case let workout as HKWorkout: _ = (workout.workoutActivities.map(\.workoutEvents), workout.allStatistics)
        case let deleted as HKDeletedObject: _ = deleted.metadata
        case let quantity as HKQuantity: _ = quantity.is(compatibleWith: .meter())
        default: break
        }
    }

    @Test func bytesAndLengths() throws {
        var random = SplitMix64(seed: 47)
        for (type, whole) in try Self.archives() {
            #expect(unarchived(type, whole) != nil, "\(type)")
            let isXML = whole.first == UInt8(ascii: "<")
            for _ in 0..<(isXML ? 300 : 3000) {
                var damaged = whole
                for _ in 0...(random.next() % 3) {
                    damaged[Int(random.next() % UInt64(whole.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                use(unarchived(type, damaged))
            }
            for length in stride(from: 0, to: whole.count - 8, by: isXML ? 31 : 1) {
                #expect(unarchived(type, whole.prefix(length)) == nil, "\(type) of \(length) bytes")
            }
        }
    }

    /// Every reference of an archive, made to refer to every object: wrong classes, and objects that contain
    /// themselves.
    @Test func references() throws {
        for (type, whole) in try Self.archives() where whole.first == UInt8(ascii: "<") {
            let text = String(decoding: whole, as: UTF8.self)
            for place in text.ranges(of: /<key>CF\$UID<\/key><integer>[0-9]+<\/integer>/) {
                for index in [-1, 0, 1, 2, 3, 5, 8, 13, 21, 1_000_000, Int.max] {
                    let other = text.replacingCharacters(
                        in: place, with: "<key>CF$UID</key><integer>\(index)</integer>")
                    use(unarchived(type, Data(other.utf8)))
                }
            }
            for place in text.ranges(of: /<real>[0-9.]+<\/real>/) {
                for odd in [
                    "<real>nan</real>", "<real>inf</real>", "<real>-inf</real>", "<string>1</string>", "<true/>",
                    "<integer>-9223372036854775808</integer>",
                ] {
                    use(unarchived(type, Data(text.replacingCharacters(in: place, with: odd).utf8)))
                }
            }
        }
    }

    @Test func countsThatAreTooLarge() throws {
        // An array, a dictionary, text, data and UTF-16 text of almost 2^63 elements, and one of 2^32.
        for marker in [0xAF, 0xDF, 0x5F, 0x4F, 0x6F] as [UInt8] {
            for count in [
                [0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x13, 0, 0, 0, 1, 0, 0, 0, 0],
                [0x13] + Array(repeating: 0xFF, count: 8),
            ] as [[UInt8]] {
                var bytes = Data("bplist00".utf8) + Data([marker] + count)
                let table = bytes.count
                bytes += Data([8])
                bytes += Data(
                    [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [
                        0, 0, 0, 0, 0, 0, 0, UInt8(table),
                    ])
                #expect(throws: KeyedArchiveError.self) { try BinaryPropertyListReader.read(bytes) }
            }
        }
    }

    @Test func listsThatContainThemselvesOrEachOtherManyTimes() throws {
        func list(_ objects: [[UInt8]]) -> Data {
            var bytes = Data("bplist00".utf8)
            var offsets: [UInt8] = []
            for object in objects {
                offsets.append(UInt8(bytes.count))
                bytes += Data(object)
            }
            let table = UInt8(bytes.count)
            return bytes + Data(offsets)
                + Data([0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)])
                + Data([0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table])
        }
        #expect(throws: KeyedArchiveError.self) { try BinaryPropertyListReader.read(list([[0xA1, 0]])) }
        #expect(throws: KeyedArchiveError.self) { try BinaryPropertyListReader.read(list([[0xA1, 1], [0xA1, 0]])) }
        // Thirty lists, each of two of the next: 2^30 elements, if each were read for itself.
        let doubled = (0..<30).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x09]]
        #expect(try BinaryPropertyListReader.read(list(doubled)).list?.count == 2)
        // Seventy levels.
        #expect(throws: KeyedArchiveError.self) {
            try BinaryPropertyListReader.read(list((0..<70).map { [0xA1, UInt8($0 + 1)] } + [[0x09]]))
        }
    }

    @Test func deepXML() {
        let open = String(repeating: "<array>", count: 200_000)
        let close = String(repeating: "</array>", count: 200_000)
        let data = Data("<?xml version=\"1.0\"?><plist version=\"1.0\">\(open)\(close)</plist>".utf8)
        #expect(throws: CocoaError.self) { try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUnit.self, from: data) }
    }

    @Test func theReaderAgreesWithFoundation() throws {
        let values: [String: Any] = [
            "a": 1, "b": -1, "c": 300, "d": 70_000, "e": Int64.max, "f": Int64.min, "g": 0.1, "h": true, "i": false,
            "j": "text",
            "k": "é", "l": Data(repeating: 7, count: 300), "m": (0..<20).map { $0 },
            "n": Date(timeIntervalSinceReferenceDate: 5.5),
            "o": String(repeating: "x", count: 70_000), "p": [String: Any](), "q": Float(0.25),
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        let read = try #require(try BinaryPropertyListReader.read(data).dictionary)
        #expect(read.count == values.count)
        for key in ["a", "b", "c", "d", "e", "f"] {
            #expect(read[key]?.wholeNumber == (values[key] as? NSNumber)?.intValue, "\(key)")
        }
        #expect(read["g"]?.number == 0.1 && read["q"]?.number == 0.25)
        if case .boolean(true)? = read["h"], case .boolean(false)? = read["i"] {} else { Issue.record("Booleans") }
        #expect(read["j"]?.text == "text" && read["k"]?.text == "é" && read["o"]?.text?.count == 70_000)
        if case .data(let bytes)? = read["l"] {
            #expect(bytes == Data(repeating: 7, count: 300))
        } else {
            Issue.record("data")
        }
        #expect(read["m"]?.list?.compactMap(\.wholeNumber) == Array(0..<20))
        if case .date(5.5)? = read["n"] {} else { Issue.record("date") }
        #expect(read["p"]?.dictionary?.isEmpty == true)
    }
}
