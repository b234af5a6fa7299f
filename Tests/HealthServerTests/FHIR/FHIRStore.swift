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
        try setProfile(of: engine)
    }

    /// Adds an audiogram, a route, the rings of a day, and clinical records: two observations, an allergy, an older one
    /// of a condition, and one without contents.
    static func addObjects(to engine: HealthEngine) throws {
        func test(_ ear: Int64, _ level: Double) -> FieldValue {
            .record([
                AudiogramDocument.Test.sensitivity: .quantity(QuantityRecord(level, unit: "dBHL")),
                AudiogramDocument.Test.side: .integer(ear), AudiogramDocument.Test.type: .integer(0),
                AudiogramDocument.Test.masked: .bool(false),
            ])
        }
        func point(_ hertz: Double) -> FieldValue {
            .record([
                AudiogramDocument.Point.frequency: .quantity(QuantityRecord(hertz, unit: "Hz")),
                AudiogramDocument.Point.tests: .list([test(0, 10), test(1, 15.5)]),
            ])
        }
        var route = DocumentBody()
        route.series[RouteDocument.Column.timestamps.rawValue] = [start, start + 2, start + 6]
        route.series[RouteDocument.Column.latitudes.rawValue] = [52.5, 52.501, 52.502]
        route.series[RouteDocument.Column.longitudes.rawValue] = [13.4, 13.401, 13.402]
        route.series[RouteDocument.Column.speeds.rawValue] = [2.5, -1, 3]
        func object(_ identifier: String, _ document: DocumentBody, seconds: Double = 0) -> SaveItem {
            .object(
                ObjectRecord(type: code(identifier), start: start, end: start + seconds, body: .document(document)))
        }
        func record(_ type: String, _ resource: String?, version: String = "4.0.1") -> SaveItem {
            var document = DocumentBody()
            document[ClinicalRecordDocument.displayName] = .string("Record")
            document[ClinicalRecordDocument.version] = .string(version)
            document[ClinicalRecordDocument.data] = resource.map { .data(Array($0.utf8)) }
            return object("HKClinicalTypeIdentifier" + type, document)
        }
        try engine.save(
            [
                object(
                    "HKDataTypeIdentifierAudiogram",
                    DocumentBody(fields: [AudiogramDocument.points: .list([point(500), point(1_000)])])),
                object("HKWorkoutRouteTypeIdentifier", route, seconds: 6),
                record("LabResultRecord", laboratory("lab-1", "potassium")),
                record("LabResultRecord", laboratory("lab-2", "sodium")),
                record(
                    "AllergyRecord",
                    #"{"resourceType":"AllergyIntolerance","id":"a1","patient":{"reference":"Patient/9"},"code":{"coding":[{"system":"http://example.org/a","code":"nuts"}]},"clinicalStatus":{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical","code":"active"}]}}"#
                ), record("ConditionRecord", #"{"resourceType":"Condition","id":"c"}"#, version: "1.0.2"),
                record("ConditionRecord", nil),
            ], as: .person)
        try engine.profile.update { profile in
            profile.setGoals(
                ActivityGoals(
                    from: Profile.Day(year: 2_026, month: 2, day: 1), moveEnergy: 400, exercise: 30, stand: 12))
        }
        try engine.save(
            [.sample(sample("ActiveEnergyBurned", 321, "kcal", at: start, lasting: 3_600))], as: .person)
    }

    /// A resource as an institution wrote it, with a number whose last zero is significant.
    static func laboratory(_ id: String, _ code: String) -> String {
        #"{ "resourceType":"Observation", "id":"\#(id)","status":"final","category":[{"coding":[{"system":"http://terminology.hl7.org/CodeSystem/observation-category","code":"laboratory"}]}],"code":{"coding":[{"system":"http://example.org/lab","code":"\#(code)"}]},"subject":{"reference":"Patient/9"},"effectiveDateTime":"2026-02-06","valueQuantity":{"value":4.10,"unit":"mmol/L"}}"#
    }

    private static func setProfile(of engine: HealthEngine) throws {
        try engine.profile.update { profile in
            profile.dateOfBirth = Profile.Day(year: 1990, month: 2, day: 3)
            profile.biologicalSex = 1
        }
    }
}
