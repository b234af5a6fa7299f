import Foundation
import HealthModel

@testable import HealthKit

/// One object of each family that keeps its facts in a document, and the parts that are objects themselves.
enum ObjectFamilies {
    static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)

    static func quantity(_ value: Double, _ unit: String) -> HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }

    static func electrocardiogram(
        at offset: TimeInterval = 0, _ classification: HKElectrocardiogram.Classification = .sinusRhythm,
        symptoms: HKElectrocardiogram.SymptomsStatus = .none
    ) -> HKElectrocardiogram {
        HKElectrocardiogram(
            recording: .init(
                start: start + offset, volts: [0.000_1, -0.000_25, 0.001], frequency: 2,
                classification: classification, symptomsStatus: symptoms, averageHeartRate: 61),
            device: .local(), metadata: ["HKMetadataKeyAppleECGAlgorithmVersion": 2])
    }

    static func heartbeats() -> HKHeartbeatSeriesSample {
        HKHeartbeatSeriesSample(
            SampleBase(
                identity: UUID(), context: ObjectContext(type: HKSeriesType.heartbeat()),
                start: start.timeIntervalSinceReferenceDate, end: start.timeIntervalSinceReferenceDate + 2),
            fields: .init(offsets: [0.5, 1.25, 2], gaps: [0, 0, 1]))
    }

    static func points() throws -> [HKAudiogramSensitivityPoint] {
        [
            try HKAudiogramSensitivityPoint(
                frequency: quantity(1, "kHz"), leftEarSensitivity: quantity(20, "dBHL"),
                rightEarSensitivity: nil),
            try HKAudiogramSensitivityPoint(
                frequency: quantity(250, "Hz"),
                tests: [
                    HKAudiogramSensitivityTest(
                        sensitivity: quantity(-5, "dBHL"), type: .air, masked: true, side: .right,
                        clampingRange: HKAudiogramSensitivityPointClampingRange(lowerBound: -5, upperBound: 90))
                ]),
        ]
    }

    static func audiogram() throws -> HKAudiogramSample {
        HKAudiogramSample(
            sensitivityPoints: try points(), start: start, end: start + 300, metadata: ["HKTimeZone": "UTC"])
    }

    static func glassesLens() -> HKGlassesLensSpecification {
        HKGlassesLensSpecification(
            sphere: quantity(-2.25, "D"), cylinder: quantity(-0.5, "D"), axis: quantity(90, "deg"),
            addPower: nil, vertexDistance: quantity(12, "mm"),
            prism: HKVisionPrism(amount: quantity(2, "pD"), angle: quantity(90, "deg"), eye: .right),
            farPupillaryDistance: quantity(31, "mm"), nearPupillaryDistance: nil)
    }

    static func contactsLens() -> HKContactsLensSpecification {
        HKContactsLensSpecification(
            sphere: quantity(-2, "D"), cylinder: nil, axis: nil, addPower: quantity(1, "D"),
            baseCurve: quantity(8.6, "mm"), diameter: quantity(14.2, "mm"))
    }

    static func glasses() -> HKGlassesPrescription {
        HKGlassesPrescription(
            rightEyeSpecification: glassesLens(), leftEyeSpecification: nil, dateIssued: start,
            expirationDate: start + 86_400 * 365, device: nil, metadata: nil)
    }

    static func contacts() -> HKContactsPrescription {
        HKContactsPrescription(
            rightEyeSpecification: nil, leftEyeSpecification: contactsLens(), brand: "Acme", dateIssued: start,
            expirationDate: nil, device: nil, metadata: nil)
    }

    static func stateOfMind() -> HKStateOfMind {
        HKStateOfMind(
            date: start, kind: .dailyMood, valence: 0.5, labels: [.calm, .happy], associations: [.family])
    }

    static func gad7() -> HKGAD7Assessment {
        HKGAD7Assessment(
            date: start,
            answers: [
                .notAtAll, .severalDays, .moreThanHalfTheDays, .nearlyEveryDay, .notAtAll, .severalDays,
                .nearlyEveryDay,
            ])
    }

    static func phq9() -> HKPHQ9Assessment {
        HKPHQ9Assessment(
            date: start, answers: Array(repeating: .nearlyEveryDay, count: 8) + [.preferNotToAnswer])
    }

    /// The samples, each of another class.
    static func samples() throws -> [HKSample] {
        [
            electrocardiogram(), heartbeats(), try audiogram(), glasses(), contacts(), stateOfMind(), gad7(),
            phq9(),
        ]
    }

    /// The parts that are archived by themselves.
    static func parts() throws -> [NSObject] {
        let points = try points()
        let test = points[1].tests[0]
        return [points[0], test, glassesLens(), contactsLens()]
            + [test.clampingRange, glassesLens().prism].compactMap { $0 }
    }

    /// Asks an object for all it has, so that a trap would show.
    static func use(_ object: NSObject) {
        _ = [object.description, "\(object.hash)"]
        switch object {
        case let sample as HKElectrocardiogram:
            for measurement in sample.measurements {
                _ = measurement.quantity(for: .appleWatchSimilarToLeadI)
            }
            _ = (sample.averageHeartRate, sample.samplingFrequency, sample.classification, sample.symptomsStatus)
        case let sample as HKHeartbeatSeriesSample: _ = sample.heartbeats
        case let sample as HKAudiogramSample: sample.sensitivityPoints.forEach(use)
        case let point as HKAudiogramSensitivityPoint:
            _ = (point.leftEarSensitivity, point.rightEarSensitivity)
            point.tests.forEach(use)
        case let test as HKAudiogramSensitivityTest: _ = (test.clampingRange, test.type)
        case let sample as HKGlassesPrescription:
            [sample.rightEye, sample.leftEye].compactMap { $0 }.forEach(use)
            _ = (sample.expirationDate, sample.prescriptionType)
        case let sample as HKContactsPrescription:
            _ = ([sample.rightEye, sample.leftEye], sample.brand, sample.prescriptionType)
        case let lens as HKGlassesLensSpecification: _ = (lens.prism, lens.farPupillaryDistance)
        case let sample as HKStateOfMind:
            _ = (sample.valenceClassification, sample.labels, sample.associations, sample.kind)
        case let sample as HKGAD7Assessment: _ = (sample.answers, sample.risk)
        case let sample as HKPHQ9Assessment: _ = (sample.answers, sample.risk)
        default: break
        }
    }
}
