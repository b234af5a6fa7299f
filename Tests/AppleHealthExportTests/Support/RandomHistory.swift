import Foundation
import HealthEngine
import HealthModel
import HealthTesting

/// Fills a store with whatever an application may save: samples of every type, values and dates of every
/// size, all kinds of metadata and devices, correlations, workouts with everything.
struct RandomHistory {
    private var random: SplitMix64
    private let callers: [Caller]

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        callers = [
            ("com.example.tracker", "Tracker", "1.2"), ("org.example.scale", "Waage “Größe” <&>", nil),
            ("com.apple.health.X", "Jo’s Apple\u{A0}Watch", "11.0"), ("a", "a", ""),
        ].map { bundle, name, version in
            Caller(
                revision: SourceRevisionRecord(
                    source: SourceRecord(bundleIdentifier: bundle, name: name), version: version),
                permission: .allowAll)
        }
    }

    mutating func fill(_ engine: HealthEngine, samples: Int) throws {
        let types = TypeCatalog.all.filter { $0.kind.isPaged }
        for caller in callers {
            var items: [SaveItem] = []
            for _ in 0..<samples / callers.count {
                items.append(.sample(sample(of: types.randomElement(using: &random)!)))
            }
            for _ in 0..<samples / 40 { items.append(.object(correlation())) }
            for _ in 0..<samples / 40 { items.append(.object(workout())) }
            try engine.save(items, as: caller)
        }
        try engine.profile.update { profile in
            profile.dateOfBirth = .init(year: 1985, month: 3, day: 12)
            profile.biologicalSex = 2
            profile.bloodType = 5
            profile.wheelchairUse = 1
            profile.activityMoveMode = 2
            profile.cardioFitnessMedicationsUse = 3
        }
    }

    private mutating func instant() -> Double {
        let range = Double.random(in: 4e8...8e8, using: &random)
        return Bool.random(using: &random) ? range.rounded(.down) : range
    }

    private mutating func sample(of type: TypeDescription, start: Double? = nil) -> SampleRecord {
        let start = start ?? instant()
        // A state is saved at an instant.
        let isInstant = type.identifier == "HKCategoryTypeIdentifierMenopausalState"
        let length = isInstant ? 0 : [0, 0, 1, 60, 3_600.5, 86_400].randomElement(using: &random)!
        var record = SampleRecord(
            type: type.code, start: start, end: start + length, value: 0, device: device(), metadata: metadata(type))
        if type.kind == .quantity {
            record.unit = type.canonicalUnit ?? "count"
            record.value =
                [
                    Double(Int.random(in: 0...500, using: &random)), Double.random(in: -10...1e4, using: &random),
                    Double.random(in: 0...1, using: &random) * 1e-7, 1e22, -0.0, 1e300,
                ].randomElement(using: &random)!
        } else {
            record.value = Double(Int.random(in: type.categoryValues ?? 0...0, using: &random))
        }
        return record
    }

    private mutating func device() -> DeviceRecord? {
        [
            nil,
            DeviceRecord(
                name: "Apple Watch", manufacturer: "Apple Inc.", model: "Watch", hardwareVersion: "Watch6,7",
                softwareVersion: "11.0.1"),
            DeviceRecord(
                name: "Scale, the big one", firmwareVersion: "1", localIdentifier: "#<17>", udiDeviceIdentifier: "u"),
            DeviceRecord(manufacturer: "W & Söhne \"GmbH\""),
        ].randomElement(using: &random)!
    }

    private mutating func metadata(_ type: TypeDescription?) -> Metadata {
        var entries: [Metadata.Entry] = []
        switch type?.identifier {
        case "HKCategoryTypeIdentifierMenstrualFlow":
            entries.append(.init(key: MetadataKey.menstrualCycleStart, value: .bool(true)))
        case "HKQuantityTypeIdentifierInsulinDelivery":
            entries.append(.init(key: MetadataKey.insulinDeliveryReason, value: .integer(2)))
        default: break
        }
        let more: [Metadata.Entry] = [
            .init(key: "HKWasUserEntered", value: .bool(true)),
            .init(key: "HKTimeZone", value: .string("Europe/Berlin")),
            .init(key: "HKWeatherHumidity", value: .quantity(0.07, unit: "%")),
            .init(key: "HKElevationAscended", value: .quantity(418.25, unit: "cm")),
            .init(key: "note", value: .string("two\nlines \"and\" <more>\t& 007")),
            .init(key: "number", value: .double(0.1)),
            .init(key: "count", value: .integer(-12)), .init(key: "when", value: .date(712_345_678.25)),
            .init(key: "share", value: .quantity(Double.random(in: 0...1, using: &random), unit: "%")),
            .init(key: "clé d’ami 🔑", value: .string("")),
        ]
        for entry in more where Int.random(in: 0..<12, using: &random) == 0 { entries.append(entry) }
        return Metadata(entries)
    }

    private mutating func correlation() -> ObjectRecord {
        let start = instant()
        func type(_ name: String) -> TypeDescription { TypeCatalog.description(for: name)! }
        let isFood = Bool.random(using: &random)
        let names =
            isFood
            ? ["DietaryProtein", "DietaryEnergyConsumed", "DietaryFatTotal"]
            : ["BloodPressureSystolic", "BloodPressureDiastolic"]
        var object = ObjectRecord(
            type: type("HKCorrelationTypeIdentifier" + (isFood ? "Food" : "BloodPressure")).code, start: start,
            end: start + 2, device: device(), metadata: metadata(nil))
        object.members = names.map { sample(of: type("HKQuantityTypeIdentifier" + $0), start: start) }
        return object
    }

    private mutating func workout() -> ObjectRecord {
        let start = instant()
        let end = start + Double.random(in: 600...7_200, using: &random)
        let statistics = [
            WorkoutBody.Statistics(
                type: "HKQuantityTypeIdentifierActiveEnergyBurned", start: start, end: end, unit: "kcal", sum: 312.125),
            WorkoutBody.Statistics(
                type: "HKQuantityTypeIdentifierHeartRate", start: start, end: end, unit: "count/min", average: 140.7,
                minimum: 98, maximum: 171),
        ]
        func event(_ type: Int, _ from: Double, _ length: Double = 0) -> WorkoutBody.Event {
            .init(type: type, start: start + from, end: min(start + from + length, end), metadata: metadata(nil))
        }
        var body = WorkoutBody(
            activityType: [37, 52, 3_000, 4_711].randomElement(using: &random)!,
            duration: Double.random(in: 300...7_000, using: &random),
            totalEnergyBurned: Bool.random(using: &random)
                ? QuantityRecord(312.125, unit: "kcal") : QuantityRecord(99, unit: "kJ"),
            totalDistance: [nil, QuantityRecord(10.5, unit: "km")].randomElement(using: &random)!,
            totalSwimmingStrokeCount: [nil, QuantityRecord(250, unit: "count")].randomElement(using: &random)!)
        body.statistics = statistics
        body.events = [event(1, 10), event(2, 20.5), event(3, 60, 123.4567), event(7, 100, 60)]
        if Bool.random(using: &random) {
            body.activities = [
                WorkoutBody.Activity(
                    uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), activityType: 46,
                    locationType: 2,
                    swimmingLocationType: 1, lapLength: QuantityRecord(25, unit: "m"), start: start, end: end,
                    duration: 333.3,
                    events: [event(4, 30)], statistics: [statistics[0]],
                    metadata: Metadata([
                        .init(key: "HKIndoorWorkout", value: .bool(true)),
                        .init(key: "HKSwimmingLocationType", value: .integer(1)),
                        .init(key: "HKLapLength", value: .quantity(25, unit: "m")),
                    ]))
            ]
        }
        return ObjectRecord(
            type: TypeCatalog.description(for: "HKWorkoutTypeIdentifier")!.code, start: start, end: end,
            device: device(),
            metadata: metadata(nil), body: .workout(body))
    }
}
