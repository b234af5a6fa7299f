import Foundation
import HealthModel
import HealthStorage
import Testing

@testable import HealthKit

/// What archives of this module contain.
@Suite struct ArchiveWritingTests {
    private static let start = Date(timeIntervalSinceReferenceDate: 600_000_000.5)

    private var steps: HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 12),
            start: Self.start, end: Self.start + 60, device: .local(), metadata: ["HKTimeZone": "Asia/Tokyo", "n": 2])
    }

    private func archive(_ data: Data) throws -> (archive: KeyedArchive, root: [String: PropertyListNode]) {
        let archive = try KeyedArchive(data)
        return (archive, try #require(archive.object(archive.root)?.dictionary))
    }

    @Test func aSampleHasTheKeysAndClassesOfTheOriginal() throws {
        let sample = steps
        let (archive, root) = try archive(
            NSKeyedArchiver.archivedData(withRootObject: sample, requiringSecureCoding: true))
        #expect(
            archive.classNames(archive.object(archive.root))
                == ["HKCumulativeQuantitySample", "HKQuantitySample", "HKSample", "HKObject", "NSObject"])
        #expect(
            Set(root.keys) == [
                "$class", "UUID", "StartTS", "EndTS", "CTS", "Metadata", "SourceRevision", "SourceBundleID", "Device",
                "DataType",
                "Quantity", "Count", "record",
            ])
        #expect(root["StartTS"]?.number == sample.start && root["EndTS"]?.number == sample.end)
        #expect(root["Count"]?.wholeNumber == 1)
        let uuid = try #require(archive.object(root["UUID"])?.dictionary)
        #expect(archive.classNames(.dictionary(uuid)) == ["NSUUID", "NSObject"])
        guard case .data(let bytes)? = uuid["NS.uuidbytes"] else { throw KeyedArchiveError("no bytes") }
        #expect(UUID(bytes: bytes) == sample.uuid)
        let type = try #require(archive.object(root["DataType"]))
        #expect(archive.classNames(type) == ["HKQuantityType", "HKSampleType", "HKObjectType", "NSObject"])
        #expect(type.dictionary?["Code"]?.wholeNumber == 7)
        let quantity = try #require(archive.object(root["Quantity"]))
        #expect(archive.classNames(quantity) == ["HKQuantity", "NSObject"])
        #expect(quantity.dictionary?["ValueKey"]?.number == 12)
        let unit = try #require(archive.object(quantity.dictionary?["UnitKey"]))
        #expect(archive.classNames(unit) == ["_HKCompoundUnit", "HKUnit", "NSObject"])
        #expect(archive.object(unit.dictionary?["HKUnitStringKey"])?.text == "count")
        let metadata = try #require(archive.object(root["Metadata"])?.dictionary)
        #expect(Set((metadata["NS.keys"]?.list ?? []).compactMap { archive.object($0)?.text }) == ["HKTimeZone", "n"])
    }

    @Test func aDeletedObjectHasNothingElse() throws {
        let deleted = HKDeletedObject(StoredTombstone(sequence: 1, type: .firstUnknown, uuid: ArchiveFixture.uuid))
        let (archive, root) = try archive(
            NSKeyedArchiver.archivedData(withRootObject: deleted, requiringSecureCoding: true))
        #expect(Set(root.keys) == ["$class", "UUID", "Metadata"])
        #expect(archive.classNames(archive.object(archive.root)) == ["HKDeletedObject", "NSObject"])
        #expect(archive.object(root["Metadata"])?.text == "$null")
    }

    @Test func withoutTheRecordASampleIsReadFromTheOriginalsKeys() throws {
        let sample = steps
        let data = try NSKeyedArchiver.archivedData(withRootObject: sample, requiringSecureCoding: true)
        var list = try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        list["$objects"] = (list["$objects"] as? [Any])?.map { object -> Any in
            guard var fields = object as? [String: Any], fields["record"] != nil else { return object }
            fields["record"] = nil
            return fields
        }
        let stripped = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKQuantitySample.self, from: stripped))
        #expect(back == sample)
        #expect(
            back.quantity == sample.quantity && back.startDate == sample.startDate && back.endDate == sample.endDate)
        #expect(back.quantityType == sample.quantityType)
        #expect(back.sampleRecord?.metadata == sample.sampleRecord?.metadata)
        #expect(back.device == nil)
    }

    @Test func listsGoRound() throws {
        let samples = [steps, steps]
        let data = try NSKeyedArchiver.archivedData(withRootObject: samples, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKQuantitySample.self, from: data) == samples)
        let one = try NSKeyedArchiver.archivedData(withRootObject: steps, requiringSecureCoding: true)
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: HKQuantitySample.self, from: one)
        }
    }

    @Test func everyKnownNumberIsOneOfATypeHere() {
        #expect(ArchivedTypeCodes.codes.count > 150)
        #expect(Set(ArchivedTypeCodes.codes.values).count == ArchivedTypeCodes.codes.count)
        for (identifier, code) in ArchivedTypeCodes.codes {
            #expect(TypeCatalog.description(for: identifier) != nil, "\(identifier)")
            #expect(ArchivedTypeCodes.identifier(of: code) == identifier)
        }
    }

    @Test func everyClassHasAName() throws {
        // The classes around each decoder.
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/HealthKit")
        let names = Set(ArchivedClasses.all.map { String(describing: $0) })
        #expect(names.count == ArchivedClasses.all.count)
        var count = 0
        let paths = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
        for case let url as URL in paths ?? .init() where url.pathExtension == "swift" {
            let text = try String(contentsOf: url, encoding: .utf8)
            for part in text.components(separatedBy: "init?(coder: NSCoder)").dropLast() {
                guard let name = part.matches(of: /\n(?:public |open |package |final )*class ([A-Za-z]+)/).last?.1
                else { continue }
                // Descriptors contain predicates, which Foundation archives.
                let others = ["KeySortDescriptor", "HKQueryDescriptor"]
                #expect(names.contains(String(name)) || others.contains(String(name)), "\(name)")
                count += 1
            }
        }
        #expect(count > 40)
        for type in ArchivedClasses.all {
            #expect(type is any HKArchiveCoding.Type, "\(type)")
            #expect(NSKeyedUnarchiver.class(forClassName: String(describing: type)) == type, "\(type)")
        }
    }
}
