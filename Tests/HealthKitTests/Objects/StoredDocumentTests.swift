import Foundation
import HealthModel
import Testing

@testable import HealthKit

/// The documents that stores and archives contain, field by field: each family reads its own and writes the same one
/// back.
@Suite struct StoredDocumentTests {
    private func quantity(_ value: Double, _ unit: String) -> FieldValue {
        .quantity(QuantityRecord(value, unit: unit))
    }

    private func check<Fields: DocumentFields>(_ type: Fields.Type, _ document: DocumentBody) {
        #expect(Fields.isComplete(document), "\(type)")
        #expect(Fields(document).document == document, "\(type)")
    }

    @Test func heart() {
        check(
            HKElectrocardiogram.Fields.self,
            DocumentBody(
                fields: [
                    "classification": .integer(1), "symptomsStatus": .integer(2),
                    "averageHeartRate": quantity(61, "count/min"),
                    "samplingFrequency": quantity(512, "Hz"),
                ], series: ["times": [0, 0.5], "voltages.1": [0.001, .infinity]]))
        check(
            HKElectrocardiogram.Fields.self,
            DocumentBody(fields: ["classification": .integer(99), "symptomsStatus": .integer(0)]))
        check(
            HKHeartbeatSeriesSample.Fields.self,
            DocumentBody(series: ["offsets": [0.5, 1.25], "gaps": [0, 1], "rates": [60, 61]]))
        check(HKHeartbeatSeriesSample.Fields.self, DocumentBody(series: ["offsets": [0.5]]))
    }

    @Test func hearing() {
        let test: FieldValue = .record([
            "sensitivity": quantity(-5, "dBHL"), "type": .integer(0), "masked": .bool(true), "side": .integer(1),
            "clampingRange": .record(["lowerBound": .double(-5), "upperBound": .double(90)]),
        ])
        let point: FieldValue = .record(["frequency": quantity(1, "kHz"), "tests": .list([test])])
        check(HKAudiogramSample.Fields.self, DocumentBody(fields: ["sensitivityPoints": .list([point, point])]))
    }

    @Test func vision() {
        let prism: FieldValue = .record([
            "amount": quantity(2, "pD"), "angle": quantity(90, "deg"), "verticalAmount": quantity(2, "pD"),
            "verticalBase": .integer(1), "horizontalAmount": quantity(0, "pD"), "horizontalBase": .integer(0),
            "eye": .integer(2),
        ])
        let glasses: FieldValue = .record([
            "sphere": quantity(-2.25, "D"), "cylinder": quantity(-0.5, "D"), "axis": quantity(90, "deg"),
            "addPower": quantity(1, "D"), "vertexDistance": quantity(12, "mm"), "prism": prism,
            "farPupillaryDistance": quantity(31, "mm"), "nearPupillaryDistance": quantity(3, "cm"),
        ])
        let contacts: FieldValue = .record([
            "sphere": quantity(-2, "D"), "baseCurve": quantity(8.6, "mm"), "diameter": quantity(14.2, "mm"),
        ])
        check(
            HKVisionPrescription.Fields.self,
            DocumentBody(fields: [
                "prescriptionType": .integer(1), "expirationDate": .date(7), "rightEye": glasses, "leftEye": glasses,
            ]))
        check(
            HKVisionPrescription.Fields.self,
            DocumentBody(fields: ["prescriptionType": .integer(2), "leftEye": contacts, "brand": .string("Acme")]))
        let read = HKVisionPrescription.Fields(
            DocumentBody(fields: ["prescriptionType": .integer(2), "leftEye": contacts]))
        #expect(read.leftEye is HKContactsLensSpecification)
    }

    @Test func mentalHealth() {
        check(
            HKStateOfMind.Fields.self,
            DocumentBody(fields: [
                "kind": .integer(2), "valence": .double(0.5), "labels": .list([.integer(1), .integer(9_999)]),
                "associations": .list([]),
            ]))
        check(
            HKScoredAssessment.Fields.self,
            DocumentBody(fields: ["score": .integer(3), "answers": .list([.integer(0), .integer(3)])]))
    }

    @Test func medications() throws {
        check(
            HKMedicationDoseEvent.Fields.self,
            DocumentBody(fields: [
                "medicationConceptIdentifier": .string("a"), "logStatus": .integer(4), "scheduleType": .integer(2),
                "scheduledDate": .date(5.25), "scheduledDoseQuantity": .double(1), "doseQuantity": .double(0.5),
                "unit": .string("mg"),
            ]))
        let document = DocumentBody(fields: [
            "nickname": .string("N"), "isArchived": .bool(true), "hasSchedule": .bool(false),
            "medicationConceptIdentifier": .string("a"), "displayText": .string("Aspirin"),
            "generalForm": .string("tablet"),
            "relatedCodings": .list([
                .record(["system": .string("a"), "code": .string("1")]),
                .record(["system": .string("b"), "version": .string("2"), "code": .string("1")]),
            ]),
        ])
        #expect(try #require(HKUserAnnotatedMedication.Fields(document)).document == document)
    }

    @Test func healthRecords() {
        check(
            HKClinicalRecord.Fields.self,
            DocumentBody(fields: [
                "displayName": .string("Nuts"), "FHIRVersion": .string("4.0.1"),
                "FHIRResourceType": .string("AllergyIntolerance"),
                "FHIRIdentifier": .string("1"), "FHIRData": .data([0x7B, 0x7D]),
                "FHIRSourceURL": .string("https://example.org"),
            ]))
        check(
            HKCDADocumentSample.Fields.self,
            DocumentBody(fields: [
                "documentData": .data([1, 2]), "title": .string("T"), "patientName": .string("P"),
                "authorName": .string("A"),
                "custodianName": .string(""),
            ]))
        check(
            HKVerifiableClinicalRecord.Fields.self,
            DocumentBody(fields: [
                "jws": .data([1]), "sourceType": .string("SMARTHealthCard"), "issuer": .string("i"),
                "issuedDate": .date(1),
                "expirationDate": .date(2), "relevantDate": .date(3), "recordTypes": .list([.string("t")]),
                "itemNames": .list([.string("n")]),
                "subject": .record([
                    "fullName": .string("F"), "birthYear": .integer(1951), "birthMonth": .integer(1),
                    "birthDay": .integer(20),
                ]),
            ]))
    }
}
