import Foundation
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Clinical records and objects as FHIR resources")
struct FHIRObjectTests {
    private static let base = "/fhir/R4/people/anna/"

    private static func resources(_ path: String, _ client: TestClient) async throws -> [[String: Any]] {
        let bundle = try await client.get(base + path).json
        let found = (bundle["entry"] as? [[String: Any]] ?? []).compactMap { $0["resource"] as? [String: Any] }
        #expect(bundle["total"] as? Int == found.count, "\(path)")
        return found
    }

    private static func with(_ body: (TestServer) async throws -> Void) async throws {
        let now = Date(timeIntervalSinceReferenceDate: FHIRStore.start + 7_200)
        try await TestServer.with(now: now) { server in
            try FHIRStore.fill(server.engine())
            try FHIRStore.addObjects(to: server.engine())
            try await body(server)
        }
    }

    private static func components(_ resource: [String: Any]?) -> [String: [String: Any]] {
        let all = (resource?["component"] as? [[String: Any]] ?? []).compactMap { part -> (String, [String: Any])? in
            let coding = ((part["code"] as? [String: Any])?["coding"] as? [[String: Any]])?.first
            return (coding?["code"] as? String).map { ($0, part) }
        }
        return Dictionary(all) { $1 }
    }

    @Test("Clinical records are the resources they are, byte for byte, by the identifiers of their institutions")
    func clinicalRecords() async throws {
        try await Self.with { server in
            let client = server.client
            for id in ["lab-1", "lab-2"] {
                let read = try await client.get(Self.base + "Observation/\(id)")
                #expect(read.text == FHIRStore.laboratory(id, id == "lab-1" ? "potassium" : "sodium"))
            }
            let page = try await client.get(Self.base + "Observation?code=http://example.org/lab%7Csodium")
            #expect(page.text.contains(FHIRStore.laboratory("lab-2", "sodium")))
            #expect(page.text.contains("/fhir/R4/people/anna/Observation/lab-2\""))
            #expect(try await Self.resources("AllergyIntolerance", client).map { $0["id"] as? String } == ["a1"])
            #expect(try await client.get(Self.base + "AllergyIntolerance/a1").json["id"] as? String == "a1")
            #expect(try await Self.resources("AllergyIntolerance?code=nuts&_id=a1", client).count == 1)
            #expect(try await Self.resources("AllergyIntolerance?code=milk", client).isEmpty)
            // Of an older version, and without contents.
            #expect(try await Self.resources("Condition", client).isEmpty)
            #expect(try await Self.resources("Observation?category=laboratory&_count=500", client).count == 3)
            #expect(try await client.get(Self.base + "Condition/lab-1").status == 404)
            let heart = client.with(token: try server.token(read: .some(["heartRate"])))
            #expect(try await Self.resources("AllergyIntolerance", heart).isEmpty)
            #expect(try await heart.get(Self.base + "Observation/lab-1").status == 404)
            let statement = try await client.get(Self.base + "metadata").text
            for type in ClinicalResource.types { #expect(statement.contains(#""type":"\#(type)""#)) }
        }
    }

    @Test("Audiograms have a component for each ear and frequency")
    func audiogram() async throws {
        try await Self.with { server in
            let found = try await Self.resources("Observation?code=HKDataTypeIdentifierAudiogram", server.client)
            let parts = Self.components(found.first)
            #expect(found.count == 1 && parts.count == 4)
            let right = parts["HKAudiogramSensitivityTest.right.air.1000Hz"]?["valueQuantity"] as? [String: Any]
            #expect(right?["value"] as? Double == 15.5 && right?["unit"] as? String == "dBHL")
            #expect(try await Self.resources("Observation?category=exam", server.client).count == 1)
        }
    }

    @Test("Routes have the times, positions and speeds of their locations")
    func route() async throws {
        try await Self.with { server in
            let found = try await Self.resources("Observation?code=HKWorkoutRouteTypeIdentifier", server.client)
            let parts = Self.components(found.first)
            func data(_ name: String) -> String? {
                (parts["HKWorkoutRoute.\(name)"]?["valueSampledData"] as? [String: Any])?["data"] as? String
            }
            #expect(found.count == 1 && parts.count == 4)
            #expect(data("timestamps") == "0 2 6" && data("latitudes") == "52.5 52.501 52.502")
            #expect(data("longitudes") == "13.4 13.401 13.402" && data("speeds") == "2.5 E 3")
        }
    }

    @Test("The rings of days are observations that are searched for by their code")
    func rings() async throws {
        try await Self.with { server in
            let path = "Observation?code=HKActivitySummaryTypeIdentifier"
            let found = try await Self.resources(path, server.client)
            let parts = Self.components(found.first)
            func value(_ name: String) -> Double? {
                (parts["HKActivitySummary.\(name)"]?["valueQuantity"] as? [String: Any])?["value"] as? Double
            }
            #expect(found.count == 1)
            #expect(value("activeEnergyBurned") == 321 && value("activeEnergyBurnedGoal") == 400)
            #expect(value("appleExerciseTimeGoal") == 30 && value("appleStandHoursGoal") == 12)
            let id = try #require(found.first?["id"] as? String)
            #expect(try await server.client.get(Self.base + "Observation/\(id)").json["id"] as? String == id)
            #expect(try await Self.resources(path + "&date=2026-02-06", server.client).count == 1)
            #expect(try await Self.resources(path + "&date=gt2026-02-06", server.client).isEmpty)
            let heart = server.client.with(token: try server.token(read: .some(["heartRate"])))
            #expect(try await Self.resources(path, heart).isEmpty)
            #expect(try await heart.get(Self.base + "Observation/\(id)").status == 404)
        }
    }
}
