import Foundation
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Names of the Health app and common words lead to what they mean, in the API and in the assistant’s tools")
struct NamesTests {
    /// Names of types that have statistics.
    private static let measured = [
        "Blood Oxygen": "oxygenSaturation", "cardio fitness": "vo2Max", "exercise minutes": "appleExerciseTime",
        "Resting Energy": "basalEnergyBurned", "active energy": "activeEnergyBurned", "HRV": "heartRateVariabilitySDNN",
        "Heart Rate Variability": "heartRateVariabilitySDNN", "resting heart rate": "restingHeartRate",
        "resting hr": "restingHeartRate", "pulse": "heartRate", "cardio recovery": "heartRateRecoveryOneMinute",
        "AFib History": "atrialFibrillationBurden", "headphone audio levels": "headphoneAudioExposure",
        "Environmental Sound Levels": "environmentalAudioExposure", "steps": "stepCount",
        "Walking + Running Distance": "distanceWalkingRunning", "cycling distance": "distanceCycling",
        "flights climbed": "flightsClimbed", "stand minutes": "appleStandTime", "weight": "bodyMass",
        "BMI": "bodyMassIndex", "body fat": "bodyFatPercentage", "wrist temperature": "appleSleepingWristTemperature",
        "Respiratory Rate": "respiratoryRate", "blood sugar": "bloodGlucose",
        "Walking Asymmetry": "walkingAsymmetryPercentage",
        "Double Support Time": "walkingDoubleSupportPercentage", "step length": "walkingStepLength",
        "Stair Speed: Up": "stairAscentSpeed", "Six-Minute Walk": "sixMinuteWalkTestDistance",
        "time in daylight": "timeInDaylight", "UV index": "uvExposure", "caffeine": "dietaryCaffeine",
        "Dietary Energy": "dietaryEnergyConsumed", "carbs": "dietaryCarbohydrates", "water": "dietaryWater",
        "alcohol consumption": "numberOfAlcoholicBeverages", "insulin": "insulinDelivery",
        "sleep": "sleepAnalysis", "Stand Hours": "appleStandHour", "mindful minutes": "mindfulSession",
        "cycle tracking": "menstrualFlow", "spotting": "intermenstrualBleeding", "back pain": "lowerBackPain",
    ]

    /// Names of types that have samples only.
    private static let listed = [
        "blood pressure": "bloodPressure", "ECG": "electrocardiogram", "Electrocardiograms (ECG)": "electrocardiogram",
        "workouts": "workout", "medications": "medicationDoseEvent", "hearing test": "audiogram",
        "immunizations": "immunizationRecord", "mood": "stateOfMind", "vision": "visionPrescription",
    ]

    private func identifier(_ shortName: String) throws -> String {
        try #require(TypeCatalog.all.first { $0.shortName == shortName }, "\(shortName)").identifier
    }

    private func encoded(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? name
    }

