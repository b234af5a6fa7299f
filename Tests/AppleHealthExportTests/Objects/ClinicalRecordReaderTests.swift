@testable import AppleHealthExport
import ArchiveTestSupport
import Foundation
import HealthModel
import HealthTesting
import Testing

@Suite struct ClinicalRecordReaderTests {
    private static let uuid = UUID(uuidString: "6C2A1B7E-0B1E-4C8A-9B1D-111111111111")!

    private func element(_ type: String, path: String = "/clinical-records/A.json", more: String = "") throws
        -> ArchivedElement
    {
        try RoundTrip.element(
            "<ClinicalRecord type=\"\(type)\" identifier=\"id-1\" sourceName=\"Hospital\" sourceURL=\"https://fhir.example/A/1\" fhirVersion=\"4.0.1\" receivedDate=\"2024-03-01 10:00:00 +0100\" resourceFilePath=\"\(path)\"\(more)/>"
        )
    }

    /// The element and file of an export.
    private func write(
        _ record: ObjectRecord, names: inout AuxiliaryFileNames
    ) -> (element: ArchivedElement, path: String?, bytes: [UInt8]?) {
        guard case .document(let document) = record.body else { return (ArchivedElement(name: ""), nil, nil) }
        let path = ClinicalRecordWriter.path(of: record, document, uuid: Self.uuid, names: &names)
        var tally = ExportTally()
        let style = RecordStyle(dictionaries: StoreDictionaries(), offset: 3_600)
        return (
            ClinicalRecordWriter.write(record, document, path: path, style, &tally), path,
            ClinicalRecordWriter.file(of: document)
        )
    }

