@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthModel
import Testing

/// The conversion of every attribute and child of a record.
@Suite struct ArchiveParserTests {
    private func one(_ record: String) throws -> PlainSample {
        let parsed = Parsed(ArchiveText.file([record]))
        #expect(parsed.skips == [] && parsed.error == nil)
        return try #require(parsed.samples.first)
    }

    @Test func readsACompleteRecord() throws {
        let sample = try one(
            ArchiveText.record(
                type: "HKQuantityTypeIdentifierHeartRate", source: "Jo’s Apple\u{A0}Watch &amp; Co", version: "9.3.1",
                device: ArchiveText.device, unit: "count/min", value: "64.5",
                children: [
                    ArchiveText.entry("HKMetadataKeyHeartRateMotionContext", "1"), ArchiveText.entry("a", "b"),
                    ArchiveText.entry("a", "c"),
                ]))
        let device = DeviceRecord(
            name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,7",
            softwareVersion: "9.3.1")
        #expect(
            sample
                == PlainSample(
                    type: "HKQuantityTypeIdentifierHeartRate", start: ArchiveText.instant(2024, 3, 1, 9),
                    end: ArchiveText.instant(2024, 3, 1, 9, 10), value: 64.5, unit: "count/min",
                    revision: SourceText.revision(name: "Jo’s Apple\u{A0}Watch & Co", version: "9.3.1", device: device),
                    device: device,
                    metadata: Metadata([
                        .init(key: "HKMetadataKeyHeartRateMotionContext", value: .integer(1)),
                        .init(key: "a", value: .string("b")), .init(key: "a", value: .string("c")),
                    ]), creation: ArchiveText.instant(2024, 3, 1, 9, 15)))
    }

    @Test func readsRecordsWithoutImpliedAttributes() throws {
        let sample = try one(ArchiveText.record(version: nil, unit: nil, creation: nil))
        #expect(
            sample.unit == "count" && sample.revision?.version == nil && sample.device == nil && sample.creation == nil)
    }

    @Test func acceptsAnyOrderQuotesAndEndTags() throws {
        let sample = try one(
            "<Record value='72' endDate='2024-03-01 10:10:00 +0100' startDate=\"2024-03-01 10:00:00 +0100\" unit='count' sourceVersion='17.2' creationDate = '2024-03-01 10:15:00 +0100' sourceName='iPhone' type='HKQuantityTypeIdentifierStepCount'></Record>"
        )
        #expect(sample == (try one(ArchiveText.record())))
    }

    @Test func readsCategories() throws {
        func value(_ type: String, _ value: String?) throws -> Double {
            try one(ArchiveText.record(type: type, unit: nil, value: value)).value
        }
        #expect(try value("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleepREM") == 5)
        #expect(try value("HKCategoryTypeIdentifierSleepAnalysis", "HKCategoryValueSleepAnalysisAsleep") == 1)
        #expect(try value("HKCategoryTypeIdentifierSleepAnalysis", "2") == 2)
        #expect(try value("HKCategoryTypeIdentifierMindfulSession", "HKCategoryValueNotApplicable") == 0)
        #expect(try value("HKCategoryTypeIdentifierMindfulSession", nil) == 0)
        #expect(try value("HKCategoryTypeIdentifierAppleStandHour", "HKCategoryValueAppleStandHourIdle") == 1)
    }

    @Test func keepsBeatsOddAttributesAndOddChildren() throws {
        let parsed = Parsed(
            ArchiveText.file([
                ArchiveText.record(children: [
                    "<HeartRateVariabilityMetadataList>\n<InstantaneousBeatsPerMinute bpm=\"71\" time=\"7:47:41.86 PM\"/></HeartRateVariabilityMetadataList>",
                    "<Mood kind=\"&lt;good&gt;\"><Sub/></Mood>",
                ]).replacingOccurrences(of: "<Record ", with: "<Record uuid=\"X\" Health Mate App Version=\"2.6.0\" ")
            ]))
        let metadata = try #require(parsed.samples.first?.metadata)
        #expect(
            metadata.entries == [
                .init(key: "_archived.attribute.uuid", value: .string("X")),
                .init(key: "Health Mate App Version", value: .string("2.6.0")),
                .init(key: "_archived.element", value: .string("<Mood kind=\"&lt;good&gt;\"><Sub/></Mood>")),
            ])
        #expect(parsed.objects.map { parsed.identifiers[$0.type] } == ["HKDataTypeIdentifierHeartbeatSeries"])
        #expect(
            parsed.irregularities == [
                "Record with attribute uuid, preserved": 1,
                "Record with attribute Health Mate App Version, preserved": 1,
                "Record with element Mood, preserved": 1,
            ])
    }

    @Test func keepsUnknownTypes() throws {
        let parsed = Parsed(
            ArchiveText.file([
                ArchiveText.record(type: "HKDataTypeSleepDurationGoal", unit: "hr", value: "8"),
                ArchiveText.record(
                    type: "HKCategoryTypeIdentifierNew", unit: nil, value: "HKCategoryValueSeverityMild"),
                ArchiveText.record(type: "HKCategoryTypeIdentifierNew", unit: nil, value: "HKCategoryValueNewThing"),
                ArchiveText.record(type: "HKMystery", unit: nil, value: "what"),
                ArchiveText.record(type: "HKMystery", unit: "hr", value: "3"),
            ]))
        #expect(parsed.skips == [])
        #expect(
            Set(parsed.samples.map { "\($0.type) \($0.value)" }) == [
                "HKDataTypeSleepDurationGoal 8.0", "HKCategoryTypeIdentifierNew 2.0", "HKMystery#quantity 3.0",
            ])
        #expect(
            parsed.objects.map { parsed.identifiers[$0.type] } == ["HKCategoryTypeIdentifierNew#document", "HKMystery"])
        guard case .archived(let element) = parsed.objects[1].body else {
            Issue.record("kept as it was read")
            return
        }
        #expect(element["value"] == "what" && element["type"] == "HKMystery")
        #expect(parsed.objects[1].start == ArchiveText.instant(2024, 3, 1, 9))
    }

    @Test(arguments: [
        ("it has no type", "type=\"HKQuantityTypeIdentifierStepCount\" ", ""),
        ("it has no type", "HKQuantityTypeIdentifierStepCount", ""),
        ("it has no startDate", "startDate=\"2024-03-01 10:00:00 +0100\" ", ""),
        ("it has no endDate", "endDate=\"2024-03-01 10:10:00 +0100\" ", ""),
        ("its startDate is not a date", "startDate=\"2024-03-01", "startDate=\"2024-03-32"),
        ("its endDate is not a date", "10:10:00 +0100", "10:10:00"),
        ("its creationDate is not a date", "10:15:00 +0100", "x"),
        ("it ends before it starts", "10:10:00", "09:10:00"),
        ("it has no value", " value=\"72\"", ""), ("its value is not a number", "\"72\"", "\"many\""),
        ("its tag is malformed", "value=\"72\"", "value=\"72"),
    ])
    func skipsUnreadableRecords(_ reason: String, _ from: String, _ to: String) {
        let good = ArchiveText.record(value: "3")
        let broken = ArchiveText.record().replacingOccurrences(of: from, with: to)
        let parsed = Parsed(ArchiveText.file([good, broken, good]))
        #expect(parsed.samples.count == 2 && parsed.error == nil)
        let type = reason == "it has no type" || reason.contains("tag") ? "Record" : "HKQuantityTypeIdentifierStepCount"
        #expect(parsed.skips == [.init(line: 9, type: type, reason: reason)])
    }

    @Test func skipsRecordsWithoutAValue() {
        func reasons(_ value: String?) -> [String] {
            Parsed(
                ArchiveText.file([
                    ArchiveText.record(type: "HKCategoryTypeIdentifierSleepAnalysis", unit: nil, value: value)
                ])
            ).skips.map(\.reason)
        }
        #expect(reasons(nil) == ["it has no value"])
        #expect(
            Parsed(ArchiveText.file([ArchiveText.record(type: "HKQuantityTypeIdentifierBodyMass", unit: nil)])).skips
                .map(\.reason) == ["it has no unit"])
    }

    @Test func resumesAfterADamagedChild() {
        let broken = ArchiveText.record(children: ["<MetadataEntry key=\"a value=\"b\"/>", "<MetadataEntry key=<"])
        let parsed = Parsed(ArchiveText.file([broken, ArchiveText.record(value: "5")]))
        #expect(parsed.samples.map(\.value) == [5])
        #expect(parsed.skips == [.init(line: 8, type: "Record", reason: "a tag inside it is malformed")])
        let unclosed = Parsed(
            ArchiveText.file(["<Record type=\"a\">", "<Workout></Correlation>", ArchiveText.record()]))
        #expect(unclosed.error == nil && unclosed.skipped.values.reduce(0, +) == 1)
    }

    @Test func keepsAndCountsControlCharacters() throws {
        let parsed = Parsed(ArchiveText.file([ArchiveText.record(source: "a\u{0B}b\u{01}")]))
        #expect(parsed.samples.first?.revision?.source.name == "a\u{0B}b\u{01}")
        #expect(parsed.irregularities == ["control characters that XML does not allow, preserved": 2])
    }

    /// iOS 16.0 and 16.1 wrote a document type that no XML parser takes.
    @Test func stepsOverTheTornDocumentTypeOfIOS16() {
        let dtd = """
            <!-- HealthKit Export Version: 12 -->
            <!ELEMENT VisionPrescription ((RightEye|LeftEye|MetadataEntry)*)>
            <!ATTLIST VisionPrescription
              type CDATA #REQUIRED
              dateIssued CDATA #REQUIRED
            <!ELEMENT RightEye EMPTY>
            <!ELEMENT LeftEye EMPTY>
              device CDATA #IMPLIED
            <!ELEMENT MetadataEntry EMPTY>
            >

            """
        let parsed = Parsed(ArchiveText.file([ArchiveText.record()], dtd: dtd))
        #expect(parsed.samples.count == 1 && parsed.skips == [] && parsed.error == nil)
    }

    @Test func readsHeaderAndEmptyExports() {
        let parsed = Parsed(
            ArchiveText.file(["<Me HKCharacteristicTypeIdentifierBiologicalSex=\"HKBiologicalSexFemale\" new=\"1\"/>"]))
        #expect(parsed.header.locale == "en_US" && parsed.header.exportDate == "2026-01-15 09:12:33 +0100")
        #expect(parsed.header.characteristics.map(\.name) == ["HKCharacteristicTypeIdentifierBiologicalSex", "new"])
        #expect(Parsed("\u{FEFF}<HealthData locale='de'/>").error == nil)
        #expect(Parsed("<HealthData></HealthData>junk <").error == nil)
        #expect(
            Parsed("<HealthData></HealthData>\n<!-- a -->\n<Record a='1'/>").skips
                == [.init(line: 3, type: "Record", reason: "it comes after the end of HealthData")])
    }

    @Test(arguments: ["", "hello", "<html></html>", "<!-- <HealthData> -->", "</HealthData>"])
    func rejectsFilesThatAreNotExports(_ text: String) {
        #expect(Parsed(text).error?.kind == .notAnExport)
    }

    @Test func handsOverBatchesAsTheyFill() throws {
        let records = (0..<100).map { ArchiveText.record(value: "\($0)") }
        let sink = CollectingSink()
        var parser = ArchiveParser(
            source: MemorySource(Array(ArchiveText.file(records).utf8)), options: .init(batchSize: 30), sink: sink)
        try parser.run()
        #expect(sink.batches == 4)
        #expect(sink.samples.map(\.value) == (0..<100).map(Double.init))
    }
}
