@testable import AppleHealthExport
import Foundation
import HealthEngine
import HealthFiles
import HealthModel
import Testing

@Suite struct VisionPrescriptionReaderTests {
    private static let glasses =
        "<RightEye sphere=\"-1.25\" sphereUnit=\"D\" cylinder=\"0.5\" cylinderUnit=\"D\" axis=\"90\" axisUnit=\"deg\" add=\"1.5\" addUnit=\"D\" vertex=\"12\" vertexUnit=\"mm\" prismAmount=\"2\" prismAmountUnit=\"pD\" prismAngle=\"90\" prismAngleUnit=\"deg\" farPD=\"31\" farPDUnit=\"mm\" nearPD=\"29.5\" nearPDUnit=\"mm\"/><LeftEye sphere=\"-2\" sphereUnit=\"D\"/>"
    private static let contacts =
        "<RightEye sphere=\"-3\" sphereUnit=\"D\" baseCurve=\"8.6\" baseCurveUnit=\"mm\" diameter=\"14.2\" diameterUnit=\"mm\"/>"
    private static let issued = "dateIssued=\"2024-03-01 10:00:00 +0100\""

    private func prescription(_ attributes: String, _ children: String) throws -> ArchivedElement {
        try RoundTrip.element("<VisionPrescription \(attributes)>\(children)</VisionPrescription>")
    }

    private func document(_ record: ObjectRecord) throws -> DocumentBody {
        guard case .document(let document) = record.body else { throw CancellationError() }
        return document
    }

