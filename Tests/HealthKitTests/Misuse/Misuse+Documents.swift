import Foundation

@testable import HealthKit

extension Misuse {
    /// The families whose samples are single objects, and their builders.
    static let documents: [Misuse] = [
        Misuse("DocumentSample", 1, aboutMetadata) {
            _ = HKStateOfMind(
                date: date, kind: .dailyMood, valence: 0, labels: [], associations: [], metadata: wrongMetadata)
        },
        Misuse("DocumentSample", 1, "startDate") {
            let point = try HKAudiogramSensitivityPoint(
                frequency: HKQuantity(unit: .hertz(), doubleValue: 1_000),
                leftEarSensitivity: HKQuantity(unit: .decibelHearingLevel(), doubleValue: 10), rightEarSensitivity: nil)
            _ = HKAudiogramSample(sensitivityPoints: [point], start: date, end: date - 1, metadata: nil)
        },
        Misuse("HKElectrocardiogram", 1, "An HKElectrocardiogram requires a positive sampling frequency") {
            _ = HKElectrocardiogram(recording: .init(start: date, volts: [0], frequency: 0))
        },
        Misuse("HKHeartbeatSeriesBuilder", 1, aboutMetadata) {
            try await HKHeartbeatSeriesBuilder(healthStore: FreshStore.make(), device: nil, start: date)
                .addMetadata(wrongMetadata)
        },
        Misuse("HKHeartbeatSeriesBuilder", 2, aboutMetadata) {
            HKHeartbeatSeriesBuilder(healthStore: FreshStore.make(), device: nil, start: date)
                .addMetadata(wrongMetadata) { _, _ in }
        },
        Misuse("HKScoredAssessment", 1, "HKGAD7Assessment requires 7 answers, not 1") {
            _ = HKGAD7Assessment(date: date, answers: [.notAtAll])
        },
        Misuse("HKScoredAssessment", 2, "HKPHQ9Assessment requires 9 answers, not 0") {
            _ = HKPHQ9Assessment(date: date, answers: [])
        },
        Misuse("HKStateOfMind", 1, "The valence of an HKStateOfMind must be between -1.0 and 1.0") {
            _ = HKStateOfMind(date: date, kind: .dailyMood, valence: .nan, labels: [], associations: [])
        },
        Misuse("HKAudiogramSample", 1, "An HKAudiogramSample requires a sensitivity point") {
            _ = HKAudiogramSample(sensitivityPoints: [], start: date, end: date, metadata: nil)
        },
        Misuse("HKVisionPrescription", 1, "A vision prescription requires expirationDate to be at or after dateIssued")
        {
            _ = HKVisionPrescription(
                type: .glasses, dateIssued: date, expirationDate: date - 1, device: nil, metadata: nil)
        },
        Misuse("HKVisionPrism", 1, "The amount of a lens requires unit pD, not s") {
            _ = HKVisionPrism(amount: wrongUnit, angle: HKQuantity(unit: .degreeAngle(), doubleValue: 90), eye: .left)
        },
        Misuse("HKVisionPrism", 2, "The vertical base of a prism must be none, up or down") {
            let amount = HKQuantity(unit: .prismDiopter(), doubleValue: 1)
            _ = HKVisionPrism(
                verticalAmount: amount, verticalBase: .in, horizontalAmount: amount, horizontalBase: .in, eye: .left)
        },
        Misuse("HKLensSpecification", 1, "The vertexDistance of a lens requires unit m, not s") {
            _ = HKGlassesLensSpecification(
                sphere: HKQuantity(unit: .diopter(), doubleValue: 1), cylinder: nil, axis: nil, addPower: nil,
                vertexDistance: wrongUnit, prism: nil, farPupillaryDistance: nil, nearPupillaryDistance: nil)
        },
        Misuse("HKLensSpecification", 2, "The baseCurve of a lens requires unit m, not s") {
            _ = HKContactsLensSpecification(
                sphere: HKQuantity(unit: .diopter(), doubleValue: 1), cylinder: nil, axis: nil, addPower: nil,
                baseCurve: wrongUnit, diameter: nil)
        },
        Misuse("HKQuantitySeriesSampleBuilder", 1, "HKQuantitySeriesSampleBuilder was used after it was discarded") {
            let builder = HKQuantitySeriesSampleBuilder(
                healthStore: FreshStore.make(), quantityType: FreshStore.heartRate, startDate: date, device: nil)
            builder.discard()
            try builder.insert(HKQuantity(unit: .count(), doubleValue: 1), at: date)
        },
        Misuse("HKQuantitySeriesSampleBuilder", 2, aboutMetadata) {
            _ = try await HKQuantitySeriesSampleBuilder(
                healthStore: FreshStore.make(), quantityType: FreshStore.steps, startDate: date, device: nil
            ).finishSeries(metadata: wrongMetadata)
        },
    ]
}
