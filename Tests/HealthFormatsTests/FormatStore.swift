import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import StorageContract

/// A store with objects of every kind, and a folder for exports of it.
final class FormatStore {
    let engine: HealthEngine
    let folder: URL

    static let owner = Caller(
        revision: SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.example.journal", name: "Journal, \"the\" 🍎")),
        permission: .owner)

    static func type(_ identifier: String) -> TypeCode {
        guard let type = TypeCatalog.description(for: identifier) else { fatalError(identifier) }
        return type.code
    }

    static func quantity(_ name: String) -> TypeCode { type("HKQuantityTypeIdentifier" + name) }

    init(seed: UInt64 = 9, count: Int = 200) throws {
        engine = try HealthEngine(
            storage: StorageProviders.shared.openInMemory(),
            configuration: EngineConfiguration(pageCapacity: 40, now: { 0 }))
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("formats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var samples = SeededSamples(seed: seed)
        for type in [
            Self.quantity("StepCount"), Self.quantity("HeartRate"), Self.type("HKCategoryTypeIdentifierSleepAnalysis"),
        ] {
            try engine.save(samples.records(of: type, count: count).map { .sample($0) }, as: Self.owner)
        }
        try engine.save(Self.objects(), as: Self.owner)
        try engine.profile.update { profile in
            profile.biologicalSex = 1
            profile.dateOfBirth = Profile.Day(year: 1987, month: 5, day: 4)
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Returns the names of all files in the folder, including hidden ones.
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private static func objects() -> [SaveItem] {
        let start = 700_000_000.0
        func sample(_ name: String, _ value: Double, _ unit: String) -> SampleRecord {
            SampleRecord(type: quantity(name), start: start, end: start, value: value, unit: unit)
        }
        var workout = WorkoutBody(activityType: 37, duration: 1_700, totalDistance: QuantityRecord(5, unit: "km"))
        workout.events = [WorkoutBody.Event(type: 3, start: start, end: start + 10)]
        return [
            .sample(sample("OxygenSaturation", 0.97, "%")), .sample(sample("BodyMassIndex", 22.5, "count")),
            .sample(sample("BloodGlucose", 5.5, "mmol<180.1558800000541>/L")),
            .sample(sample("BodyTemperature", 98.6, "degF")), .sample(sample("VO2Max", 41, "mL/min·kg")),
            .object(
                ObjectRecord(
                    type: type("HKWorkoutTypeIdentifier"), start: start, end: start + 1_800, body: .workout(workout))),
            .object(
                ObjectRecord(
                    type: type("HKCorrelationTypeIdentifierBloodPressure"), start: start, end: start,
                    members: [
                        sample("BloodPressureSystolic", 121, "mmHg"), sample("BloodPressureDiastolic", 79, "mmHg"),
                    ])),
            .object(
                ObjectRecord(
                    type: type("HKDataTypeIdentifierElectrocardiogram"), start: start, end: start + 1,
                    body: .document(
                        DocumentBody(
                            fields: [
                                "classification": .integer(1),
                                "averageHeartRate": .quantity(QuantityRecord(61, unit: "count/min")),
                            ],
                            series: ["times": [0, 0.002, 0.004], "voltages.1": [0.000_25, .nan, -0.000_1]])))),
            .object(clinical("4.0.1", "{\"resourceType\":\"Observation\",\"id\":\"a\"}")),
            .object(clinical("1.0.2", "{\"resourceType\":\"Condition\",\"id\":\"b\"}")),
        ]
    }

    private static func clinical(_ version: String, _ resource: String) -> ObjectRecord {
        ObjectRecord(
            type: type("HKClinicalTypeIdentifierLabResultRecord"), start: 700_000_000, end: 700_000_000,
            body: .document(
                DocumentBody(fields: [
                    "displayName": .string("Lab"), "FHIRVersion": .string(version),
                    "FHIRData": .data(Array(resource.utf8)),
                ])))
    }
}
