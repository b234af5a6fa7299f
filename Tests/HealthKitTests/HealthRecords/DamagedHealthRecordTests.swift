import Foundation
import HealthModel
import HealthTesting
import Testing

@testable import HealthKit

/// Archives and stored bodies of health records that are damaged give nothing or something else; reading what
/// came out never ends the process.
struct DamagedHealthRecordTests {
    static func objects() throws -> [NSObject] {
        let medication = HKUserAnnotatedMedication.testing(
            "Aspirin", nickname: "A", codings: [HKClinicalCoding(system: "s", version: nil, code: "c")])
        let record = HKClinicalRecord.testing(
            HKClinicalType(.allergyRecord), displayName: "Nuts",
            resource: .testing(.allergyIntolerance, identifier: "1", json: "{}"))
        return [
            try HKCDADocumentSample(
                data: Data("<ClinicalDocument><title>T</title></ClinicalDocument>".utf8), start: TestClock.start,
                end: TestClock.start, metadata: nil),
            record, record.fhirResource ?? medication, HKFHIRVersion.primaryR4(),
            HKClinicalCoding(system: "s", version: "1", code: "c"), medication, medication.medication,
            medication.medication.identifier, HKMedicationDoseEvent.testing(of: medication),
            HKVerifiableClinicalRecord.card(),
        ]
    }

    /// Reads every property, so that a trap in one would show.
    private func use(_ object: NSObject?) {
        _ = object?.description
        _ = object?.hash
        switch object {
        case let sample as HKCDADocumentSample: _ = (sample.document?.title, sample.documentType)
        case let record as HKClinicalRecord: _ = (record.fhirResource, record.displayName, record.clinicalType)
        case let medication as HKUserAnnotatedMedication: _ = medication.medication.relatedCodings
        case let event as HKMedicationDoseEvent:
            _ = (
                event.logStatus, event.scheduleType, event.unit, event.scheduledDate, event.medicationConceptIdentifier
            )
        case let record as HKVerifiableClinicalRecord:
            _ = (record.subject.dateOfBirthComponents, record.itemNames, record.sourceType, record.expirationDate)
        default: break
        }
    }

    @Test func damagedArchives() throws {
        var random = SplitMix64(seed: 23)
        for object in try Self.objects() {
            let type = try #require(Swift.type(of: object) as? any NSSecureCoding.Type)
            let coder = RecordCoder(Data())
            try #require(object as? any NSSecureCoding).encode(with: coder)
            let whole = coder.record
            #expect(type.init(coder: RecordCoder(whole)) as? NSObject == object)
            for _ in 0..<300 {
                var damaged = whole
                damaged[Int(random.next() % UInt64(whole.count))] = UInt8(truncatingIfNeeded: random.next())
                use(type.init(coder: RecordCoder(damaged)) as? NSObject)
            }
            for length in stride(from: 0, to: whole.count, by: 7) {
                #expect(type.init(coder: RecordCoder(whole.prefix(length))) == nil)
            }
        }
    }

    @Test func storedBodiesOfOtherKinds() {
        // What a later or a damaged store may hold: fields missing, or of another kind.
        let kinds: [FieldValue] = [
            .bool(true), .integer(.min), .double(.nan), .string("x"), .data([]), .list([.bool(true)]), .record([:]),
        ]
        let types: [(HKSampleType, [String])] = [
            (HKDocumentType(.CDA), ["title", "documentData"]),
            (HKClinicalType(.allergyRecord), ["displayName", "FHIRVersion", "FHIRData", "FHIRSourceURL"]),
            (.medicationDoseEventType(), ["logStatus", "scheduleType", "scheduledDate", "doseQuantity", "unit"]),
            (HKVerifiableClinicalRecord.type, ["jws", "subject", "recordTypes", "issuedDate"]),
        ]
        for (type, fields) in types {
            let base = SampleBase(identity: UUID(), context: ObjectContext(type: type), start: 0, end: 0)
            for kind in kinds {
                let document = DocumentBody(fields: Dictionary(uniqueKeysWithValues: fields.map { ($0, kind) }))
                use(HKSample.make(base, ObjectRecord(type: type.code, start: 0, end: 0, body: .document(document))))
            }
            use(HKSample.make(base, ObjectRecord(type: type.code, start: 0, end: 0)))
        }
        #expect(HKUserAnnotatedMedication.Fields(DocumentBody()) == nil)
    }
}
