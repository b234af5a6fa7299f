@testable import AppleHealthExport
import Foundation
import HealthModel
import Testing

@Suite struct AudiogramReaderTests {
    private static let frame =
        "type=\"HKDataTypeIdentifierAudiogram\" sourceName=\"Clinic\" sourceVersion=\"2\" device=\"\(ArchiveText.device)\" creationDate=\"2024-03-01 11:00:05 +0100\" startDate=\"2024-03-01 10:00:00 +0100\" endDate=\"2024-03-01 11:00:00 +0100\""

    private static let plain =
        "<SensitivityPoint frequencyValue=\"500\" frequencyUnit=\"Hz\" leftEarValue=\"20\" leftEarUnit=\"dBHL\" rightEarValue=\"-5.5\" rightEarUnit=\"dBHL\"/>"
    private static let clamped =
        "<SensitivityPoint frequencyValue=\"1\" frequencyUnit=\"kHz\" leftEarValue=\"85\" leftEarUnit=\"dBHL\" leftEarMasked=\"1\" leftEarClampingRangeLowerBound=\"-10\" leftEarClampingRangeUpperBound=\"85\"/>"

    private func audiogram(_ children: String, frame: String = Self.frame) throws -> ArchivedElement {
        try RoundTrip.element("<Audiogram \(frame)>\(children)</Audiogram>")
    }

    private func points(_ record: ObjectRecord) -> [FieldValue] {
        guard case .document(let document) = record.body else { return [] }
        return document[AudiogramDocument.points]?.elements ?? []
    }

