import Foundation
import HealthEngine
import HealthModel
import HealthTesting
import Testing

@testable import HealthIngest
@testable import HealthServer

@Suite struct AutoExportObjectTests {
    private static let rate = "HKQuantityTypeIdentifierHeartRate"
    private static let workout = "HKWorkoutTypeIdentifier"

    private static let run = """
        "workouts":[{"id":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","name":"Outdoor Run","start":"2026-02-06 07:00:00 +0000",
        "end":"2026-02-06 07:03:00 +0000","duration":180,"location":"Outdoor","isIndoor":false,
        "activeEnergyBurned":{"qty":50,"units":"kcal"},"distance":{"qty":0.5,"units":"km"},"intensity":{"qty":9.1,"units":"kcal/hr·kg"},
        "humidity":{"qty":64,"units":"%"},"temperature":{"qty":5,"units":"degC"},"elevationUp":{"qty":12,"units":"m"},
        "heartRate":{"min":{"qty":90,"units":"bpm"},"avg":{"qty":120,"units":"bpm"},"max":{"qty":150,"units":"bpm"}},
        "heartRateData":[{"date":"2026-02-06 07:00:00 +0000","Min":100,"Avg":110,"Max":120,"units":"bpm","source":"Watch"},
        {"date":"2026-02-06 07:01:00 +0000","Min":120,"Avg":130,"Max":140,"units":"bpm","source":"Watch"},
        {"date":"2026-02-06 07:03:00 +0000","Min":80,"Avg":90,"Max":100,"units":"bpm","source":"Watch"},
        {"date":"2026-02-06 07:04:00 +0000","Min":70,"Avg":80,"Max":90,"units":"bpm","source":"Watch"}],
        "stepCount":[{"date":"2026-02-06 07:00:00 +0000","qty":160,"units":"count","source":"Watch"},
        {"date":"2026-02-06 07:01:00 +0000","qty":170,"units":"count","source":"Watch"}],
        "route":[{"latitude":52.5,"longitude":13.4,"altitude":34,"course":10,"courseAccuracy":1,"horizontalAccuracy":3,"verticalAccuracy":2,"timestamp":"2026-02-06 07:00:10 +0000","speed":2.7,"speedAccuracy":0.2},
        {"latitude":52.6,"longitude":13.5,"altitude":35,"timestamp":"2026-02-06 07:00:20 +0000"}],"metadata":{}}]
        """

