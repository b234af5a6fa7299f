import Foundation
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite struct FHIRSearchTests {
    private static let base = "/fhir/R4/people/anna"

    private static func search(_ query: String, _ client: TestClient) async throws -> [String: Any] {
        let response = try await client.get("\(base)/Observation\(query)")
        guard response.status == 200 else {
            throw TestServerError("The status is \(response.status): \(response.text)")
        }
        return response.json
    }

    private static func resources(_ bundle: [String: Any]) -> [[String: Any]] {
        (bundle["entry"] as? [[String: Any]] ?? []).compactMap { $0["resource"] as? [String: Any] }
    }

    private static func link(_ relation: String, _ bundle: [String: Any]) -> String? {
        (bundle["link"] as? [[String: String]] ?? []).first { $0["relation"] == relation }?["url"]
    }

    @Test func pagesAreLinked() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            var path = "\(Self.base)/Observation?code=http://loinc.org%7C8867-4&_count=10"
            var values: [Double] = []
            var sizes: [Int] = []
            while true {
                let response = try await server.client.get(path)
                #expect(response.headers["content-type"]?.hasPrefix("application/fhir+json") == true)
                let page = response.json
                let found = Self.resources(page)
                sizes.append(found.count)
                values += found.compactMap { ($0["valueQuantity"] as? [String: Any])?["value"] as? Double }
                guard let next = Self.link("next", page) else { break }
                #expect(next.hasPrefix("http://localhost:\(server.port)/fhir/R4/people/anna/Observation?"))
                path = String(next.dropFirst("http://localhost:\(server.port)".count))
            }
            #expect(sizes == [10, 10, 5])
            let expected: [Double] = (0..<25).map { number in 60 + Double(number) }
            #expect(values == expected)
        }
    }

    @Test(arguments: [
        ("?code=8867-4", 25), ("?code=heartRate&_count=3", 3), ("?code=HKQuantityTypeIdentifierStepCount", 1),
        ("?code=85354-9", 1), ("?code=8480-6", 1), ("?code=2339-0,29463-7", 2), ("?code=nonsense", 0),
        ("?code=http://loinc.org%7C85354-9", 1), ("?code=http://snomed.info/sct%7C8867-4", 0),
        ("?category=vital-signs&code=29463-7", 1), ("?category=procedure", 1), ("", 34), ("?_summary=count", 0),
        ("?code=8867-4&date=ge2026-02-06T08:10:00Z", 15), ("?code=8867-4&date=lt2026-02-06T08:10:00Z", 10),
        ("?code=8867-4&date=2026-02-06", 25), ("?code=8867-4&date=2026-02", 25), ("?code=8867-4&date=2026-02-07", 0),
        ("?code=8867-4&date=ge2026-02-06T08:05:00Z&date=le2026-02-06T08:09:59Z", 5),
        ("?code=8867-4&date=sa2026-02-06T08:10:00Z", 14), ("?code=8867-4&date=2026-02-06T08:10Z", 1),
        ("?code=8867-4&date=gt2025", 25), ("?code=8867-4&date=gt2025-12", 25),
        ("?code=8867-4&date=2026-02-06,2026-02-07", 25),
        ("?code=8867-4&date=lt2026-02-06T08:05:00Z,sa2026-02-06T08:10:00Z", 19),
        ("?code=8867-4&_summary=count&_count=0", 0),
        ("?patient=Patient/00000000-0000-0000-0000-000000000000", 0), ("?_format=json&unknown=1&code=8867-4", 25),
    ])
    func parametersSelect(query: String, count: Int) async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            #expect(Self.resources(try await Self.search(query, server.client)).count == count)
        }
    }

    @Test func newestFirstAndTotals() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let newest = try await Self.search("?code=8867-4&_sort=-date&_count=1&_total=accurate", server.client)
            #expect(newest["total"] as? Int == 25)
            #expect((Self.resources(newest).first?["valueQuantity"] as? [String: Any])?["value"] as? Double == 84)
            for query in ["_count=0", "_count=10", "_summary=count", "date=ge2026-02-06T08:00:00Z"] {
                #expect(try await Self.search("?code=8867-4&\(query)", server.client)["total"] as? Int == 25)
            }
            // Also on further pages, and not for those who don't want it.
            let page = try await Self.search("?code=8867-4&_count=10", server.client)
            let query = try #require(Self.link("next", page)?.split(separator: "?").last)
            #expect(try await Self.search("?\(query)", server.client)["total"] as? Int == 25)
            #expect(try await Self.search("?code=8867-4&_total=none", server.client)["total"] == nil)
        }
    }

    @Test func singleResources() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let found = try #require(Self.resources(try await Self.search("?code=29463-7", server.client)).first)
            let id = try #require(found["id"] as? String)
            let read = try await server.client.get("\(Self.base)/Observation/\(id)").json
            #expect(read["id"] as? String == id)
            #expect((read["valueQuantity"] as? [String: Any])?["code"] as? String == "kg")
            let subject = try #require((read["subject"] as? [String: Any])?["reference"] as? String)
            let patient = try await server.client.get("\(Self.base)/\(subject)").json
            #expect(patient["resourceType"] as? String == "Patient")
            #expect(patient["birthDate"] as? String == "1990-02-03")
            #expect(patient["gender"] as? String == "female")
        }
    }

    @Test(arguments: [
        ("/Observation/nonsense", 404, "not-found"), ("/Observation?date=soon", 400, "invalid"),
        ("/Observation?_sort=code", 400, "invalid"), ("/Observation?_cursor=x", 400, "invalid"),
        ("/Observation?_format=xml", 406, "not-supported"), ("/Device", 404, "not-found"),
        ("/Patient/00000000-0000-0000-0000-000000000000", 404, "not-found"),
        ("/Observation?_count=many", 400, "invalid"), ("/Observation?_count=1001", 400, "invalid"),
        ("/Condition/nonsense", 404, "not-found"), ("/Immunization?_sort=code", 400, "invalid"),
        ("/Observation?_summary=few", 400, "invalid"), ("/Condition?_total=some", 400, "invalid"),
    ])
    func errorsAreOperationOutcomes(path: String, status: Int, code: String) async throws {
        try await TestServer.with { server in
            let response = try await server.client.get(Self.base + path)
            #expect(response.status == status)
            #expect(response.json["resourceType"] as? String == "OperationOutcome")
            #expect((response.json["issue"] as? [[String: Any]])?.first?["code"] as? String == code)
            guard path != "/Device" else { return }
            let anonymous = try await server.client.with(token: nil).get(Self.base + path)
            #expect(anonymous.status == 401)
            #expect((anonymous.json["issue"] as? [[String: Any]])?.first?["code"] as? String == "login")
        }
    }

    @Test func unreadableDataIsSilentlyEmpty() async throws {
        try await TestServer.with { server in
            try FHIRStore.fill(server.engine())
            let client = server.client.with(token: try server.token(read: .some(["heartRate"])))
            #expect(Self.resources(try await Self.search("", client)).count == 25)
            #expect(Self.resources(try await Self.search("?code=29463-7", client)).isEmpty)
            let weight = try #require(Self.resources(try await Self.search("?code=29463-7", server.client)).first)
            let id = try #require(weight["id"] as? String)
            #expect(try await client.get("\(Self.base)/Observation/\(id)").status == 404)
            let patients = try await client.get("\(Self.base)/Patient").json
            #expect(Self.resources(patients).first?["birthDate"] == nil)
            #expect(try await client.get("/fhir/R4/people/ben/Observation").status == 403)
        }
    }
}
