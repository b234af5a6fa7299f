import Foundation
import HealthKit

/// The properties of samples that are neither quantities, categories, correlations nor workouts, with HealthKit's
/// names.
enum DocumentProperties {
    /// The properties of a sample; `nil` for a class without any.
    static func properties(of sample: HKSample, _ units: inout QuantityUnits) -> [String: SyncValue]? {
        if let found = mindProperties(of: sample) { return found }
        switch sample {
        case let audiogram as HKAudiogramSample:
            return ["sensitivityPoints": .list(audiogram.sensitivityPoints.map { point($0, &units) })]
        case let prescription as HKVisionPrescription:
            return visionProperties(of: prescription, &units)
        case let record as HKClinicalRecord:
            return recordProperties(of: record)
        default:
            if #available(iOS 26.0, watchOS 26.0, *), let dose = sample as? HKMedicationDoseEvent {
                return doseProperties(of: dose)
            }
            return nil
        }
    }

    /// The properties of an electrocardiogram, besides its voltages.
    static func electrocardiogramProperties(
        of recording: HKElectrocardiogram, _ units: inout QuantityUnits
    ) -> [String: SyncValue] {
        present([
            "classification": .integer(Int64(recording.classification.rawValue)),
            "symptomsStatus": .integer(Int64(recording.symptomsStatus.rawValue)),
            "averageHeartRate": recording.averageHeartRate.map { .quantity(units.parts(of: $0)) },
            "samplingFrequency": recording.samplingFrequency.map { .quantity(units.parts(of: $0)) },
        ])
    }

    /// The properties of a clinical document.
    static func documentProperties(of sample: HKCDADocumentSample) -> [String: SyncValue]? {
        sample.document.map { document in
            present([
                "documentData": document.documentData.map { .data($0) }, "title": .string(document.title),
                "patientName": .string(document.patientName), "authorName": .string(document.authorName),
                "custodianName": .string(document.custodianName),
            ])
        }
    }

    private static func present(_ values: [String: SyncValue?]) -> [String: SyncValue] {
        values.compactMapValues { $0 }
    }

    private static func integers(_ numbers: [Int]) -> SyncValue {
        .list(numbers.map { .integer(Int64($0)) })
    }

    // MARK: Mental health

    private static func mindProperties(of sample: HKSample) -> [String: SyncValue]? {
        guard #available(iOS 18.0, watchOS 11.0, *) else { return nil }
        switch sample {
        case let state as HKStateOfMind:
            return [
                "kind": .integer(Int64(state.kind.rawValue)), "valence": .double(state.valence),
                "labels": integers(state.labels.map(\.rawValue)),
                "associations": integers(state.associations.map(\.rawValue)),
            ]
        case let assessment as HKGAD7Assessment:
            return [
                "score": .integer(Int64(assessment.score)), "answers": integers(assessment.answers.map(\.rawValue)),
            ]
        case let assessment as HKPHQ9Assessment:
            return [
                "score": .integer(Int64(assessment.score)), "answers": integers(assessment.answers.map(\.rawValue)),
            ]
        default:
            return nil
        }
    }

    // MARK: Hearing

    private static func point(_ point: HKAudiogramSensitivityPoint, _ units: inout QuantityUnits) -> SyncValue {
        let frequency = SyncValue.quantity(units.parts(of: point.frequency))
        guard #available(iOS 18.1, watchOS 11.1, *) else {
            // Earlier systems have one air-conduction reading for each ear.
            let readings = [(point.leftEarSensitivity, 0), (point.rightEarSensitivity, 1)]
            let tests = readings.compactMap { sensitivity, side in
                sensitivity.map { quantity in
                    SyncValue.record([
                        "sensitivity": .quantity(units.parts(of: quantity)), "type": .integer(0),
                        "masked": .bool(false), "side": .integer(Int64(side)),
                    ])
                }
            }
            return .record(["frequency": frequency, "tests": .list(tests)])
        }
        let tests = point.tests.map { test -> SyncValue in
            let range = test.clampingRange.map { range in
                SyncValue.record(present: [
                    "lowerBound": range.lowerBound.map { .double($0.doubleValue(for: .decibelHearingLevel())) },
                    "upperBound": range.upperBound.map { .double($0.doubleValue(for: .decibelHearingLevel())) },
                ])
            }
            return .record(present: [
                "sensitivity": .quantity(units.parts(of: test.sensitivity)),
                "type": .integer(Int64(test.type.rawValue)), "masked": .bool(test.masked),
                "side": .integer(Int64(test.side.rawValue)), "clampingRange": range,
            ])
        }
        return .record(["frequency": frequency, "tests": .list(tests)])
    }

    // MARK: Vision

    private static func visionProperties(
        of prescription: HKVisionPrescription, _ units: inout QuantityUnits
    ) -> [String: SyncValue] {
        var values: [String: SyncValue?] = [
            "prescriptionType": .integer(Int64(prescription.prescriptionType.rawValue)),
            "expirationDate": prescription.expirationDate.map { .date(SyncDate($0)) },
        ]
        switch prescription {
        case let glasses as HKGlassesPrescription:
            values["rightEye"] = glasses.rightEye.map { lens($0, &units) }
            values["leftEye"] = glasses.leftEye.map { lens($0, &units) }
        case let contacts as HKContactsPrescription:
            values["rightEye"] = contacts.rightEye.map { lens($0, &units) }
            values["leftEye"] = contacts.leftEye.map { lens($0, &units) }
            values["brand"] = .string(contacts.brand)
        default: break
        }
        return present(values)
    }

    private static func lens(_ lens: HKLensSpecification, _ units: inout QuantityUnits) -> SyncValue {
        var quantities: [String: HKQuantity?] = [
            "sphere": lens.sphere, "cylinder": lens.cylinder, "axis": lens.axis, "addPower": lens.addPower,
        ]
        var prism: HKVisionPrism?
        switch lens {
        case let glasses as HKGlassesLensSpecification:
            quantities["vertexDistance"] = glasses.vertexDistance
            quantities["farPupillaryDistance"] = glasses.farPupillaryDistance
            quantities["nearPupillaryDistance"] = glasses.nearPupillaryDistance
            prism = glasses.prism
        case let contacts as HKContactsLensSpecification:
            quantities["baseCurve"] = contacts.baseCurve
            quantities["diameter"] = contacts.diameter
        default: break
        }
        var values: [String: SyncValue] = [:]
        for (name, quantity) in quantities {
            if let quantity { values[name] = .quantity(units.parts(of: quantity)) }
        }
        if let prism {
            values["prism"] = .record([
                "amount": .quantity(units.parts(of: prism.amount)), "angle": .quantity(units.parts(of: prism.angle)),
                "verticalAmount": .quantity(units.parts(of: prism.verticalAmount)),
                "verticalBase": .integer(Int64(prism.verticalBase.rawValue)),
                "horizontalAmount": .quantity(units.parts(of: prism.horizontalAmount)),
                "horizontalBase": .integer(Int64(prism.horizontalBase.rawValue)),
                "eye": .integer(Int64(prism.eye.rawValue)),
            ])
        }
        return .record(values)
    }

    // MARK: Health records and medications

    private static func recordProperties(of record: HKClinicalRecord) -> [String: SyncValue] {
        let resource = record.fhirResource
        return present([
            "displayName": .string(record.displayName),
            "FHIRVersion": resource.map { .string($0.fhirVersion.stringRepresentation) },
            "FHIRResourceType": resource.map { .string($0.resourceType.rawValue) },
            "FHIRIdentifier": resource.map { .string($0.identifier) }, "FHIRData": resource.map { .data($0.data) },
            "FHIRSourceURL": resource.flatMap(\.sourceURL).map { .string($0.absoluteString) },
        ])
    }

    @available(iOS 26.0, watchOS 26.0, *)
    private static func doseProperties(of dose: HKMedicationDoseEvent) -> [String: SyncValue] {
        // HealthKit has no text for the identity of a concept; its archive is the same for the same concept.
        let concept = try? NSKeyedArchiver.archivedData(
            withRootObject: dose.medicationConceptIdentifier, requiringSecureCoding: true)
        return present([
            "medicationConceptIdentifier": concept.map { .string($0.base64EncodedString()) },
            "logStatus": .integer(Int64(dose.logStatus.rawValue)),
            "scheduleType": .integer(Int64(dose.scheduleType.rawValue)),
            "scheduledDate": dose.scheduledDate.map { .date(SyncDate($0)) },
            "scheduledDoseQuantity": dose.scheduledDoseQuantity.map { .double($0) },
            "doseQuantity": dose.doseQuantity.map { .double($0) }, "unit": .string(dose.unit.unitString),
        ])
    }
}
