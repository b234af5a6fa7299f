@testable import HealthImport
import HealthModel
import Testing

@testable import HealthEngine

/// The valid values of predefined metadata keys.
@Suite struct MetadataRulesTests {
    private func validate(_ key: String, _ value: MetadataValue) throws {
        try MetadataRules.validate(Metadata([.init(key: key, value: value)]), unit: "m")
    }

    @Test(arguments: [
        ("HKWasUserEntered", MetadataValue.string("yes"), "NSString", "NSNumber"),
        ("HKTimeZone", .integer(1), "NSNumber", "NSString"),
        ("HKDateOfEarliestDataUsedForEstimate", .string("2024-01-01"), "NSString", "NSDate"),
        ("HKWeatherTemperature", .double(20), "NSNumber", "HKQuantity"),
        ("HKSwimmingStrokeStyle", .date(0), "NSDate", "NSNumber"),
        ("HKActivityType", .quantity(1, unit: "count"), "HKQuantity", "NSNumber"),
        ("HKMetadataKeySyncIdentifier", .double(1), "NSNumber", "NSString"),
    ])
    func aWrongClassIsRefused(_ key: String, _ value: MetadataValue, _ found: String, _ expected: String) {
        let error = #expect(throws: ValidationError.self) { try validate(key, value) }
        #expect(error?.rule == .metadataValue)
        #expect(error?.reason == "Invalid class \(found) for metadata key: \(key). Expected \(expected).")
    }

    @Test(arguments: [
        ("HKSwimmingStrokeStyle", MetadataValue.integer(7), "HKSwimmingStrokeStyle"),
        ("HKSwimmingStrokeStyle", .double(1.5), "HKSwimmingStrokeStyle"),
        ("HKInsulinDeliveryReason", .integer(0), "HKInsulinDeliveryReason"),
        ("HKActivityType", .integer(81), "HKWorkoutActivityType"),
        ("HKActivityType", .integer(-1), "HKWorkoutActivityType"),
    ])
    func aRawValueOutsideTheEnumerationIsRefused(_ key: String, _ value: MetadataValue, _ enumeration: String) {
        let error = #expect(throws: ValidationError.self) { try validate(key, value) }
        #expect(error?.reason == "Invalid value for metadata key: \(key). Expected a value of \(enumeration).")
    }

    @Test(arguments: [
        ("HKElevationAscended", "s", "m"), ("HKWeatherTemperature", "%", "degC"),
        ("HKAverageMETs", "kcal", "kcal/hr·kg"),
        ("HKVO2MaxValue", "mL", "mL/min·kg"), ("HKMetadataKeyBarometricPressure", "m", "Pa"),
        ("HKLapLength", "not a unit", "m"), ("HKMetadataKeySessionEstimate", "kg", "m"),
        ("HKMetadataKeyAudioExposureLevel", "dBHL", "dBASPL"), ("HKMetadataKeyMaximumLightIntensity", "m", "lx"),
        ("HKMaximumSpeed", "m", "m/s"), ("HKFitnessMachineDuration", "count", "s"),
        ("HKHeartRateEventThreshold", "count", "count/min"), ("HKWeatherHumidity", "m", "%"),
    ])
    func aUnitThatDoesNotFitIsRefused(_ key: String, _ unit: String, _ expected: String) {
        let error = #expect(throws: ValidationError.self) { try validate(key, .quantity(5, unit: unit)) }
        #expect(error?.rule == .metadataValue)
        #expect(
            error?.reason
                == "Incompatible unit for metadata key: \(key). Expected a unit compatible with \(expected).")
    }

    @Test(arguments: [
        ("HKElevationAscended", MetadataValue.quantity(5, unit: "cm")),
        ("HKElevationAscended", .quantity(5, unit: "ft")),
        ("HKWeatherTemperature", .quantity(5, unit: "degF")), ("HKAverageMETs", .quantity(5, unit: "kcal/(kg*hr)")),
        ("HKMetadataKeyBarometricPressure", .quantity(5, unit: "mmHg")),
        ("HKMetadataKeySessionEstimate", .quantity(5, unit: "km")), ("HKMaximumSpeed", .quantity(5, unit: "mi/hr")),
        ("HKWeatherHumidity", .quantity(5, unit: "%")),
        ("HKWasUserEntered", MetadataValue.bool(true)), ("HKWasUserEntered", .integer(1)),
        ("HKSwimmingStrokeStyle", .integer(6)), ("HKActivityType", .integer(3000)), ("HKSWOLFScore", .double(80.5)),
        ("HKWeatherHumidity", .quantity(0.5, unit: "%")), ("HKTimeZone", .string("Europe/Berlin")),
        ("HKMetadataKeyHeadphoneGain", .string("unknown kind")), ("com.example.key", .date(0)),
    ])
    func validValuesAndOtherKeysAreAccepted(_ key: String, _ value: MetadataValue) throws {
        try validate(key, value)
    }

    @Test func samplesAreValidatedWithTheirMetadata() throws {
        let steps = try #require(TypeCatalog.description(for: Names.steps))
        let sample = SampleRecord(
            type: Names.steps, start: 0, end: 1, value: 1, unit: "count",
            metadata: Metadata([.init(key: "HKWasUserEntered", value: .string("1"))]))
        #expect(throws: ValidationError.self) { try RecordValidation.validate(sample, description: steps) }
    }

    @Test func anImportKeepsWhatAnArchiveContains() throws {
        let store = try TestStore()
        let phone = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "archive.Phone", name: "Phone"))
        let odd = Metadata([
            .init(key: "HKWasUserEntered", value: .string("maybe")),
            .init(key: "HKSwimmingStrokeStyle", value: .integer(99)),
        ])
        let sample = SampleRecord(
            type: Names.steps, start: 0, end: 60, value: 10, unit: "count", revision: phone, metadata: odd, creation: 90
        )
        let outcome = try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch([sample]))
        #expect(outcome.added.values.reduce(0, +) == 1)
        #expect(try StoredSamples(store.engine)[Names.steps].map(\.metadata) == [odd])
    }
}
