import HealthEngine
import HealthModel
import Testing

/// The original's rules for constructing samples, each with its text.
struct RecordValidationTests {
    /// One sample that must be refused.
    struct Case: Sendable, CustomTestStringConvertible {
        var type: String
        var start = 0.0
        var end = 0.0
        var value = 0.0
        var unit = ""
        var metadata: [Metadata.Entry] = []
        var rule: ValidationError.Rule
        var reason: String

        var testDescription: String { reason }
    }

    static let refused = [
        Case(
            type: "HKQuantityTypeIdentifierBodyMass", value: 70, unit: "m", rule: .unit,
            reason: "HKQuantityTypeIdentifierBodyMass requires unit of type Mass. Incompatible unit: m"),
        Case(
            type: "HKQuantityTypeIdentifierBodyMass", value: 70, rule: .unit,
            reason: "HKQuantityTypeIdentifierBodyMass requires unit of type Mass. Incompatible unit: (null)"),
        Case(
            type: "HKQuantityTypeIdentifierHeartRate", value: 70, unit: "count", rule: .unit,
            reason:
                "HKQuantityTypeIdentifierHeartRate requires unit of type Count/Time. Incompatible unit: count"),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", value: 1, unit: "no unit", rule: .unit,
            reason:
                "HKQuantityTypeIdentifierStepCount requires unit of type Count. Incompatible unit: no unit"),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", start: 10, end: 9, value: 1, unit: "count",
            rule: .dates,
            reason: "Type HKQuantityTypeIdentifierStepCount requires startDate to be at or before endDate"),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", start: .nan, end: 9, value: 1, unit: "count",
            rule: .dates, reason: "Type HKQuantityTypeIdentifierStepCount requires a startDate and an endDate"),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", end: .infinity, value: 1, unit: "count",
            rule: .dates, reason: "Type HKQuantityTypeIdentifierStepCount requires a startDate and an endDate"),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", end: RecordValidation.distantFuture, value: 1,
            unit: "count", rule: .openEnd,
            reason: "Type HKSample can not have endDate of NSDate.distantFuture"),
        Case(
            type: "HKCategoryTypeIdentifierCervicalMucusQuality", rule: .categoryValue,
            reason: "Value 0 is not compatible with type HKCategoryTypeIdentifierCervicalMucusQuality"),
        Case(
            type: "HKCategoryTypeIdentifierMindfulSession", value: 1, rule: .categoryValue,
            reason: "Value 1 is not compatible with type HKCategoryTypeIdentifierMindfulSession"),
        Case(
            type: "HKCategoryTypeIdentifierSleepAnalysis", value: 6, rule: .categoryValue,
            reason: "Value 6 is not compatible with type HKCategoryTypeIdentifierSleepAnalysis"),
        Case(
            type: "HKCategoryTypeIdentifierSleepAnalysis", value: 0.5, rule: .categoryValue,
            reason: "Value 0.5 is not compatible with type HKCategoryTypeIdentifierSleepAnalysis"),
        Case(
            type: "HKCategoryTypeIdentifierMenstrualFlow", value: 2, rule: .requiredMetadata,
            reason:
                "Type HKCategoryTypeIdentifierMenstrualFlow does not have required metadata HKMenstrualCycleStart"
        ),
        Case(
            type: "HKQuantityTypeIdentifierInsulinDelivery", value: 2, unit: "IU", rule: .requiredMetadata,
            reason:
                "Type HKQuantityTypeIdentifierInsulinDelivery does not have required metadata HKInsulinDeliveryReason"
        ),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", value: 2, unit: "count",
            metadata: [.init(key: MetadataKey.syncIdentifier, value: .string("a"))], rule: .syncMetadata,
            reason: "Metadata key HKMetadataKeySyncIdentifier requires HKMetadataKeySyncVersion"),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", value: 2, unit: "count",
            metadata: [.init(key: MetadataKey.syncVersion, value: .integer(1))], rule: .syncMetadata,
            reason: "Metadata key HKMetadataKeySyncVersion requires HKMetadataKeySyncIdentifier"),
        Case(
            type: "HKQuantityTypeIdentifierStepCount", value: 2, unit: "count",
            metadata: [
                .init(key: MetadataKey.syncIdentifier, value: .string("a")),
                .init(key: MetadataKey.syncVersion, value: .string("1")),
            ], rule: .metadataValue,
            reason: "Invalid class NSString for metadata key: HKMetadataKeySyncVersion. Expected NSNumber."),
        Case(
            type: "HKCorrelationTypeIdentifierFood", value: 2, rule: .members,
            reason: "Type HKCorrelationTypeIdentifierFood does not have quantity or category samples"),
    ]

    @Test(arguments: refused)
    func refuses(_ example: Case) throws {
        let description = try #require(TypeCatalog.description(for: example.type))
        let sample = SampleRecord(
            type: description.code, start: example.start, end: example.end, value: example.value,
            unit: example.unit, metadata: Metadata(example.metadata))
        let error = #expect(throws: ValidationError.self) {
            try RecordValidation.validate(sample, description: description)
        }
        #expect(error?.rule == example.rule)
        #expect(error?.reason == example.reason)
    }

    @Test(
        arguments: [
            ("HKQuantityTypeIdentifierBodyMass", 70, "lb"), ("HKQuantityTypeIdentifierBodyMass", -1, "kg"),
            ("HKQuantityTypeIdentifierBodyMass", .nan, "g"),
            ("HKQuantityTypeIdentifierHeartRate", .infinity, "count/min"),
            ("HKQuantityTypeIdentifierOxygenSaturation", 1.5, "%"),
            ("HKQuantityTypeIdentifierDistanceWalkingRunning", 0, "mi"),
            ("HKCategoryTypeIdentifierSleepAnalysis", 5, ""), ("HKCategoryTypeIdentifierMindfulSession", 0, ""),
        ] as [(String, Double, String)])
    func acceptsTheSameValuesAsTheOriginal(_ type: String, _ value: Double, _ unit: String) throws {
        let description = try #require(TypeCatalog.description(for: type))
        // A zero-length sample is legal, and so is any length.
        for end in [10, 40_000_000] as [Double] {
            try RecordValidation.validate(
                SampleRecord(type: description.code, start: 10, end: end, value: value, unit: unit),
                description: description)
        }
    }

    @Test func unknownTypesTakeAnyUnitAndValue() throws {
        let quantity = TypeDescription(
            code: .firstUnknown, identifier: "HKQuantityTypeIdentifierNew", kind: .quantity)
        try RecordValidation.validate(
            SampleRecord(type: .firstUnknown, start: 0, end: 1, value: 1, unit: "furlong"),
            description: quantity)
        let category = TypeDescription(
            code: .firstUnknown, identifier: "HKCategoryTypeIdentifierNew", kind: .category)
        try RecordValidation.validate(
            SampleRecord(type: .firstUnknown, start: 0, end: 1, value: 99), description: category)
    }

    @Test func ongoingStatesMayStayOpen() throws {
        let description = try #require(
            TypeCatalog.description(for: "HKCategoryTypeIdentifierPregnancy"))
        try RecordValidation.validate(
            SampleRecord(
                type: description.code, start: 0, end: RecordValidation.distantFuture, value: 0),
            description: description)
    }

    @Test func correlationsNeedMembers() throws {
        let description = try #require(TypeCatalog.description(for: Names.bloodPressure))
        let error = #expect(throws: ValidationError.self) {
            try RecordValidation.validate(
                ObjectRecord(type: Names.bloodPressure, start: 0, end: 1), description: description)
        }
        #expect(error?.rule == .members)
    }

    @Test(arguments: [
        (1, 5.0, 6.0, "Only lap and segment workout events may have a duration"),
        (3, 95.0, 101.0, "Workout events must lie between the workout's start and end"),
        (4, -1.0, -1.0, "Workout events must lie between the workout's start and end"),
        (2, 5.0, 5.0, "The first workout event must not be a resume event"),
        (7, 6.0, 5.0, "Workout event must not begin after it ends"),
    ])
    func workoutEventsFollowTheRules(_ type: Int, _ start: Double, _ end: Double, _ reason: String) throws {
        let description = try #require(TypeCatalog.description(for: Names.workout))
        var body = WorkoutBody(activityType: 37, duration: 100)
        body.events = [WorkoutBody.Event(type: type, start: start, end: end)]
        let workout = ObjectRecord(type: Names.workout, start: 0, end: 100, body: .workout(body))
        let error = #expect(throws: ValidationError.self) {
            try RecordValidation.validate(workout, description: description)
        }
        #expect(error?.reason == reason)
        body.events = [
            WorkoutBody.Event(type: 1, start: 5, end: 5), WorkoutBody.Event(type: 2, start: 6, end: 6),
            WorkoutBody.Event(type: 7, start: 0, end: 100),
        ]
        try RecordValidation.validate(
            ObjectRecord(type: Names.workout, start: 0, end: 100, body: .workout(body)),
            description: description)
    }

    @Test func descriptionsContainNoValues() {
        let error = ValidationError(.categoryValue, reason: "Value 4 is not compatible with type X")
        #expect(!"\(error)".contains("4"))
    }
}
