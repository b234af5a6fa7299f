import Foundation
import HealthEngine
import HealthModel

@testable import HealthServer

/// A store with one of each kind of observation.
enum FHIRStore {
    static let start = IngestFixture.instant("2026-02-06 08:00:00 +0000")

    static func code(_ identifier: String) -> TypeCode {
        TypeCatalog.description(for: identifier)?.code ?? TypeCode(rawValue: 0)
    }

    static func sample(_ name: String, _ value: Double, _ unit: String, at start: Double, lasting seconds: Double = 0)
        -> SampleRecord
    {
        SampleRecord(
            type: code("HKQuantityTypeIdentifier" + name), start: start, end: start + seconds, value: value, unit: unit,
            metadata: Metadata([.init(key: "HKWasUserEntered", value: .bool(true))]))
    }

    /// Fills the store of a person: 25 heart rates, one a minute, and one of each other kind.
    static func fill(_ engine: HealthEngine) throws {
        var items: [SaveItem] = (0..<25).map {
            .sample(sample("HeartRate", 60 + Double($0), "count/min", at: start + Double($0) * 60))
        }
        items.append(.sample(sample("StepCount", 120, "count", at: start, lasting: 600)))
        items.append(.sample(sample("BodyMass", 70.5, "kg", at: start)))
        items.append(.sample(sample("OxygenSaturation", 0.97, "%", at: start)))
        items.append(.sample(sample("BloodGlucose", 95, "mg/dL", at: start)))
        items.append(.sample(sample("BodyMassIndex", .nan, "count", at: start)))
        items.append(
            .sample(
                SampleRecord(
                    type: code("HKCategoryTypeIdentifierSleepAnalysis"), start: start - 3_600, end: start, value: 4)))
        items.append(
            .object(
                ObjectRecord(
                    type: code("HKCorrelationTypeIdentifierBloodPressure"), start: start, end: start,
                    members: [
                        sample("BloodPressureSystolic", 121, "mmHg", at: start),
                        sample("BloodPressureDiastolic", 79, "mmHg", at: start),
                    ])))
        var workout = WorkoutBody(activityType: 37, duration: 1_800)
        workout.totalDistance = QuantityRecord(5.2, unit: "km")
        workout.totalEnergyBurned = QuantityRecord(310, unit: "kcal")
        items.append(
            .object(
                ObjectRecord(
                    type: code("HKWorkoutTypeIdentifier"), start: start, end: start + 1_800, body: .workout(workout))))
        var recording = DocumentBody()
        recording[ElectrocardiogramDocument.classification] = .integer(1)
        recording[ElectrocardiogramDocument.symptomsStatus] = .integer(0)
        recording[ElectrocardiogramDocument.averageHeartRate] = .quantity(QuantityRecord(62, unit: "count/min"))
        recording.series[ElectrocardiogramDocument.times] = [0, 0.002, 0.004]
        recording.series[ElectrocardiogramDocument.voltages(lead: 1)] = [1e-5, 2e-5, .nan]
        items.append(
            .object(
                ObjectRecord(
                    type: code("HKDataTypeIdentifierElectrocardiogram"), start: start, end: start + 30,
                    body: .document(recording))))
        try engine.save(items, as: .person)
        try engine.profile.update { profile in
            profile.dateOfBirth = Profile.Day(year: 1990, month: 2, day: 3)
            profile.biologicalSex = 1
        }
    }
}