    @Test func readsPointsAndTests() throws {
        let record = try AudiogramReader.read(audiogram(Self.plain + Self.clamped + ArchiveText.entry("k", "v")))
        #expect(record.type == TypeCatalog.description(for: "HKDataTypeIdentifierAudiogram")?.code)
        #expect(record.start == ArchiveText.instant(2024, 3, 1, 9) && record.end == record.start + 3_600)
        #expect(record.creation == record.start + 3_605 && record.device?.name == "Apple Watch")
        #expect(record.revision?.source.name == "Clinic" && record.revision?.version == "2")
        #expect(record.metadata == Metadata([.init(key: "k", value: .string("v"))]))
        func test(_ value: Double, side: Int64, masked: Bool = false, range: FieldValue? = nil) -> FieldValue {
            .record(
                [
                    "sensitivity": .quantity(.init(value, unit: "dBHL")), "type": .integer(0), "side": .integer(side),
                    "masked": .bool(masked), "clampingRange": range,
                ].compactMapValues { $0 })
        }
        #expect(
            points(record) == [
                .record([
                    "frequency": .quantity(.init(500, unit: "Hz")),
                    "tests": .list([test(20, side: 0), test(-5.5, side: 1)]),
                ]),
                .record([
                    "frequency": .quantity(.init(1, unit: "kHz")),
                    "tests": .list([
                        test(
                            85, side: 0, masked: true,
                            range: .record(["lowerBound": .double(-10), "upperBound": .double(85)]))
                    ]),
                ]),
            ])
    }

    @Test(arguments: [
        plain, clamped, plain + clamped + ArchiveText.entry("HKTimeZone", "Europe/Berlin"),
        // In spellings that the writer does not use.
        "<SensitivityPoint frequencyValue=\"500.0\" frequencyUnit=\"Hz\" leftEarValue=\"20.00\" leftEarUnit=\"dBHL\" leftEarMasked=\"0\"/>",
        "<SensitivityPoint rightEarUnit=\"dBHL\" rightEarValue=\"3\" frequencyUnit=\"Hz\" frequencyValue=\"250\" rightEarMasked=\"false\" bone=\"1\"/>"
            + plain,
        // Invalid points and a valid one.
        plain
            + "<SensitivityPoint frequencyValue=\"many\" frequencyUnit=\"Hz\" leftEarValue=\"1\" leftEarUnit=\"dBHL\"/>",
        plain + "<SensitivityPoint frequencyValue=\"500\" frequencyUnit=\"Hz\"><Inside/></SensitivityPoint>",
        // Other content.
        plain + "<Later thing=\"1\"><Deep>text</Deep></Later>" + ArchiveText.entry("a", "1")
            + ArchiveText.entry("a", "2"),
        plain + "<MetadataEntry key=\"k\" value=\"v\" kind=\"new\"/><MetadataEntry key=\"only\"/>",
        // Two tests of one ear at one frequency are two elements.
        plain + plain.replacingOccurrences(of: "20", with: "25"),
    ])
    func comesOutAsItWas(_ children: String) throws {
        let element = try audiogram(children)
        let record = try AudiogramReader.read(element)
        RoundTrip.expectEqual(try RoundTrip.write(record, offset: 7_200), element)
        // Reading the written element gives the same record.
        #expect(try AudiogramReader.read(RoundTrip.write(record, offset: -18_000)) == record)
    }

    @Test(arguments: [
        "hue=\"red\"", "HKNote=\"x\"",
    ])
    func unknownAttributesComeOut(_ attribute: String) throws {
        let element = try audiogram(Self.plain, frame: Self.frame + " " + attribute)
        let record = try AudiogramReader.read(element)
        let written = try RoundTrip.write(record, offset: 0)
        let text = attribute.split(separator: "=")[0]
        // Attributes of iOS 8 become metadata.
        if text.hasPrefix("HK") {
            #expect(written.children.contains { $0["key"] == String(text) && $0["value"] == "x" })
        } else {
            RoundTrip.expectEqual(written, element)
        }
    }

    @Test func testsAtOneFrequencyAreOnePoint() throws {
        let element = try audiogram(Self.plain + Self.plain.replacingOccurrences(of: "\"20\"", with: "\"25\""))
        let points = points(try AudiogramReader.read(element))
        #expect(points.count == 1)
        guard case .record(let fields)? = points.first else {
            Issue.record("no record")
            return
        }
        #expect(fields["tests"]?.elements.count == 4)
    }

    @Test(arguments: [
        ("", "it has no readable sensitivity point"),
        ("<SensitivityPoint frequencyValue=\"500\" frequencyUnit=\"Hz\"/>", "it has no readable sensitivity point"),
        (
            "<SensitivityPoint frequencyValue=\"500\" frequencyUnit=\"dBHL\" leftEarValue=\"1\" leftEarUnit=\"dBHL\"/>",
            "it has no readable sensitivity point"
        ),
        (
            "<SensitivityPoint frequencyValue=\"0\" frequencyUnit=\"Hz\" leftEarValue=\"1\" leftEarUnit=\"dBHL\"/>",
            "it has no readable sensitivity point"
        ),
        (
            "<SensitivityPoint frequencyValue=\"20001\" frequencyUnit=\"Hz\" leftEarValue=\"1\" leftEarUnit=\"dBHL\"/>",
            "it has no readable sensitivity point"
        ),
        (
            "<SensitivityPoint frequencyValue=\"1\" frequencyUnit=\"Hz\" leftEarValue=\"201\" leftEarUnit=\"dBHL\"/>",
            "it has no readable sensitivity point"
        ),
        (
            "<SensitivityPoint frequencyValue=\"1\" frequencyUnit=\"Hz\" leftEarValue=\"nan\" leftEarUnit=\"dBHL\"/>",
            "it has no readable sensitivity point"
        ),
        (
            "<SensitivityPoint frequencyValue=\"1\" frequencyUnit=\"Hz\" leftEarValue=\"1\" leftEarUnit=\"dBHL\" leftEarMasked=\"perhaps\"/>",
            "it has no readable sensitivity point"
        ),
        (
            "<SensitivityPoint frequencyValue=\"1\" frequencyUnit=\"Hz\" leftEarValue=\"1\" leftEarUnit=\"dBHL\" leftEarClampingRangeLowerBound=\"5\" leftEarClampingRangeUpperBound=\"5\"/>",
            "it has no readable sensitivity point"
        ),
    ])
    func refuses(_ children: String, _ reason: String) throws {
        let element = try audiogram(children)
        #expect { try AudiogramReader.read(element) } throws: {
            ($0 as? AppleHealthExport.ElementError)?.reason == reason
        }
    }

    @Test func unreadableAudiogramsAreKept() throws {
        let parsed = Parsed(ArchiveText.file(["<Audiogram \(Self.frame)/>"]))
        #expect(parsed.skips == [])
        #expect(parsed.irregularities == ["Audiogram, preserved as it is: it has no readable sensitivity point": 1])
        let object = try #require(parsed.objects.first)
        guard case .archived = object.body else {
            Issue.record("not kept whole")
            return
        }
        RoundTrip.expectEqual(
            try RoundTrip.write(object), try RoundTrip.element("<Audiogram \(Self.frame)/>"))
    }
}
