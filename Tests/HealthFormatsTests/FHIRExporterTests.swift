import Foundation
import HealthEngine
@testable import HealthFormats
import HealthModel
import Testing

/// Bundles, read back as a receiver would.
@Suite struct FHIRExporterTests {
    private typealias Resource = [String: Any]

    private func resources(_ folder: String, _ prefix: String) throws -> [Resource] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasPrefix(prefix) }.sorted().flatMap {
            name in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            let bundle = try #require(try JSONSerialization.jsonObject(with: data) as? Resource)
            #expect(bundle["resourceType"] as? String == "Bundle" && bundle["type"] as? String == "collection")
            return try #require(bundle["entry"] as? [Resource]).map { entry in
                #expect((entry["fullUrl"] as? String)?.hasPrefix("urn:uuid:") == true)
                return try #require(entry["resource"] as? Resource)
            }
        }
    }

    private func codes(_ value: Any?) -> [String] {
        (((value as? Resource)?["coding"] as? [Resource]) ?? []).compactMap { $0["code"] as? String }
    }

    private func first(_ resources: [Resource], _ identifier: String) throws -> Resource {
        try #require(resources.first { codes($0["code"]).contains(identifier) })
    }

    @Test(
        "Units have their code in UCUM, if they certainly have one",
        arguments: [
            ("1", "1"), ("count", "{count}"), ("%", "%"), ("count/min", "/min"), ("count/s", "/s"), ("mcg", "ug"),
            ("mmol<180.1558800000541>/L", "mmol/L"), ("mg/dL", "mg/dL"), ("mL/min·kg", "mL/(min.kg)"),
            ("lb", "[lb_av]"),
            ("degC", "Cel"), ("m^2", "m2"), ("km/hr", "km/h"), ("Cal", "kcal"), ("fl_oz_us", "[foz_us]"),
            ("appleEffortScore", nil), ("dBHL", nil), ("furlong", nil),
        ] as [(String, String?)])
    func unitCodes(unit: String, code: String?) {
        #expect(UCUM.code(unit) == code)
    }

    @Test func resourcesOfEveryKind() throws {
        let store = try FormatStore()
        let report = try FHIRExporter(FormatOptions(timeZone: .gmt), maximumCount: 100)
            .export(store.engine, to: store.path("out"), as: FormatStore.owner)
        let all = try resources(store.path("out"), "bundle-")
        #expect(try FileManager.default.contentsOfDirectory(atPath: store.path("out")).count == report.files + 1)
        // 600 seeded and 5 single samples, 3 objects whose members are components, 1 clinical record and the patient.
        #expect(all.count == 600 + 5 + 3 + 1 + 1 && report.files == 7 + 1)
        #expect(report.total == all.count + 1)
        let patient = try #require(all.first)
        #expect(patient["resourceType"] as? String == "Patient" && patient["gender"] as? String == "female")
        #expect(patient["birthDate"] as? String == "1987-05-04")
        let reference = "urn:uuid:" + (patient["id"] as? String ?? "")
        let observations = all.filter { $0["subject"] != nil }
        #expect(observations.count == all.count - 2)
        for observation in observations {
            #expect(
                observation["resourceType"] as? String == "Observation" && observation["status"] as? String == "final")
            #expect((observation["subject"] as? Resource)?["reference"] as? String == reference)
            #expect((observation["effectiveDateTime"] != nil) != (observation["effectivePeriod"] != nil))
            let identifiers = ((observation["code"] as? Resource)?["coding"] as? [Resource] ?? []).filter {
                $0["system"] as? String == "https://openhealthkit.org/fhir/CodeSystem/healthkit-identifier"
            }
            #expect(identifiers.count == 1)
        }
        #expect(Set(all.compactMap { $0["id"] as? String }).count == all.count)
        let other = try resources(store.path("out"), "fhir-1.0.2-")
        #expect(other.map { $0["resourceType"] as? String } == ["Condition"])
    }

    @Test(
        arguments: [
            ("HeartRate", ["8867-4"], nil, "/min"), ("StepCount", ["55423-8"], nil, "{steps}"),
            ("OxygenSaturation", ["2708-6", "59408-5"], 97.0, "%"), ("BodyMassIndex", ["39156-5"], 22.5, "kg/m2"),
            ("BloodGlucose", ["15074-8"], 5.5, "mmol/L"), ("BodyTemperature", ["8310-5"], 98.6, "[degF]"),
            ("VO2Max", [], 41.0, "mL/(min.kg)"),
        ] as [(String, [String], Double?, String)])
    func quantities(_ name: String, _ loinc: [String], _ value: Double?, _ unit: String) throws {
        let store = try FormatStore(count: 5)
        _ = try FHIRExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out"), as: FormatStore.owner)
        let identifier = "HKQuantityTypeIdentifier" + name
        let observation = try first(try resources(store.path("out"), "bundle-"), identifier)
        #expect(codes(observation["code"]) == loinc + [identifier])
        let quantity = try #require(observation["valueQuantity"] as? Resource)
        #expect(quantity["code"] as? String == unit && quantity["system"] as? String == "http://unitsofmeasure.org")
        if let value { #expect(quantity["value"] as? Double == value) }
    }

    @Test func everyObservationHasItsCategory() throws {
        let store = try FormatStore(count: 5)
        _ = try FHIRExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out"), as: FormatStore.owner)
        let all = try resources(store.path("out"), "bundle-")
        for (identifier, category) in [
            ("HKQuantityTypeIdentifierStepCount", "activity"), ("HKQuantityTypeIdentifierHeartRate", "vital-signs"),
            ("HKQuantityTypeIdentifierBloodGlucose", "laboratory"), ("HKQuantityTypeIdentifierVO2Max", "exam"),
            ("HKCategoryTypeIdentifierSleepAnalysis", "activity"), ("HKWorkoutTypeIdentifier", "activity"),
            ("HKCorrelationTypeIdentifierBloodPressure", "vital-signs"),
            ("HKDataTypeIdentifierElectrocardiogram", "procedure"),
        ] {
            let concepts = try #require(try first(all, identifier)["category"] as? [Resource])
            #expect(concepts.flatMap { codes($0) } == [category], "\(identifier)")
        }
    }

    @Test(
        arguments: [
            ("HeartRate", Double.nan, "count/min", nil, "not-a-number"),
            ("HeartRate", .infinity, "count/s", nil, "positive-infinity"),
            ("HeartRate", -.infinity, "count/min", nil, "negative-infinity"),
            ("OxygenSaturation", 1e307, "%", 1e307, "1"),
            ("HeartRate", 1.7e308, "count/min", 1.7e308, "/min"),
        ] as [(String, Double, String, Double?, String)])
    func numbersThatFHIRCannotExpress(_ name: String, _ value: Double, _ unit: String, _ shown: Double?, _ code: String)
        throws
    {
        let store = try FormatStore(count: 5)
        try store.engine.save(
            [
                .sample(
                    SampleRecord(
                        type: FormatStore.quantity(name), start: 800_000_000, end: 800_000_000, value: value, unit: unit
                    ))
            ],
            as: FormatStore.owner)
        _ = try FHIRExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out"), as: FormatStore.owner)
        let identifier = "HKQuantityTypeIdentifier" + name
        let observation = try #require(
            try resources(store.path("out"), "bundle-").last {
                codes($0["code"]).contains(identifier)
                    && ($0["effectiveDateTime"] as? String)?.hasPrefix("2026-05-09T06:13:20") == true
            })
        let quantity = observation["valueQuantity"] as? Resource
        // Foundation's JSON parser is a few units in the last place off.
        #expect((quantity?["value"] as? Double).map { abs($0 / (shown ?? 0) - 1) < 1e-12 } ?? (shown == nil))
        #expect((quantity?["code"] as? String).map { [$0] } ?? codes(observation["dataAbsentReason"]) == [code])
    }

    @Test func typesWithoutAResourceAreCounted() throws {
        let store = try FormatStore(count: 5)
        func object(_ identifier: String, _ body: ObjectBody) -> SaveItem {
            .object(ObjectRecord(type: FormatStore.type(identifier), start: 0, end: 1, body: body))
        }
        try store.engine.save(
            [
                object("HKDataTypeIdentifierHeartbeatSeries", .document(DocumentBody(series: ["offsets": [0, 0.8]]))),
                object("HKDataTypeIdentifierAudiogram", .document(DocumentBody())),
                object("HKDataTypeIdentifierAudiogram", .document(DocumentBody())),
            ], as: FormatStore.owner)
        let report = try FHIRExporter(FormatOptions(timeZone: .gmt))
            .export(store.engine, to: store.path("out"), as: FormatStore.owner)
        #expect(report.leftOut == ["heartbeatSeries": 1, "audiogram": 2])
        #expect(report.counts["audiogram"] == nil)
        let csv = try CSVExporter(FormatOptions()).export(store.engine, to: store.path("csv"), as: FormatStore.owner)
        #expect(csv.leftOut.isEmpty)
    }

    @Test func panelsAndRecordings() throws {
        let store = try FormatStore(count: 5)
        _ = try FHIRExporter(FormatOptions(timeZone: .gmt)).export(
            store.engine, to: store.path("out"), as: FormatStore.owner)
        let all = try resources(store.path("out"), "bundle-")
        let pressure = try first(all, "85354-9")
        let parts = try #require(pressure["component"] as? [Resource])
        let values = Dictionary(
            uniqueKeysWithValues: parts.map {
                (codes($0["code"])[0], ($0["valueQuantity"] as? Resource)?["value"] as? Double)
            })
        #expect(values == ["8480-6": 121, "8462-4": 79])
        #expect(!all.contains { codes($0["code"]).first == "8480-6" })
        let ecg = try #require(try first(all, "11524-6")["component"] as? [Resource])
        let data = try #require(ecg.compactMap { $0["valueSampledData"] as? Resource }.first)
        #expect(
            data["data"] as? String == "250 E -100" && data["period"] as? Double == 2 && data["dimensions"] as? Int == 1
        )
        let workout = try first(all, "HKWorkoutTypeIdentifier")
        #expect(codes(workout["valueCodeableConcept"]) == ["HKWorkoutActivityType.running"])
        #expect((workout["effectivePeriod"] as? Resource)?["start"] as? String == "2023-03-08T20:26:40+00:00")
        let sleep = try first(all, "HKCategoryTypeIdentifierSleepAnalysis")
        #expect(codes(sleep["valueCodeableConcept"]).first?.hasPrefix("HKCategoryValueSleepAnalysis.") == true)
    }
}