    @Test func readsGlasses() throws {
        let record = try VisionPrescriptionReader.read(
            prescription("type=\"Glasses\" \(Self.issued) expirationDate=\"2026-03-01 10:00:00 +0100\"", Self.glasses))
        #expect(record.start == ArchiveText.instant(2024, 3, 1, 9) && record.end == record.start)
        #expect(record.revision?.source.bundleIdentifier == "com.apple.Health")
        #expect(record.metadata.isEmpty)
        let document = try document(record)
        #expect(document["prescriptionType"] == .integer(1))
        #expect(document["expirationDate"] == .date(ArchiveText.instant(2026, 3, 1, 9)))
        #expect(document["leftEye"] == .record(["sphere": .quantity(.init(-2, unit: "D"))]))
        guard case .record(let right) = document["rightEye"], case .record(let prism) = right["prism"] else {
            Issue.record("no right lens or no prism")
            return
        }
        #expect(
            right.filter { $0.key != "prism" } == [
                "sphere": .quantity(.init(-1.25, unit: "D")), "cylinder": .quantity(.init(0.5, unit: "D")),
                "axis": .quantity(.init(90, unit: "deg")), "addPower": .quantity(.init(1.5, unit: "D")),
                "vertexDistance": .quantity(.init(12, unit: "mm")),
                "farPupillaryDistance": .quantity(.init(31, unit: "mm")),
                "nearPupillaryDistance": .quantity(.init(29.5, unit: "mm")),
            ])
        // Base up: entirely vertical.
        #expect(prism["verticalAmount"] == .quantity(.init(2, unit: "pD")) && prism["verticalBase"] == .integer(1))
        #expect(prism["horizontalAmount"] == .quantity(.init(0, unit: "pD")) && prism["horizontalBase"] == .integer(0))
        #expect(prism["eye"] == .integer(2))
    }

    @Test func readsContacts() throws {
        let record = try VisionPrescriptionReader.read(
            prescription("type=\"Contacts\" \(Self.issued) brand=\"Clear &amp; Co\"", Self.contacts))
        let document = try document(record)
        #expect(document["prescriptionType"] == .integer(2) && document["brand"] == .string("Clear & Co"))
        #expect(
            document["rightEye"]
                == .record([
                    "sphere": .quantity(.init(-3, unit: "D")), "baseCurve": .quantity(.init(8.6, unit: "mm")),
                    "diameter": .quantity(.init(14.2, unit: "mm")),
                ]))
    }

    @Test(arguments: [
        ("Glasses", "", glasses), ("Contacts", "brand=\"B\"", contacts), ("glasses", "brand=\"Ray\"", glasses),
        ("HKVisionPrescriptionTypeContacts", "", contacts), ("2", "brand=\"\"", contacts),
        ("Glasses", "expirationDate=\"2020-03-01 10:00:00 +0100\"", ""), ("Glasses", "expirationDate=\"soon\"", ""),
        ("Glasses", "later=\"1\" sourceName=\"Optician\" sourceVersion=\"3\"", "<Later/>"),
        ("Glasses", "", "<RightEye sphere=\"-1.50\" sphereUnit=\"D\"/>"),
        ("Glasses", "", "<LeftEye sphere=\"-1.5\"/>"),
        ("Glasses", "", "<LeftEye sphere=\"-1.5\" sphereUnit=\"D\" baseCurve=\"8\" baseCurveUnit=\"mm\" hue=\"7\"/>"),
        ("Contacts", "", "<RightEye sphere=\"0\" sphereUnit=\"D\" prismAmount=\"2\" prismAmountUnit=\"pD\"/>"),
        // Invalid lenses.
        ("Glasses", "", "<RightEye sphere=\"plano\" sphereUnit=\"D\"/><LeftEye cylinder=\"1\" cylinderUnit=\"D\"/>"),
        ("Glasses", "", "<RightEye sphere=\"1\" sphereUnit=\"m\"/><RightEye sphere=\"1\" sphereUnit=\"D\"/>"),
        ("Glasses", "", "<RightEye sphere=\"1\" sphereUnit=\"D\"/><RightEye sphere=\"2\" sphereUnit=\"D\"/>"),
        (
            "Glasses", "",
            "<RightEye sphere=\"1\" sphereUnit=\"D\" prismAmount=\"1\" prismAmountUnit=\"pD\" prismAngle=\"left\" prismAngleUnit=\"deg\"/>"
        ),
        ("Glasses", "", "<Attachment identifier=\"6C2A1B7E-0B1E-4C8A-9B1D-111111111111\"/><Attachment/>"),
        ("Glasses", "", ArchiveText.entry("HKMetadataKeyGlassesPrescriptionDescription", "for reading")),
    ])
    func comesOutAsItWas(_ type: String, _ attributes: String, _ children: String) throws {
        let element = try prescription("type=\"\(type)\" \(Self.issued) \(attributes)", children)
        let record = try VisionPrescriptionReader.read(element)
        RoundTrip.expectEqual(try RoundTrip.write(record, offset: 3_600), element)
        #expect(try VisionPrescriptionReader.read(RoundTrip.write(record, offset: 0)) == record)
    }

    @Test func aDayIsADateOfIssue() throws {
        let element = try prescription("type=\"Glasses\" dateIssued=\"2024-03-01\"", "")
        let record = try VisionPrescriptionReader.read(element)
        #expect(record.start == ArchiveText.instant(2024, 3, 1))
        RoundTrip.expectEqual(try RoundTrip.write(record, offset: 3_600), element)
    }

    @Test(arguments: [
        ("type=\"Glasses\"", "it has no dateIssued"),
        ("type=\"Glasses\" dateIssued=\"x\"", "its dateIssued is not a date"),
        (issued, "it has no type"), ("type=\"Monocle\" " + issued, "its type is unknown"),
    ])
    func refuses(_ attributes: String, _ reason: String) throws {
        let element = try prescription(attributes, "")
        #expect { try VisionPrescriptionReader.read(element) } throws: {
            ($0 as? AppleHealthExport.ElementError)?.reason == reason
        }
        let parsed = Parsed(ArchiveText.file([ElementText.print(element)]))
        #expect(parsed.irregularities == ["VisionPrescription, preserved as it is: \(reason)": 1] && parsed.skips == [])
        RoundTrip.expectEqual(try RoundTrip.write(try #require(parsed.objects.first)), element)
    }

    @Test func attachmentsOfApplicationsGetAnElement() throws {
        let element = try prescription("type=\"Glasses\" \(Self.issued)", "<Attachment identifier=\"scan\"/>")
        let record = try VisionPrescriptionReader.read(element)
        #expect(ArchivedAttachment.identifiers(in: record.metadata) == ["scan"])
        func attachment(_ metadata: Metadata) -> AttachmentRecord {
            AttachmentRecord(
                identifier: UUID(), name: "a.pdf", contentType: "com.adobe.pdf", size: 1, creation: 0,
                metadata: metadata)
        }
        let imported = attachment(ArchivedAttachment.metadata(identifier: "scan"))
        let own = attachment(.empty)
        var tally = ExportTally()
        let written = VisionPrescriptionWriter.write(
            record, try document(record), attachments: [imported, own],
            RecordStyle(dictionaries: StoreDictionaries(), offset: 0), &tally)
        #expect(
            Set(written.children.compactMap { $0["identifier"] }) == ["scan", own.identifier.uuidString])
        #expect(written.children.count == 2)
    }
}
