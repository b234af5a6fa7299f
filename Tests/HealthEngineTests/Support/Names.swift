import HealthEngine
import HealthModel

/// Types and callers that tests use, by short names.
enum Names {
    static let steps = type("HKQuantityTypeIdentifierStepCount")
    static let energy = type("HKQuantityTypeIdentifierActiveEnergyBurned")
    static let exercise = type("HKQuantityTypeIdentifierAppleExerciseTime")
    static let mass = type("HKQuantityTypeIdentifierBodyMass")
    static let temperature = type("HKQuantityTypeIdentifierBodyTemperature")
    static let heartRate = type("HKQuantityTypeIdentifierHeartRate")
    static let noise = type("HKQuantityTypeIdentifierEnvironmentalAudioExposure")
    static let systolic = type("HKQuantityTypeIdentifierBloodPressureSystolic")
    static let diastolic = type("HKQuantityTypeIdentifierBloodPressureDiastolic")
    static let sleep = type("HKCategoryTypeIdentifierSleepAnalysis")
    static let standHour = type("HKCategoryTypeIdentifierAppleStandHour")
    static let bloodPressure = type("HKCorrelationTypeIdentifierBloodPressure")
    static let workout = type("HKWorkoutTypeIdentifier")
    static let summary = type("HKActivitySummaryTypeIdentifier")

    static let watch = caller("com.apple.health.watch", "Watch", product: "Watch6,7")
    static let phone = caller("com.apple.health.phone", "iPhone", product: "iPhone14,5")
    static let journal = caller("org.example.journal", "Journal")
    static let tracker = caller("org.example.tracker", "Tracker")

    static func type(_ identifier: String) -> TypeCode {
        guard let type = TypeCatalog.description(for: identifier) else { fatalError(identifier) }
        return type.code
    }

    static func caller(
        _ bundleIdentifier: String, _ name: String, product: String? = nil, version: String = "1.0",
        permission: Caller.Permission = .allowAll
    ) -> Caller {
        Caller(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: bundleIdentifier, name: name), version: version,
                productType: product),
            permission: permission)
    }
}

extension SampleRecord {
    /// A quantity sample in few words.
    static func quantity(
        _ type: TypeCode, _ value: Double, _ unit: String, from start: Double, to end: Double? = nil,
        metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(
            type: type, start: start, end: end ?? start, value: value, unit: unit, metadata: metadata)
    }
}

extension Metadata {
    static let byHand = Metadata([.init(key: MetadataKey.wasUserEntered, value: .bool(true))])
}
