import CoreLocation
import Foundation
import HealthKit
import UniformTypeIdentifiers

@testable import HealthTesting

/// A store with at least one object of every class, with fractions of a second, metadata of every kind, members, series
/// and files.
enum EveryClass {
    static let start = TestClock.start.addingTimeInterval(0.123_456)

    static func fill(_ health: TestHealthStore) async throws {
        let store = health.store
        try await samples(store)
        try await workout(store)
        try documents(health)
        try await series(store)
        let recording = HKElectrocardiogram.testing(
            volts: (0..<600).map { sin(Double($0) / 20) / 1_000 }, start: start + 70, symptomsStatus: .present,
            averageHeartRate: 61.5, metadata: ["HKMetadataKeyAppleECGAlgorithmVersion": 2])
        let second = HKElectrocardiogram.testing(
            volts: [0.000_1, 0.000_2], start: start - 86_400, metadata: [HKMetadataKeyTimeZone: "UTC"])
        try health.plant([recording, second])
        let symptom = HKCategorySample(
            type: HKCategoryType(.dizziness), value: HKCategoryValueSeverity.mild.rawValue, start: start + 60,
            end: start + 80)
        try await health.plant(symptoms: [symptom], of: recording)
        let medication = HKUserAnnotatedMedication.testing("Aspirin", nickname: "the white one", hasSchedule: true)
        try health.plant([medication])
        try health.plant([
            HKMedicationDoseEvent.testing(of: medication, date: start, scheduledDate: start - 60, scheduledDose: 1)
        ])
        try health.plant([
            .testing(
                DateComponents(year: 2024, month: 2, day: 29), activeEnergy: (420.5, goal: 500),
                exercise: (20, goal: 30), standHours: (9, goal: 12))
        ])
    }

    private static func quantity(_ value: Double, _ unit: String) -> HKQuantity {
        HKQuantity(unit: HKUnit(from: unit), doubleValue: value)
    }