    @Test func readsARecordWithItsFile() throws {
        let json = Array("{ \"resourceType\": \"Immunization\",\n \"vaccineCode\": {\"text\": \"Influenza\"} }\n".utf8)
        let reading = try ClinicalRecordReader.read(element("Immunization"), resource: json)
        #expect(reading.typeIdentifier == "HKClinicalTypeIdentifierImmunizationRecord" && !reading.isBroken)
        let record = reading.record
        #expect(record.start == ArchiveText.instant(2024, 3, 1, 9) && record.end == record.start)
        #expect(record.revision?.source.name == "Hospital")
        guard case .document(let document) = record.body else {
            Issue.record("no document")
            return
        }
        #expect(
            document.fields == [
                "displayName": .string("Influenza"), "FHIRVersion": .string("4.0.1"),
                "FHIRResourceType": .string("Immunization"), "FHIRIdentifier": .string("id-1"),
                "FHIRSourceURL": .string("https://fhir.example/A/1"), "FHIRData": .data(json),
            ])
    }

    @Test(arguments: [
        (
            "Observation",
            "{\"category\": {\"coding\": [{\"system\": \"http://hl7.org/fhir/observation-category\", \"code\": \"laboratory\"}]}}",
            "HKClinicalTypeIdentifierLabResultRecord"
        ),
        (
            "Observation", "{\"category\": [{\"coding\": [{\"code\": \"Vital-Signs\"}]}]}",
            "HKClinicalTypeIdentifierVitalSignRecord"
        ),
        ("Observation", "{\"category\": [{\"text\": \"Vital Signs\"}]}", "HKClinicalTypeIdentifierVitalSignRecord"),
        (
            "Observation",
            "{\"category\": [{\"coding\": [{\"code\": \"survey\"}]}, {\"coding\": [{\"code\": \"laboratory\"}]}]}",
            "HKClinicalTypeIdentifierLabResultRecord"
        ),
        (
            "Observation", "{\"category\": [{\"coding\": [{\"code\": \"social-history\"}]}]}",
            "ClinicalRecord#Observation"
        ),
        ("Observation", "{\"category\": 7}", "ClinicalRecord#Observation"),
        ("Observation", "[]", "ClinicalRecord#Observation"),
        (
            "DiagnosticReport", "{\"category\": {\"coding\": [{\"code\": \"LAB\"}]}}",
            "HKClinicalTypeIdentifierLabResultRecord"
        ),
        (
            "DiagnosticReport", "{\"category\": [{\"coding\": [{\"code\": \"LP29684-5\"}]}]}",
            "HKClinicalTypeIdentifierClinicalNoteRecord"
        ),
        ("DiagnosticReport", "{}", "ClinicalRecord#DiagnosticReport"),
        ("AllergyIntolerance", "{}", "HKClinicalTypeIdentifierAllergyRecord"),
        ("Condition", "{}", "HKClinicalTypeIdentifierConditionRecord"),
        ("Procedure", "{}", "HKClinicalTypeIdentifierProcedureRecord"),
        ("Coverage", "{}", "HKClinicalTypeIdentifierCoverageRecord"),
        ("DocumentReference", "{}", "HKClinicalTypeIdentifierClinicalNoteRecord"),
        ("MedicationRequest", "{}", "HKClinicalTypeIdentifierMedicationRecord"),
        ("MedicationStatement", "not JSON", "HKClinicalTypeIdentifierMedicationRecord"),
        ("Patient", "{}", "ClinicalRecord#Patient"),
        (
            "HKClinicalTypeIdentifierAllergyRecord", "{\"resourceType\": \"AllergyIntolerance\"}",
            "HKClinicalTypeIdentifierAllergyRecord"
        ),
        ("", "{\"resourceType\": \"Condition\"}", "HKClinicalTypeIdentifierConditionRecord"),
        ("", "{}", "ClinicalRecord"),
    ])
    func findsTheTypeAndComesOutAsItWas(_ type: String, _ json: String, _ identifier: String) throws {
        let element = try element(type, more: " hue=\"7\"")
        let reading = try ClinicalRecordReader.read(element, resource: Array(json.utf8))
        #expect(reading.typeIdentifier == identifier)
        #expect(reading.isBroken == !json.hasPrefix("{"))
        var names = AuxiliaryFileNames()
        let written = write(reading.record, names: &names)
        RoundTrip.expectEqual(written.element, element)
        #expect(written.path == "/clinical-records/A.json" && written.bytes == Array(json.utf8))
        let again = try ClinicalRecordReader.read(written.element, resource: written.bytes)
        #expect(again.record == reading.record && again.typeIdentifier == identifier)
    }

    @Test func aRecordWithoutItsFileIsKept() throws {
        let element = try element("Condition", path: "/clinical-records/../../etc/passwd")
        let reading = try ClinicalRecordReader.read(element, resource: nil)
        #expect(reading.typeIdentifier == "HKClinicalTypeIdentifierConditionRecord" && !reading.isBroken)
        var names = AuxiliaryFileNames()
        let written = write(reading.record, names: &names)
        RoundTrip.expectEqual(written.element, element)
        #expect(written.path == nil && written.bytes == nil)
    }

    @Test(arguments: [
        "/clinical-records/../x.json", "/elsewhere/x.json", "x.json", "/clinical-records/",
        "/clinical-records/a/b.json",
        "/clinical-records/..", "/clinical-records/a\\..\\b.json",
    ])
    func aFileNeverLeavesItsFolder(_ path: String) throws {
        let reading = try ClinicalRecordReader.read(element("Condition", path: path), resource: Array("{}".utf8))
        var names = AuxiliaryFileNames()
        let written = write(reading.record, names: &names)
        #expect(written.path == "/clinical-records/Condition-\(Self.uuid.uuidString).json")
        #expect(written.element["resourceFilePath"] == written.path)
    }

    @Test func filesWithEqualNamesGetDifferentPaths() throws {
        let one = try ClinicalRecordReader.read(element("Condition"), resource: Array("{}".utf8)).record
        let two = try ClinicalRecordReader.read(element("Condition"), resource: Array("{ }".utf8)).record
        var names = AuxiliaryFileNames()
        let paths = [one, two, two].map {
            write($0, names: &names).path
        }
        #expect(
            paths == [
                "/clinical-records/A.json", "/clinical-records/A_1.json", "/clinical-records/A_2.json",
            ])
    }

    @Test func rejectsRecordsWithoutADate() throws {
        let element = try RoundTrip.element("<ClinicalRecord type=\"Patient\"/>")
        #expect { try ClinicalRecordReader.read(element, resource: nil) } throws: {
            ($0 as? AppleHealthExport.ElementError)?.reason == "it has no receivedDate"
        }
    }

    @Test(
        arguments: [
            ("{\"code\": {\"text\": \"Heart rate\"}}", "Heart rate"),
            ("{\"code\": {\"coding\": [{\"code\": \"8867-4\"}, {\"display\": \"Pulse\"}]}}", "Pulse"),
            ("{\"medicationReference\": {\"display\": \"Drops\"}}", "Drops"),
            ("{\"substance\": {\"text\": \"Nuts\"}, \"type\": \"allergy\"}", "Nuts"),
            ("{\"type\": {\"text\": \"Letter\"}}", "Letter"), ("{\"code\": 3, \"type\": [1]}", nil), ("{}", nil),
            ("[1]", nil),
            ("{\"code\": {\"text\": \"\"}}", nil), ("", nil),
        ] as [(String, String?)])
    func findsAName(_ json: String, _ name: String?) {
        #expect(FHIRFacts(json: Array(json.utf8))?.name == name)
    }

    @Test func anyBytesAreRead() {
        var random = SplitMix64(seed: 20_261_121)
        let json = Array(
            "{\"resourceType\": \"Observation\", \"category\": [{\"coding\": [{\"code\": \"laboratory\", \"display\": \"Lab\"}], \"text\": \"L\"}], \"code\": {\"text\": \"Glucose \\u00e9\"}}"
                .utf8)
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...6, using: &random)
            _ = FHIRFacts(json: Mutation.apply(to: json, from: 0, count: count, using: &random))
        }
        let deep = String(repeating: "{\"code\":", count: 100_000)
        #expect(FHIRFacts(json: Array(deep.utf8)) == nil)
        #expect(FHIRFacts(json: Array(String(repeating: "[", count: 1_000_000).utf8)) == nil)
    }
}
