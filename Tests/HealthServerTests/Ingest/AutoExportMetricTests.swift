import Foundation
import HealthModel
import Testing

@testable import HealthIngest
@testable import HealthServer

@Suite struct AutoExportMetricTests {
    private static let quantity = "HKQuantityTypeIdentifier"
    private static let category = "HKCategoryTypeIdentifier"

    @Test func repeatedPostsAddNothing() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let data = IngestFixture.metric(
                "step_count", "count",
                """
                {"date":"2026-02-06 14:30:00 +0100","qty":42,"source":"Anna’s Apple Watch"},
                {"date":"2026-02-06 14:31:00 +0100","qty":13.5,"source":"Anna’s iPhone","start":"2026-02-06 14:31:00 +0100","end":"2026-02-06 14:35:00 +0100"}
                """)
            let first = try await fixture.post(data, aggregation: "none")
            #expect(first.total("saved") == 2)
            for _ in 0..<3 {
                let again = try await fixture.post(data, aggregation: "none")
                #expect(again.total("saved") == 0)
                #expect(again.total("alreadyThere") == 2)
            }
            let samples = try fixture.samples(Self.quantity + "StepCount")
            #expect(samples.map(\.value) == [42, 13.5])
            #expect(samples.map(\.unit) == ["count", "count"])
            #expect(samples.map { $0.revision?.source.name } == ["Anna’s Apple Watch", "Anna’s iPhone"])
            #expect(samples[1].start == IngestFixture.instant("2026-02-06 13:31:00 +0000"))
            #expect(samples[1].end == IngestFixture.instant("2026-02-06 13:35:00 +0000"))
        }
    }

    @Test func unitsBecomeThoseOfHealthKit() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let cases: [(name: String, units: String, qty: Double, type: String, value: Double, unit: String)] = [
                ("blood_oxygen_saturation", "%", 98, "OxygenSaturation", 0.98, "%"),
                ("body_fat_percentage", "%", 21.5, "BodyFatPercentage", 0.215, "%"),
                ("weight_body_mass", "lb", 150, "BodyMass", 150, "lb"),
                ("resting_heart_rate", "bpm", 55, "RestingHeartRate", 55, "count/min"),
                ("respiratory_rate", "count/min", 14, "RespiratoryRate", 14, "count/min"),
                ("walking_running_distance", "mi", 1.25, "DistanceWalkingRunning", 1.25, "mi"),
                ("active_energy", "kJ", 418.4, "ActiveEnergyBurned", 418.4, "kJ"),
                ("basal_energy_burned", "kcal", 70, "BasalEnergyBurned", 70, "kcal"),
                ("apple_sleeping_wrist_temperature", "degF", 97.7, "AppleSleepingWristTemperature", 97.7, "degF"),
                ("vo2_max", "ml/(kg·min)", 41, "VO2Max", 41, "mL/min·kg"),
                ("heart_rate_variability", "ms", 44, "HeartRateVariabilitySDNN", 44, "ms"),
                ("apple_exercise_time", "min", 3, "AppleExerciseTime", 3, "min"),
                ("protein", "g", 30, "DietaryProtein", 30, "g"), ("total_fat", "g", 9, "DietaryFatTotal", 9, "g"),
                ("dietary_water", "fl_oz_us", 8, "DietaryWater", 8, "fl_oz_us"),
                ("physical_effort", "kcal/hr·kg", 4, "PhysicalEffort", 4, "kcal/hr·kg"),
                ("time_in_daylight", "min", 20, "TimeInDaylight", 20, "min"),
                ("apple_walking_steadiness", "%", 95, "AppleWalkingSteadiness", 0.95, "%"),
                ("body_mass_index", "count", 22.5, "BodyMassIndex", 22.5, "count"),
                ("walking_speed", "km/hr", 5.1, "WalkingSpeed", 5.1, "km/hr"),
                ("headphone_audio_exposure", "dBASPL", 70, "HeadphoneAudioExposure", 70, "dBASPL"),
                ("blood_glucose", "mmol/L", 5.4, "BloodGlucose", 5.4, "mmol<180.1558800000541>/L"),
            ]
            for entry in cases {
                let report = try await fixture.post(
                    IngestFixture.metric(
                        entry.name, entry.units, #"{"date":"2026-02-06 14:30:00 +0000","qty":\#(entry.qty)}"#),
                    aggregation: "none")
                #expect(report.total("saved") == 1, "\(entry.name)")
                let samples = try fixture.samples(Self.quantity + entry.type)
                #expect(samples.first?.value == entry.value, "\(entry.name)")
                #expect(samples.first?.unit == entry.unit, "\(entry.name)")
            }
        }
    }

    @Test func eachShapeIsUnderstood() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let date = #""date":"2026-02-06 08:00:00 -0800","source":"Meter""#
            let report = try await fixture.post(
                """
                "metrics":[
                {"name":"heart_rate","units":"bpm","data":[{\(date),"Min":61,"Avg":61,"Max":61}]},
                {"data":[{\(date),"systolic":121,"diastolic":79}],"units":"mmHg","name":"blood_pressure"},
                {"name":"blood_glucose","units":"mg/dL","data":[{\(date),"qty":99,"mealTime":"Before Meal"}]},
                {"name":"insulin_delivery","units":"IU","data":[{\(date),"qty":2,"reason":"Bolus"}]},
                {"name":"handwashing","units":"s","data":[{\(date),"qty":22,"value":"Complete"}]},
                {"name":"toothbrushing","units":"s","data":[{\(date),"qty":120,"value":"Incomplete"}]},
                {"name":"sexual_activity","units":"times","data":[{\(date),"Unspecified":0,"Protection Used":1,"Protection Not Used":0}]},
                {"name":"mindful_minutes","units":"min","data":[{\(date),"qty":10}]},
                {"name":"apple_stand_hour","units":"count","data":[{\(date),"qty":1}]}
                ]
                """, aggregation: "none")
            #expect(report.total("saved") == 9)
            #expect(report["notUnderstoodCount"] as? Int == 0)
            let rate = try #require(try fixture.samples(Self.quantity + "HeartRate").first)
            #expect(rate.value == 61 && rate.metadata.isEmpty)
            let pressure = try #require(try fixture.objects("HKCorrelationTypeIdentifierBloodPressure").first)
            #expect(pressure.members.map(\.value).sorted() == [79, 121])
            #expect(pressure.revision?.source.name == "Meter")
            #expect(
                try fixture.samples(Self.quantity + "BloodGlucose").first?.metadata["HKBloodGlucoseMealTime"]
                    == .integer(1))
            #expect(
                try fixture.samples(Self.quantity + "InsulinDelivery").first?.metadata["HKInsulinDeliveryReason"]
                    == .integer(2))
            let washing = try #require(try fixture.samples(Self.category + "HandwashingEvent").first)
            #expect(washing.end - washing.start == 22)
            #expect(
                try fixture.samples(Self.category + "SexualActivity").first?.metadata["HKSexualActivityProtectionUsed"]
                    == .bool(true))
            let mindful = try #require(try fixture.samples(Self.category + "MindfulSession").first)
            #expect(mindful.end - mindful.start == 600)
        }
    }

    @Test(arguments: [
        "2026-02-06 2:30:00\u{202F}PM +0100", "2026-02-06 14:30:00 +0100", "2026-02-06T13:30:00Z",
        "2026-02-06 02:30:00 pm +01:00", "2026-02-06\u{A0}14:30:00\u{A0}+0100", "2026-02-06 2:30:00 p.\u{A0}m. +0100",
        "2026-02-06 13:30:00 GMT", "٢٠٢٦-٠٢-٠٦ ١٤:٣٠:٠٠ +0100",
    ])
    func datesOfAllLocalesAreRead(text: String) throws {
        let zone = try #require(TimeZone(identifier: "America/New_York"))
        let reader = AutoExportDateReader(timeZone: zone, slashed: SlashedDates { _ in })
        #expect(reader.date(text)?.instant == 792_077_400)
    }

    @Test(arguments: [
        "", "2026", "2026-13-01 00:00:00 +0000", "2026-02-30 00:00:00 +0000", "2026-02-06 25:00:00 +0000",
        "2026-02-06 13:00:00 PM +0000", "2026-02-06 14:30:00 +99", "0026-02-06 00:00:00 +0000", "yesterday",
        "2026-02-06 14:30:00 +0100 x", "2026-02-06 14:60:00 +0000", String(repeating: "2", count: 10_000),
    ])
    func otherTextsAreRejected(text: String) {
        #expect(AutoExportDateReader(timeZone: .gmt, slashed: SlashedDates { _ in }).date(text) == nil)
    }

    @Test func unknownNamesAreReportedAndKept() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let entry = #"{"date":"2026-02-06 14:30:00 +0100","qty":9371}"#
            let data = IngestFixture.metric("Schritte", "count", "\(entry),\(entry)")
            let report = try await fixture.post(data)
            #expect(report.total("saved") == 0)
            #expect(report["notUnderstoodCount"] as? Int == 2)
            #expect(report.unknownNames == ["Schritte"])
            #expect(!"\(report)".contains("9371"))
            try await fixture.post(data)
            let answer = try await server.client.get("/v1/people/anna/ingest/report").json
            #expect((answer["reports"] as? [Any])?.count == 2)
            // Each entry is kept once.
            #expect(answer["kept"] as? Int == 1)
            let folder = try server.core.directory.store(of: "anna").workFolder
            let kept = try String(contentsOfFile: folder + "/ingest-kept.ndjson", encoding: .utf8)
            #expect(kept.contains("Schritte") && kept.contains("9371"))
        }
    }

    @Test func invalidEntriesAreReportedByReason() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let report = try await fixture.post(
                """
                "metrics":[
                {"name":"step_count","units":"mmHg","data":[{"date":"2026-02-06 14:30:00 +0100","qty":1}]},
                {"name":"step_count","units":"count","data":[{"date":"2026-02-06 14:30:00 +0100","qty":"many"},{"qty":1},7,null,
                  {"date":"2026-02-06 14:30:00 +0100","start":"2026-02-06 14:30:00 +0100","end":"2026-02-06 14:00:00 +0100","qty":1},
                  {"date":"2026-02-06 14:30:00 +0100","qty":1e999}]},
                {"name":"insulin_delivery","units":"IU","data":[{"date":"2026-02-06 14:30:00 +0100","qty":1}]},
                {"name":"sleep_analysis","units":"hr","data":[{"startDate":"2026-02-06 14:30:00 +0100","endDate":"2026-02-06 15:30:00 +0100","value":"Leicht"}]},
                {"units":"count","data":[]},{"name":"step_count"},5,{"name":"step_count","units":"count","data":{}}
                ],"unheardOf":[1],"symptoms":7
                """, aggregation: "none")
            #expect(report.total("saved") == 0)
            #expect(report["notUnderstoodCount"] as? Int == 15)
            #expect(report.reasons.contains("The unit doesn’t fit the type."))
            #expect(report.reasons.contains("“qty” is missing or not a number."))
            #expect(report.reasons.contains("“reason” is missing."))
            #expect(try fixture.samples(Self.quantity + "StepCount").isEmpty)
        }
    }
}