    @Test("More than fifty names")
    func types() async throws {
        #expect(Self.measured.count >= 38)
        try await APIFixture.run { api in
            for (name, shortName) in Self.measured.merging(Self.listed, uniquingKeysWith: { $1 }) {
                let identifier = try identifier(shortName)
                let order = try await api.get("sources/order?type=\(encoded(name))")
                #expect(order.json["type"] as? String == identifier, "\(name): \(order.text)")
                let samples = try await api.get("samples?type=\(encoded(name))")
                #expect(samples.status == 200, "\(name): \(samples.text)")
                let listed = try await AssistantMessages.call("get_samples", #"{"type":"\#(name)"}"#, api.client)
                #expect(listed["isError"] as? Bool == false, "\(name): \(AssistantMessages.text(listed))")
                guard Self.measured[name] != nil else { continue }
                let statistics = try await api.get("statistics?type=\(encoded(name))")
                #expect(statistics.json["type"] as? String == identifier, "\(name): \(statistics.text)")
                let answer = try await AssistantMessages.call("get_statistics", #"{"type":"\#(name)"}"#, api.client)
                #expect(AssistantMessages.answer(answer) == AssistantMessages.rounded(statistics), "\(name)")
            }
        }
    }

    @Test("Every route that takes a type, and what a grant and a preference name")
    func routes() async throws {
        try await APIFixture.run { api in
            try api.save("oxygenSaturation", "%", [("2025-10-01T08:00:00Z", 0, 0.97)])
            for path in [
                "samples?type", "statistics?type", "trends?type", "sources?type", "sources/order?type", "changes?types",
                "preferred-units?types", "exports?format=csv&types",
            ] {
                let answer = try await api.get("\(path)=blood%20oxygen")
                #expect(answer.status == 200, "\(path): \(answer.text)")
            }
            let units = try await api.send("PUT", "preferred-units", #"{"preferredUnits": {"blood sugar": "mmol/l"}}"#)
            #expect(units.text.contains("HKQuantityTypeIdentifierBloodGlucose"), "\(units.text)")
            let token = try api.server.token(read: .some(["Blood Oxygen"]))
            #expect(try await api.get("samples?type=oxygenSaturation", token: token).text.contains("0.97"))
            #expect(throws: GrantError.self) { try api.server.token(read: .some(["blod oxigen levels"])) }
            let deleted = try await api.client.delete(APIFixture.root + "samples?type=Blood%20Oxygen&start=2025-10-01")
            #expect(deleted.status == 200, "\(deleted.text)")
        }
    }

    @Test("Unknown names get suggestions")
    func suggestions() async throws {
        try await APIFixture.run { api in
            for (name, meant) in [("stepcuont", "stepCount"), ("glucos", "bloodGlucose"), ("hart+rate", "heartRate")] {
                let answer = try await api.get("samples?type=\(name)")
                #expect(answer.status == 400 && answer.text.contains(meant), "\(answer.text)")
            }
            let long = String(repeating: "steps", count: 300)
            #expect(try await api.get("samples?type=\(long)").code == "invalidParameter")
        }
    }

    @Test("Activities and units as people write them")
    func activitiesAndUnits() async throws {
        try await APIFixture.run { api in
            let saved = try await api.post(
                "samples",
                #"""
                {"samples": [
                  {"type": "workout", "startDate": "2025-05-01T10:00:00Z", "endDate": "2025-05-01T10:30:00Z", "workoutActivityType": "run"},
                  {"type": "Workouts", "startDate": "2025-05-02T10:00:00Z", "endDate": "2025-05-02T10:30:00Z",
                   "workoutActivityType": "functional strength training"},
                  {"type": "blood sugar", "startDate": "2025-05-01T09:00:00Z", "quantity": 5.5, "unit": "mmol/L"},
                  {"type": "pulse", "startDate": "2025-05-01T09:00:00Z", "quantity": 61, "unit": "bpm"}]}
                """#)
            #expect(saved.status == 200, "\(saved.text)")
            for (word, count) in [
                ("run", 1), ("jog", 1), ("strength", 1), ("weights", 1), ("run,strength", 2), ("swim", 0),
            ] {
                let listed = try await api.get("workouts?activityType=\(word)")
                #expect(listed.json["count"] as? Int == count, "\(word): \(listed.text)")
                let told = try await AssistantMessages.call("get_workouts", #"{"activityType":"\#(word)"}"#, api.client)
                #expect(AssistantMessages.answer(told) == AssistantMessages.rounded(listed))
                let samples = try await api.get("samples?type=workout&activityType=\(word)")
                #expect((samples.json["samples"] as? [Any])?.count == count, "\(word): \(samples.text)")
            }
            let unclear = try await api.post(
                "samples",
                #"{"type": "workout", "startDate": "2025-05-03T10:00:00Z", "endDate": "2025-05-03T10:30:00Z", "workoutActivityType": "strength"}"#
            )
            #expect(unclear.status != 200, "Which kind of strength training it was isn’t said: \(unclear.text)")
            let sugar = try await api.get("statistics?type=glucose&unit=mg/dl&options=average")
            let value = (sugar.json["statistics"] as? [[String: Any]])?.first?["averageQuantity"] as? Double
            #expect(abs((value ?? 0) - 99.0857) < 1e-3, "\(sugar.text)")
            let molar = try await AssistantMessages.call(
                "get_statistics", #"{"type":"blood glucose","unit":"mmol/L","start":"2025-05-01"}"#, api.client)
            let statistics = (molar["structuredContent"] as? [String: Any])?["statistics"] as? [[String: Any]]
            #expect(abs((statistics?.first?["averageQuantity"] as? Double ?? 0) - 5.5) < 1e-9, "\(molar)")
            let rate = try await api.get("samples?type=heart%20rate&unit=bpm")
            #expect(rate.text.contains(#""unit":"count/min""#), "\(rate.text)")
        }
    }
}