    @Test func aWorkoutIsSavedOnceWithRouteAndHeartRates() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let report = try await fixture.post(Self.run)
            #expect(report["notUnderstoodCount"] as? Int == 0)
            try await fixture.post(Self.run)
            let stored = try #require(try fixture.objects(Self.workout).first)
            #expect(try fixture.objects(Self.workout).count == 1)
            #expect(stored.uuid?.uuidString == "5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01")
            guard case .workout(let body) = stored.body else { throw TestServerError("No workout.") }
            #expect(body.activityType == 37)
            #expect(body.totalEnergyBurned == QuantityRecord(50, unit: "kcal"))
            #expect(body.totalDistance == QuantityRecord(0.5, unit: "km"))
            #expect(stored.metadata["HKIndoorWorkout"] == .bool(false))
            #expect(stored.metadata["HKWeatherHumidity"] == .quantity(0.64, unit: "%"))
            // The two minutes after the workout don't count.
            let figures = try #require(body.statistics.first { $0.type == Self.rate })
            #expect(figures.average == 120 && figures.minimum == 100 && figures.maximum == 140)
            #expect(body.statistics.first { $0.type.hasSuffix("StepCount") }?.sum == 330)
            // Steps are posted as a metric as well.
            #expect(try fixture.samples("HKQuantityTypeIdentifierStepCount").isEmpty)
            #expect(stored.members.map(\.value).sorted() == [110, 130])
            #expect(try fixture.samples(Self.rate).map(\.value) == [110, 130, 90, 80])
            let routes = try fixture.objects("HKWorkoutRouteTypeIdentifier")
            #expect(routes.count == 1)
            guard case .document(let route) = routes[0].body else { throw TestServerError("No route.") }
            #expect(route.series["latitudes"] == [52.5, 52.6])
            #expect(route.series["speeds"] == [2.7, -1])
        }
    }

    /// A workout of two minutes with one heart rate.
    private static func walk(_ id: String, heartRate: Int) -> String {
        """
        "workouts":[{"id":"\(id)","name":"Outdoor Walk","start":"2026-02-06 07:00:00 +0000","end":"2026-02-06 07:02:00 +0000",
        "duration":120,"heartRateData":[{"date":"2026-02-06 07:00:00 +0000","Min":\(heartRate - 10),"Avg":\(heartRate),
        "Max":\(heartRate + 10),"units":"bpm","source":"Watch"}]}]
        """
    }

    private static let identifiers = ["5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A03", "5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A04"]

    @Test func heartRatesStayIfTheirReplacementIsNotStored() throws {
        try FaultyIngest.failEverywhere { ingest in
            try ingest.post(Self.walk(Self.identifiers[0], heartRate: 110))
        } _: { ingest in
            let tally = try ingest.post(Self.walk(Self.identifiers[0], heartRate: 120))
            #expect(tally.count(.replaced) == 1)
        } check: { ingest in
            let rates = try IngestFixture.samples(Self.rate, in: ingest.engine)
            #expect(rates.map(\.value) == [120])
        }
    }

    @Test func workoutWithAnIdentifierInUseDeletesNothing() throws {
        let ingest = try FaultyIngest()
        try ingest.post(Self.walk(Self.identifiers[0], heartRate: 110))
        let steps = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code
        try ingest.engine.save(
            [
                .sample(
                    SampleRecord(
                        uuid: UUID(uuidString: Self.identifiers[1]), type: steps, start: 0, end: 1, value: 1,
                        unit: "count"))
            ],
            as: .person)
        let before = try ingest.contents()
        let tally = try ingest.post(Self.walk(Self.identifiers[1], heartRate: 120))
        #expect(tally.problemCount == 1 && tally.counts.isEmpty)
        #expect(try ingest.contents() == before)
    }

    @Test func aSummarizedBloodPressureStaysIfItsReplacementIsNotStored() throws {
        func day(_ systolic: Int) -> String {
            IngestFixture.metric(
                "blood_pressure", "mmHg",
                #"{"date":"2026-02-06 00:00:00 +0000","systolic":\#(systolic),"diastolic":80}"#)
        }
        try FaultyIngest.failEverywhere { ingest in
            try ingest.post(day(120), aggregation: "day")
        } _: { ingest in
            let tally = try ingest.post(day(125), aggregation: "day")
            #expect(tally.count(.replaced) == 1)
        }
    }

    @Test func heartRatesOfAWorkoutYieldToSamples() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            try await fixture.post(Self.run)
            let samples = IngestFixture.metric(
                "heart_rate", "bpm",
                (0..<4).map {
                    #"{"date":"2026-02-06 07:0\#($0):30 +0000","Min":105,"Avg":105,"Max":105,"source":"Watch"}"#
                }
                .joined(separator: ","))
            #expect(try await fixture.post(samples, aggregation: "none").total("saved") == 4)
            // Only the minute that no sample covers is left of the workout's series.
            #expect(try fixture.samples(Self.rate).map(\.value) == [105, 105, 105, 105, 80])
            let again = try await fixture.post(Self.run)
            #expect(again.total("covered") == 3)
            #expect(try fixture.samples(Self.rate).filter { $0.value == 105 }.count == 4)
        }
    }

    @Test func oldWorkoutsHaveNoIdentifier() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let data = """
                "workouts":[{"name":"Krafttraining","start":"2026-02-06 18:00:00 +0000","end":"2026-02-06 18:40:00 +0000",
                "activeEnergy":{"qty":200,"units":"kcal"},"intesity":{"qty":5,"units":"kcal/hr·kg"},
                "elevation":{"ascent":10,"descent":4,"units":"m"},"heartRateData":[{"date":"2026-02-06 18:00:30 +0000","qty":95,"units":"bpm"}],
                "route":[{"lat":52.5,"lon":13.4,"altitude":30,"timestamp":"2026-02-06 18:00:10 +0000"},
                {"lat":52.5,"lon":13.5,"altitude":30,"timestamp":"2026-02-06 18:00:20 +0000"}]}]
                """
            let report = try await fixture.post(data)
            #expect(report.unknownNames == ["Krafttraining"])
            try await fixture.post(data)
            let workouts = try fixture.objects(Self.workout)
            #expect(workouts.count == 1)
            guard case .workout(let body) = workouts[0].body else { throw TestServerError("No workout.") }
            #expect(body.activityType == 3_000)
            #expect(workouts[0].metadata["HealthAutoExportName"] == .string("Krafttraining"))
            #expect(workouts[0].metadata["HKElevationAscended"] == .quantity(10, unit: "m"))
            #expect(workouts[0].metadata["HKAverageMETs"] == .quantity(5, unit: "kcal/hr·kg"))
            #expect(try fixture.objects("HKWorkoutRouteTypeIdentifier").count == 1)
        }
    }

    @Test func otherSectionsAreSavedOnce() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let data = """
                "stateOfMind":[{"id":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A02","start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 09:00:00 +0000",
                  "kind":"Momentary Emotion","labels":["Calm","Grateful"],"associations":["Work"],"valence":0.4,"valenceClassification":"Pleasant","metadata":{}}],
                "symptoms":[{"start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 10:00:00 +0000","name":"Headache","severity":"Moderate","userEntered":true,"source":"Health"},
                  {"start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 10:00:00 +0000","name":"Mood Changes","severity":"Present","userEntered":true,"source":"Health"}],
                "ecg":[{"start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 09:00:30 +0000","classification":"Sinus Rhythm","averageHeartRate":62,
                  "numberOfVoltageMeasurements":3,"samplingFrequency":512,"voltageMeasurements":[{"date":"2026-02-06 09:00:00 +0000","voltage":10,"units":"mcV"},
                  {"date":"2026-02-06 09:00:00 +0000","voltage":20,"units":"mcV"},{"date":"2026-02-06 09:00:00 +0000","voltage":-5,"units":"mcV"}],"source":"Watch"}],
                "heartRateNotifications":[{"start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 09:10:00 +0000","threshold":120,
                  "heartRate":[{"hr":130,"units":"bpm","timestamp":{"start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 09:10:00 +0000","interval":{"duration":600,"units":"s"}}}],"heartRateVariation":[]}],
                "medications":[{"displayText":"Ibuprofen 400 mg","nickname":"Ibu","start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 09:00:00 +0000",
                  "scheduledDate":null,"form":"tablet","status":"Taken","isArchived":false,"dosage":1,"codings":[{"code":"5640","system":"http://www.nlm.nih.gov/research/umls/rxnorm","version":"1"}]}],
                "cycleTracking":[{"start":"2026-02-06 09:00:00 +0000","end":"2026-02-06 09:00:00 +0000","name":"Menstrual Flow","value":"Light","isCycleStart":true}]
                """
            let report = try await fixture.post(data)
            #expect(report.reasons == [])
            let again = try await fixture.post(data)
            #expect(again.total("saved") == 0)
            let mood = try #require(try fixture.objects("HKDataTypeStateOfMind").first)
            guard case .document(let document) = mood.body else { throw TestServerError("No document.") }
            #expect(document["valence"] == .double(0.4))
            #expect(document["labels"]?.elements.count == 2)
            let headache = try fixture.samples("HKCategoryTypeIdentifierHeadache")
            #expect(headache.map(\.value) == [3])
            #expect(headache.first?.metadata.wasUserEntered == true)
            let recordings = try fixture.objects("HKDataTypeIdentifierElectrocardiogram")
            #expect(recordings.count == 1)
            guard case .document(let recording) = recordings[0].body else { throw TestServerError("No recording.") }
            #expect(recording.series["voltages.1"] == [10e-6, 20e-6, -5e-6])
            #expect(recording["classification"] == .integer(1))
            #expect(try fixture.samples("HKCategoryTypeIdentifierHighHeartRateEvent").count == 1)
            #expect(try fixture.objects("HKDataTypeIdentifierMedicationDoseEvent").count == 1)
            #expect(try fixture.objects("HKDataTypeIdentifierUserAnnotatedMedicationConcept").count == 1)
            #expect(
                try fixture.samples("HKCategoryTypeIdentifierMenstrualFlow").first?.metadata["HKMenstrualCycleStart"]
                    == .bool(true))
        }
    }
}
