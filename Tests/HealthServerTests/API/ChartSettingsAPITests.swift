import Foundation
import HealthEngine
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

/// The clock of the fixture shows noon of 2025-11-01 in UTC.
@Suite("Annotations, pinned types and recent values over HTTP")
struct ChartSettingsAPITests {
    @Test("Annotations are kept by day, and deleted; only the person reads and writes them")
    func annotations() async throws {
        try await APIFixture.run { api in
            #expect(try await api.get("annotations").list("annotations").isEmpty)
            let first = try await api.post(
                "annotations", #"{"date": "2025-10-03", "text": "New medication", "types": ["resting heart rate"]}"#)
            #expect(first.status == 201, "\(first.text)")
            let all = try await api.post("annotations", #"{"date": "2025-09-01", "text": "Moved"}"#).list("annotations")
            #expect(all.map { $0["text"] as? String } == ["Moved", "New medication"])
            #expect(all.map { $0["types"] as? [String] } == [[], ["HKQuantityTypeIdentifierRestingHeartRate"]])
            let long = String(repeating: "ä", count: 201)
            for body in [
                #"{"date": "2025-13-01", "text": "x"}"#, #"{"text": "x"}"#, #"{"date": "2025-10-01"}"#,
                #"{"date": "2025-10-01", "text": " "}"#, #"{"date": "2025-10-01", "text": "\#(long)"}"#,
                #"{"date": "2025-10-01", "text": "x", "types": ["none"]}"#,
                #"{"date": "2025-10-01", "text": "x", "types": "stepCount"}"#,
            ] {
                let answer = try await api.post("annotations", body)
                #expect(answer.status == 422, "\(body): \(answer.text)")
            }
            let id = try #require(all.first?["id"] as? String)
            let token = try api.server.token(read: .some(["restingHeartRate"]))
            #expect(try await api.get("annotations", token: token).status == 403)
            #expect(
                try await api.post("annotations", #"{"date": "2025-09-01", "text": "x"}"#, token: token).status == 403)
            #expect(try await api.send("DELETE", "annotations/\(id)", "", token: token).status == 403)
            #expect(try await api.send("DELETE", "annotations/\(id)", "").status == 204)
            #expect(try await api.send("DELETE", "annotations/\(id)", "").status == 404)
            #expect(try await api.get("annotations").list("annotations").count == 1)
        }
    }

    @Test("Types with their latest value and four weeks, pinned ones in the person's order")
    func recent() async throws {
        try await APIFixture.run { api in
            try api.save(
                "stepCount", "count",
                [
                    ("2025-10-03T08:00:00Z", 60, 9), ("2025-10-30T08:00:00Z", 60, 1_000),
                    ("2025-10-30T18:00:00Z", 60, 500), ("2025-11-01T08:00:00Z", 60, 40),
                    ("2025-11-02T08:00:00Z", 60, 7),
                ])
            try api.save(
                "bodyMass", "kg", [("2025-06-01T08:00:00Z", 0, 71), ("2025-06-02T08:00:00Z", 0, 70.5)])
            try api.engine.profile.update { $0.preferredUnits["HKQuantityTypeIdentifierBodyMass"] = "kg" }
            let pinned = try await api.send("PUT", "pinned-types", #"{"types": ["weight", "steps", "weight"]}"#)
            #expect(pinned.status == 200, "\(pinned.text)")
            #expect(
                try await api.get("pinned-types").json["types"] as? [String]
                    == ["HKQuantityTypeIdentifierBodyMass", "HKQuantityTypeIdentifierStepCount"])
            #expect(try await api.send("PUT", "pinned-types", #"{"types": ["none"]}"#).status == 422)
            let types = try await api.get("types?recent=true").list("types")
            func entry(_ name: String) throws -> [String: Any] {
                try #require(types.first { $0["name"] as? String == name })
            }
            let (steps, mass) = (try entry("stepCount"), try entry("bodyMass"))
            #expect(mass["pin"] as? Int == 1 && steps["pin"] as? Int == 2)
            let walked = try #require(steps["recent"] as? [String: Any])
            // The day of the request so far; tomorrow's samples don't count.
            #expect(walked["value"] as? Double == 40 && walked["isOfDay"] as? Bool == true, "\(walked)")
            let days = walked["days"] as? [[String: Any]] ?? []
            #expect(days.count == 28 && days[26]["value"] as? Double == 1_500 && days[27]["value"] == nil)
            let weighed = try #require(mass["recent"] as? [String: Any])
            #expect(weighed["value"] as? Double == 70.5 && weighed["isOfDay"] as? Bool == false)
            #expect((weighed["date"] as? String)?.hasPrefix("2025-06-02T08:00") == true)
            #expect(try await api.get("types").list("types").allSatisfy { $0["recent"] == nil })
            let token = try api.server.token(read: .some(["stepCount"]))
            #expect(
                try await api.get("pinned-types", token: token).json["types"] as? [String]
                    == ["HKQuantityTypeIdentifierStepCount"])
            #expect(try await api.send("PUT", "pinned-types", #"{"types": []}"#, token: token).status == 403)
            _ = try await api.send("PUT", "pinned-types", #"{"types": []}"#)
            #expect(try await api.get("types").list("types").allSatisfy { $0["pin"] == nil })
        }
    }
}