    private static func samples(_ store: HKHealthStore) async throws {
        let metadata: [String: Any] = [
            HKMetadataKeyTimeZone: "Europe/Berlin", "flag": true, "count": 7, "number": 1.5, "text": "007",
            "date": start, "temperature": quantity(21.5, "degC"), "bell\u{7}": "\u{1}",
        ]
        let device = HKDevice(
            name: "Scale, left", manufacturer: "Acme", model: "S", hardwareVersion: nil, firmwareVersion: "1",
            softwareVersion: nil, localIdentifier: "here", udiDeviceIdentifier: "(01)2")
        let mass = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: quantity(70.25, "kg"), start: start, end: start, device: device,
            metadata: metadata)
        let whole = HKQuantitySample(
            type: HKQuantityType(.stepCount), quantity: quantity(12, "count"), start: TestClock.start,
            end: TestClock.start + 60)
        let pressure = HKCorrelation(
            type: HKCorrelationType(.bloodPressure), start: start, end: start,
            objects: [
                HKQuantitySample(
                    type: HKQuantityType(.bloodPressureSystolic), quantity: quantity(121, "mmHg"), start: start,
                    end: start),
                HKQuantitySample(
                    type: HKQuantityType(.bloodPressureDiastolic), quantity: quantity(79, "mmHg"), start: start,
                    end: start),
            ], metadata: ["cuff": "left"])
        let sleep = HKCategorySample(
            type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepREM.rawValue,
            start: start - 3_600, end: start)
        try await store.save([mass, whole, pressure, sleep])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("every-\(UUID().uuidString)")
        try Data((0..<300_000).map { UInt8($0 % 251) }).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let attachments = HKAttachmentStore(healthStore: store)
        _ = try await attachments.addAttachment(
            to: mass, name: "scan.pdf", contentType: .pdf, url: file, metadata: ["page": 2])
        let glasses = HKGlassesPrescription(
            rightEyeSpecification: HKGlassesLensSpecification(
                sphere: quantity(-2.25, "D"), cylinder: nil, axis: nil, addPower: nil,
                vertexDistance: quantity(12, "mm"), prism: nil,
                farPupillaryDistance: nil, nearPupillaryDistance: nil),
            leftEyeSpecification: nil, dateIssued: start, expirationDate: start + 86_400, device: nil, metadata: nil)
        let contacts = HKContactsPrescription(
            rightEyeSpecification: nil,
            leftEyeSpecification: HKContactsLensSpecification(
                sphere: quantity(-2, "D"), cylinder: nil, axis: nil, addPower: quantity(1, "D"),
                baseCurve: quantity(8.6, "mm"),
                diameter: quantity(14.2, "mm")),
            brand: "Acme", dateIssued: start, expirationDate: nil, device: nil, metadata: nil)
        try await store.save([glasses, contacts])
        _ = try await attachments.addAttachment(
            to: glasses, name: "empty.png", contentType: .png, url: try empty(), metadata: [:])
    }

    private static func empty() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("every-\(UUID().uuidString)")
        try Data().write(to: url)
        return url
    }

    private static func workout(_ store: HKHealthStore) async throws {
        let workout = HKWorkout(
            activityType: .running, start: start, end: start + 600,
            workoutEvents: [
                HKWorkoutEvent(
                    type: .lap, dateInterval: DateInterval(start: start + 10.5, duration: 100.25), metadata: ["lap": 1])
            ],
            totalEnergyBurned: quantity(55.5, "kcal"), totalDistance: quantity(2.1, "km"),
            metadata: [HKMetadataKeyIndoorWorkout: false])
        try await store.save(workout)
        let beats = (0..<50).map { index in
            HKQuantitySample(
                type: HKQuantityType(.heartRate), quantity: quantity(100 + Double(index), "count/min"),
                start: start + Double(index) * 2, end: start + Double(index) * 2)
        }
        try await store.addSamples(beats, to: workout)
        let builder = HKWorkoutRouteBuilder(healthStore: store, device: .local())
        try await builder.insertRouteData(
            (0..<30).map { index in
                CLLocation(
                    coordinate: CLLocationCoordinate2D(latitude: 48 + Double(index) * 1e-5, longitude: 11.5),
                    altitude: 500.125,
                    horizontalAccuracy: 5, verticalAccuracy: 3, course: 359.5, courseAccuracy: 2, speed: 1.1,
                    speedAccuracy: 0.5,
                    timestamp: start + Double(index) + 0.25)
            })
        _ = try await builder.finishRoute(with: workout, metadata: ["shoes": "red"])
    }

    private static func documents(_ health: TestHealthStore) throws {
        let type = HKClinicalType(.allergyRecord)
        let resource = HKFHIRResource.testing(.allergyIntolerance, identifier: "1", json: #"{"id":"1"}"#)
        try health.plant([
            HKClinicalRecord.testing(type, displayName: "Nuts", date: start, resource: resource),
            HKVerifiableClinicalRecord.testing(
                recordTypes: ["https://smarthealth.cards#health-card", "https://smarthealth.cards#immunization"],
                itemNames: ["First"], representation: "header.payload.signature", date: start,
                relevantDate: start - 60, fullName: "John Anyperson",
                birth: DateComponents(year: 1951, month: 1, day: 20)),
            try HKCDADocumentSample(
                data: Data("<ClinicalDocument xmlns=\"urn:hl7-org:v3\"><title>Stay</title></ClinicalDocument>".utf8),
                start: start,
                end: start, metadata: ["a": 1]),
            HKStateOfMind(
                date: start, kind: .dailyMood, valence: 0.5, labels: [.calm, .happy], associations: [.family]),
            HKGAD7Assessment(date: start, answers: Array(repeating: .severalDays, count: 7)),
            HKPHQ9Assessment(date: start, answers: Array(repeating: .nearlyEveryDay, count: 8) + [.preferNotToAnswer]),
            HKAudiogramSample(
                sensitivityPoints: [
                    try HKAudiogramSensitivityPoint(
                        frequency: quantity(1, "kHz"), leftEarSensitivity: quantity(20, "dBHL"),
                        rightEarSensitivity: nil)
                ], start: start, end: start + 300, metadata: [HKMetadataKeyTimeZone: "UTC"]),
        ])
    }

    private static func series(_ store: HKHealthStore) async throws {
        let beats = HKHeartbeatSeriesBuilder(healthStore: store, device: .local(), start: start)
        for index in 1...20 { try await beats.addHeartbeat(at: Double(index) * 0.812_5, precededByGap: index == 7) }
        let series = try await beats.finishSeries()
        // iOS writes beats inside the heart-rate variability they belong to.
        let variability = HKQuantitySample(
            type: HKQuantityType(.heartRateVariabilitySDNN), quantity: quantity(41.5, "ms"), start: series.startDate,
            end: series.endDate, device: .local(), metadata: nil)
        try await store.save(variability)
        let alone = HKHeartbeatSeriesBuilder(healthStore: store, device: nil, start: start + 9_000)
        try await alone.addHeartbeat(at: 1, precededByGap: false)
        _ = try await alone.finishSeries()
        let steps = HKQuantitySeriesSampleBuilder(
            healthStore: store, quantityType: HKQuantityType(.stepCount), startDate: start + 10_000, device: .local())
        for index in 0..<40 {
            try steps.insert(
                quantity(Double(index) + 0.5, "count"),
                for: DateInterval(start: start + 10_000 + Double(index) * 60, duration: 59.5))
        }
        _ = try await steps.finishSeries(metadata: ["n": 1])
    }
}
