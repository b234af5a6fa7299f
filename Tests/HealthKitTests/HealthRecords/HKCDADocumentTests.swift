import Foundation
@testable import HealthKit
import HealthTesting
import Testing

struct HKCDADocumentTests {
    static let document = Data(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <ClinicalDocument xmlns="urn:hl7-org:v3">
          <title>Summary of &amp; Stay</title>
          <recordTarget><patientRole><patient><name><given>Ada</given> <given>M.</given>
            <family>Byron</family></name></patient></patientRole></recordTarget>
          <author><assignedAuthor><assignedPerson><name>Dr. Grey</name></assignedPerson></assignedAuthor></author>
          <author><assignedAuthor><assignedPerson><name>Dr. Second</name></assignedPerson></assignedAuthor></author>
          <custodian><assignedCustodian><representedCustodianOrganization><name>General Hospital</name>
            </representedCustodianOrganization></assignedCustodian></custodian>
          <component><structuredBody><component><section><title>Not the title</title></section></component>
          </structuredBody></component>
        </ClinicalDocument>
        """.utf8)

    private func sample(_ data: Data = document) throws -> HKCDADocumentSample {
        try HKCDADocumentSample(data: data, start: TestClock.start, end: TestClock.start, metadata: ["a": 1])
    }

    private func query(
        _ health: TestHealthStore, _ predicate: NSPredicate? = nil, data: Bool = true
    ) async throws -> [HKCDADocumentSample] {
        try await withCheckedThrowingContinuation { continuation in
            health.store.execute(
                HKDocumentQuery(
                    documentType: HKDocumentType(.CDA), predicate: predicate, limit: HKObjectQueryNoLimit,
                    sortDescriptors: [NSSortDescriptor(key: HKSampleSortIdentifierStartDate, ascending: true)],
                    includeDocumentData: data
                ) { _, samples, isDone, error in
                    #expect(isDone)
                    if let error {
                        continuation.resume(throwing: error)
                    } else {
                        continuation.resume(returning: samples as? [HKCDADocumentSample] ?? [])
                    }
                })
        }
    }

    @Test func aDocumentLastsAtMostFourDays() throws {
        let longest = TestClock.start + 345_600
        _ = try HKCDADocumentSample(data: Self.document, start: TestClock.start, end: longest, metadata: nil)
        let error = #expect(throws: HKError.self) {
            try HKCDADocumentSample(data: Self.document, start: TestClock.start, end: longest + 1, metadata: nil)
        }
        #expect(error?.code == .errorInvalidArgument)
        #expect(
            error?.localizedDescription.hasSuffix(
                "Maximum duration for type HKDocumentTypeIdentifierCDA is 345600.0") == true)
    }

    @Test func theHeaderIsRead() throws {
        let document = try #require(try sample().document)
        #expect(document.title == "Summary of & Stay")
        #expect(document.patientName == "Ada M. Byron")
        #expect(document.authorName == "Dr. Grey")
        #expect(document.custodianName == "General Hospital")
        #expect(document.documentData == Self.document)
    }

    @Test func missingPartsAreEmpty() throws {
        let document = try #require(try sample(Data("<ClinicalDocument/>".utf8)).document)
        #expect(
            [document.title, document.patientName, document.authorName, document.custodianName] == ["", "", "", ""])
    }

    @Test(arguments: [
        ("<Other/>", "The root of the document is not ClinicalDocument."),
        ("", "The document is not well-formed XML in UTF-8 at byte 0."),
        ("<ClinicalDocument>", "The document is not well-formed XML in UTF-8 at byte 18."),
        ("<!DOCTYPE a><ClinicalDocument/>", "The document has a document type declaration at byte 0."),
    ])
    func otherBytesAreRefused(_ text: String, _ detail: String) {
        do {
            _ = try sample(Data(text.utf8))
            Issue.record("accepted")
        } catch {
            #expect((error as? HKError)?.code == .errorInvalidArgument)
            #expect((error as NSError).userInfo[HKDetailedCDAValidationErrorKey] as? String == detail)
        }
    }

    @Test func datesAndMetadataAreChecked() {
        #expect(throws: HKError.self) {
            try HKCDADocumentSample(
                data: Self.document, start: TestClock.start, end: TestClock.start - 1, metadata: nil)
        }
        #expect(throws: HKError.self) {
            try HKCDADocumentSample(
                data: Self.document, start: TestClock.start, end: TestClock.start, metadata: ["a": [1]])
        }
    }

    @Test func documentsAreStoredAndQueried() async throws {
        let health = TestHealthStore()
        let saved = try sample()
        try await health.store.save(saved)
        let found = try #require(try await query(health).first)
        #expect(found.uuid == saved.uuid)
        #expect(found.documentType == HKDocumentType(.CDA))
        #expect(found.document?.documentData == Self.document)
        let bare = try #require(try await query(health, data: false).first)
        #expect(bare.document?.documentData == nil)
        #expect(bare.document?.title == "Summary of & Stay")

        let named = NSPredicate(format: "%K == %@", HKPredicateKeyPathCDAPatientName, "Ada M. Byron")
        #expect(try await query(health, named).count == 1)
        #expect(named.evaluate(with: saved))
        let containing = NSPredicate(format: "%K CONTAINS %@", HKPredicateKeyPathCDATitle, "Stay")
        #expect(try await query(health, containing).count == 1)
        let other = NSPredicate(format: "%K == %@", HKPredicateKeyPathCDAAuthorName, "Dr. Second")
        #expect(try await query(health, other).isEmpty)
        try await health.store.delete(found)
        #expect(try await query(health).isEmpty)
    }

    @Test func aDocumentCanBeArchived() throws {
        let saved = try sample()
        let data = try NSKeyedArchiver.archivedData(withRootObject: saved, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKCDADocumentSample.self, from: data))
        #expect(back.uuid == saved.uuid)
        #expect(back.document?.documentData == Self.document)
    }
}
