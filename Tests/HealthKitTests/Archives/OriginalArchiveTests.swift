import Foundation
import HealthModel
import Testing

@testable import HealthKit

/// Archives in the layout of Apple's systems, in both directions.
@Suite struct OriginalArchiveTests {
    private static let uuid = ArchiveFixture.uuid

    /// Unarchives as an application does, without anything set up before, from both forms of a property list and by
    /// both ways: this module's, and Foundation's, which generic code calls.
    private func all<Object: NSObject & HKArchiveCoding>(
        _ type: Object.Type, _ archive: (fixture: ArchiveFixture, root: ArchiveFixture.Value)
    ) throws -> [Object] {
        func foundation<Coded: NSObject & NSSecureCoding>(_ type: Coded.Type, _ data: Data) throws -> Coded? {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
        }
        return try [archive.fixture.xml(archive.root), archive.fixture.binary(archive.root)].flatMap { data in
            [
                try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)),
                try #require(try foundation(type, data)),
            ]
        }
    }

    private func refused<Object: NSObject & HKArchiveCoding>(
        _ type: Object.Type, _ archive: (fixture: ArchiveFixture, root: ArchiveFixture.Value),
        at location: SourceLocation = #_sourceLocation
    ) throws {
        for data in [archive.fixture.xml(archive.root), try archive.fixture.binary(archive.root)] {
            #expect(throws: CocoaError.self, sourceLocation: location) {
                _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
            }
        }
    }

    // MARK: - Reading

    @Test func aDeletedObject() throws {
        for object in try all(HKDeletedObject.self, ArchiveFixture.deletedObject()) {
            #expect(object.uuid == Self.uuid)
            #expect(object.metadata == nil)
        }
        let archive = ArchiveFixture.deletedObject { fixture in
            fixture.add([
                ("HKMetadataKeySyncIdentifier", fixture.add(.text("a"))),
                ("HKMetadataKeySyncVersion", fixture.add(.integer(3))),
            ])
        }
        for object in try all(HKDeletedObject.self, archive) {
            #expect(object.metadata?["HKMetadataKeySyncIdentifier"] as? String == "a")
            #expect(object.metadata?["HKMetadataKeySyncVersion"] as? Int == 3)
        }
    }

    @Test func aDeletedObjectWithoutMetadataAndWithItsUUIDInOtherForms() throws {
        let bytes = withUnsafeBytes(of: Self.uuid.uuid) { Data($0) }
        var (asData, asText) = (ArchiveFixture(), ArchiveFixture())
        let archives = [
            (asData.add(.data(bytes)), asData), (asText.add(.text(Self.uuid.uuidString)), asText),
            (.data(bytes), ArchiveFixture()),
        ]
        for (uuid, empty) in archives {
            var fixture = empty
            let root = fixture.add(["HKDeletedObject"], [("UUID", uuid)])
            for object in try all(HKDeletedObject.self, (fixture, root)) { #expect(object.uuid == Self.uuid) }
        }
    }

    @Test func aQuantitySample() throws {
        for sample in try all(HKQuantitySample.self, ArchiveFixture.sample()) {
            #expect(sample is HKDiscreteQuantitySample)
            #expect(sample.uuid == Self.uuid)
            #expect(sample.quantityType == HKQuantityType(.heartRate))
            #expect(sample.quantity == HKQuantity(unit: HKUnit(from: "count/min"), doubleValue: 61.5))
            #expect(sample.startDate == Date(timeIntervalSinceReferenceDate: 600_000_000.5))
            #expect(sample.endDate == Date(timeIntervalSinceReferenceDate: 600_000_060.75))
            #expect(sample.count == 1 && sample.metadata == nil && sample.device == nil)
        }
    }

    @Test func aSeriesWithMetadataAndASource() throws {
        let archive = ArchiveFixture.sample(
            ["HKCumulativeQuantitySample", "HKQuantitySample", "HKSample", "HKObject"], code: 7
        ) { fixture, fields in
            fields["Quantity"] = fixture.addQuantity(.integer(12), "count", unitClass: ["HKUnfamiliarUnit", "HKUnit"])
            fields["Count"] = .integer(4)
            fields["SourceBundleID"] = fixture.add(.text("com.example.watch"))
            fields["Device"] = fixture.add(["HKDevice"], [("SomethingElse", fixture.add(.text("x")))])
            let temperature = fixture.addQuantity(.real(18.5), "degC")
            let date = fixture.add(["NSDate"], [("NS.time", .real(5))])
            fields["Metadata"] = fixture.add([
                ("HKTimeZone", fixture.add(.text("Asia/Tokyo"))), ("HKWasUserEntered", fixture.add(.boolean(true))),
                ("n", fixture.add(.integer(2))), ("r", fixture.add(.real(0.5))), ("HKWeatherTemperature", temperature),
                ("d", date),
            ])
        }
        // Foundation has no name for the unit's class, and refuses it; this module reads it as its ancestor.
        for data in [archive.fixture.xml(archive.root), try archive.fixture.binary(archive.root)] {
            let sample = try #require(
                try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantitySample.self, from: data))
            #expect(sample is HKCumulativeQuantitySample)
            #expect(sample.quantity.doubleValue(for: .count()) == 12)
            #expect(sample.count == 4)
            #expect(sample.sourceRevision.source.bundleIdentifier == "com.example.watch")
            #expect(sample.metadata?["HKTimeZone"] as? String == "Asia/Tokyo")
            #expect(
                sample.metadata?["HKWeatherTemperature"] as? HKQuantity
                    == HKQuantity(unit: .degreeCelsius(), doubleValue: 18.5))
            #expect(sample.metadata?["d"] as? Date == Date(timeIntervalSinceReferenceDate: 5))
            #expect(
                sample.sampleRecord?.metadata.entries.filter { ["HKWasUserEntered", "n", "r"].contains($0.key) }.map(
                    \.value)
                    == [.bool(true), .integer(2), .double(0.5)])
        }
    }

    @Test func samplesOfOneClassAsBeforeIOS13() throws {
        let names = ["HKQuantitySample", "HKSample", "HKObject"]
        let (fixture, root) = ArchiveFixture.sample(names)
        let sample = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantitySample.self, from: fixture.xml(root))
        #expect(sample is HKDiscreteQuantitySample)
    }

    @Test func aCategorySample() throws {
        let archive = ArchiveFixture.sample(
            ["HKCategorySample", "HKSample", "HKObject"], type: ["HKCategoryType", "HKSampleType", "HKObjectType"],
            code: 63
        ) { _, fields in
            fields["Quantity"] = .some(nil)
            fields["Count"] = .some(nil)
            fields["Value"] = .integer(4)
        }
        for sample in try all(HKCategorySample.self, archive) {
            #expect(sample.categoryType == HKCategoryType(.sleepAnalysis))
            #expect(sample.value == 4)
        }
    }

    @Test func typesUnitsAndQuantities() throws {
        var types = ArchiveFixture()
        let type = types.add(["HKQuantityType", "HKSampleType", "HKObjectType"], [("Code", .integer(10))])
        for found in try all(HKQuantityType.self, (types, type)) {
            #expect(found === HKQuantityType(.activeEnergyBurned))
        }
        var units = ArchiveFixture()
        let text = units.add(.text("mL/min·kg"))
        let unit = units.add(["_HKCompoundUnit", "HKUnit"], [("HKUnitStringKey", text)])
        for found in try all(HKUnit.self, (units, unit)) { #expect(found == HKUnit(from: "mL/min·kg")) }
        var quantities = ArchiveFixture()
        let quantity = quantities.addQuantity(.real(2.5), "km")
        for found in try all(HKQuantity.self, (quantities, quantity)) {
            #expect(found.doubleValue(for: .meter()) == 2500)
        }
    }

    @Test func aListOfSamples() throws {
        var (fixture, root) = ArchiveFixture.sample()
        let list = fixture.add(["NSArray"], [("NS.objects", .list([root]))])
        let data = try fixture.binary(list)
        let samples = try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKQuantitySample.self, from: data)
        #expect(samples?.map(\.uuid) == [Self.uuid])
        let classes = [NSArray.self, HKQuantitySample.self]
        #expect((try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [HKSample])?.count == 1)
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKCategorySample.self, from: data)
        }
    }

    // MARK: - Refusing

    @Test func whatIsUnknownOrImpossibleIsRefused() throws {
        let changes: [(String, (inout ArchiveFixture, inout [String: ArchiveFixture.Value?]) -> Void)] = [
            ("a start after the end", { $1["StartTS"] = .real(600_000_061) }),
            ("a start that is text", { $1["StartTS"] = .text("now") }),
            ("a start that refers to text", { $1["StartTS"] = $0.add(.text("now")) }),
            ("no end", { $1["EndTS"] = .some(nil) }),
            ("no UUID", { $1["UUID"] = .some(nil) }),
            ("a null UUID", { $1["UUID"] = ArchiveFixture.null }),
            ("a UUID of 3 bytes", { $1["UUID"] = $0.add(["NSUUID"], [("NS.uuidbytes", .data(Data([1, 2, 3])))]) }),
            ("no type", { $1["DataType"] = .some(nil) }),
            (
                "an unknown type",
                { $1["DataType"] = $0.add(["HKQuantityType", "HKSampleType"], [("Code", .integer(99_999))]) }
            ),
            (
                "a type of another family",
                { $1["DataType"] = $0.add(["HKCategoryType", "HKSampleType"], [("Code", .integer(63))]) }
            ),
            ("a quantity as the type", { $1["DataType"] = $0.addQuantity(.real(1), "m") }),
            ("no quantity", { $1["Quantity"] = .some(nil) }),
            ("a quantity in another unit", { $1["Quantity"] = $0.addQuantity(.real(1), "kg") }),
            ("a quantity without a unit", { $1["Quantity"] = $0.add(["HKQuantity"], [("ValueKey", .real(1))]) }),
            ("a quantity without a number", { $1["Quantity"] = $0.addQuantity(ArchiveFixture.null, "count/min") }),
            ("a unit that does not parse", { $1["Quantity"] = $0.addQuantity(.real(1), "beats each minute") }),
            ("a count below 0", { $1["Count"] = .integer(-1) }),
            ("a count that is text", { $1["Count"] = .text("many") }),
            ("metadata that is text", { $1["Metadata"] = $0.add(.text("x")) }),
            (
                "metadata with a list",
                { $1["Metadata"] = $0.add([("a", $0.add(["NSArray"], [("NS.objects", .list([]))]))]) }
            ),
            ("metadata of an unknown class", { $1["Metadata"] = $0.add(["HKSecretDictionary"], []) }),
            (
                "metadata with more keys than values",
                {
                    let key = $0.add(.text("k"))
                    $1["Metadata"] = $0.add(
                        ["NSDictionary"], [("NS.keys", .list([key, key])), ("NS.objects", .list([key]))])
                }
            ),
            ("a reference to nothing", { $1["Quantity"] = .reference(4_000_000_000) }),
        ]
        for (name, change) in changes {
            let archive = ArchiveFixture.sample(changes: change)
            for data in [archive.fixture.xml(archive.root), try archive.fixture.binary(archive.root)] {
                #expect(throws: CocoaError.self, "\(name)") {
                    _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantitySample.self, from: data)
                }
            }
        }
    }

    @Test func classesWhoseLayoutIsUnknownAreRefused() throws {
        for names in [["HKWorkout", "HKSample", "HKObject"], ["HKCorrelation", "HKSample", "HKObject"]] {
            let archive = ArchiveFixture.sample(names, code: 79)
            try refused(HKSample.self, archive)
            // As an object of another class, too.
            try refused(HKQuantitySample.self, archive)
        }
        for name in ["HKDevice", "HKSource", "HKSourceRevision", "HKQueryAnchor"] {
            var fixture = ArchiveFixture()
            let root = fixture.add([name], [("name", fixture.add(.text("x")))])
            try refused(HKDevice.self, (fixture, root))
            try refused(HKSourceRevision.self, (fixture, root))
            try refused(HKQueryAnchor.self, (fixture, root))
        }
        for name in ["NSString", "NSDictionary", "NSDate", "HKSecretSample", "Foundation.NSURL", ""] {
            var fixture = ArchiveFixture()
            let root = fixture.add([name], [])
            try refused(HKQuantitySample.self, (fixture, root))
        }
    }

    @Test func objectsThatContainThemselvesAreRefused() throws {
        var (fixture, _) = ArchiveFixture.sample()
        let next = fixture.objects.count + 1
        let root = fixture.add(["HKDeletedObject"], [("UUID", .reference(next)), ("Metadata", .reference(next))])
        try refused(HKDeletedObject.self, (fixture, root))
        var lists = ArchiveFixture()
        let list = lists.add(["NSArray"], [("NS.objects", .list([.reference(2), .reference(2)]))])
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKQuantitySample.self, from: lists.xml(list))
        }
        var deep = ArchiveFixture()
        var inner = deep.add(["NSArray"], [("NS.objects", .list([]))])
        for _ in 0..<10_000 { inner = deep.add(["NSArray"], [("NS.objects", .list([inner]))]) }
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKQuantitySample.self, from: deep.xml(inner))
        }
    }

    @Test func anEmptyArchiveIsNothing() throws {
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: HKUnit.self, from: ArchiveFixture().xml(ArchiveFixture.null)) == nil)
        for data in [
            Data(), Data("bplist00".utf8), Data("<plist><dict/></plist>".utf8), Data(repeating: 0, count: 100),
        ] {
            #expect(throws: CocoaError.self) {
                try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUnit.self, from: data)
            }
        }
    }
}
