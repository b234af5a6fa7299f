import Foundation
import HealthModel
import HealthTesting
import Testing

@testable import HealthServer

@Suite struct ShortcutsTests {
    private static let path = "/v1/people/anna/ingest/shortcuts"

    @Test func aSampleAsJSON() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let body = #"{"type":"bodyMass","value":70.5,"unit":"kg","date":"2026-02-06T08:00:00+01:00"}"#
            for (key, expected) in [("saved", 1), ("alreadyThere", 1)] {
                let response = try await server.client.post(Self.path, json: body)
                #expect(response.json.total(key) == expected)
            }
            let sample = try #require(try fixture.samples("HKQuantityTypeIdentifierBodyMass").first)
            #expect(sample.value == 70.5 && sample.unit == "kg")
            #expect(sample.start == IngestFixture.instant("2026-02-06 07:00:00 +0000"))
            #expect(sample.revision?.source.name == "Shortcuts")
        }
    }

    @Test func listsAreLinesOfText() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let body =
                #"{"type":"Heart Rate","value":"61 count/min\n72,5 count/min\n80 count/min","date":"2026-02-06T08:00:00+01:00\n2026-02-06T08:01:00+01:00\n2026-02-06T08:02:00+01:00"}"#
            let response = try await server.client.post(Self.path, json: body)
            #expect(response.json.total("saved") == 3)
            #expect(try fixture.samples("HKQuantityTypeIdentifierHeartRate").map(\.value) == [61, 72.5, 80])
            let uneven = try await server.client.post(
                Self.path,
                json: #"{"type":"Heart Rate","value":"61\n72","unit":"bpm","date":"2026-02-06T08:00:00+01:00"}"#)
            #expect(uneven.status == 422)
        }
    }

    @Test func formsAndManySamples() async throws {
        try await TestServer.with { server in
            let fixture = IngestFixture(server)
            let form = try await server.client.send(
                "POST", Self.path, headers: ["Content-Type": "application/x-www-form-urlencoded"],
                body: Data("type=dietaryWater&value=250&unit=mL&date=2026-02-06T08%3A00%3A00%2B01%3A00".utf8))
            #expect(form.json.total("saved") == 1)
            let multipart = try await server.client.send(
                "POST", Self.path, headers: ["Content-Type": "multipart/form-data; boundary=AbC"],
                body: Data(
                    "--AbC\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nsleepAnalysis\r\n--AbC\r\nContent-Disposition: form-data; name=\"value\"\r\n\r\nasleepREM\r\n--AbC\r\nContent-Disposition: form-data; name=\"start\"\r\n\r\n2026-02-06T01:00:00Z\r\n--AbC\r\nContent-Disposition: form-data; name=\"end\"\r\n\r\n2026-02-06T02:00:00Z\r\n--AbC--\r\n"
                        .utf8))
            #expect(multipart.json.total("saved") == 1)
            for boundary in ["\"", "\"\"", "", ";", "\";", "\"a", " "] {
                let wrong = try await server.client.send(
                    "POST", Self.path, headers: ["Content-Type": "multipart/form-data; boundary=" + boundary],
                    body: Data(
                        "--a\r\nContent-Disposition: form-data; name=\"type\"\r\n\r\nstepCount\r\n--a--\r\n".utf8))
                #expect((400..<500).contains(wrong.status), "\(boundary)")
            }
            #expect(try fixture.samples("HKCategoryTypeIdentifierSleepAnalysis").map(\.value) == [5])
            let many = try await server.client.post(
                Self.path,
                json:
                    #"{"samples":[{"type":"oxygenSaturation","value":97,"unit":"%","date":"2026-02-06T01:00:00Z"},{"type":"headache","value":"mild"},{"type":"bloodPressure","systolic":120,"diastolic":80,"date":"2026-02-06T01:00:00Z"},{"type":"nonsense","value":1}]}"#
            )
            #expect(many.json.total("saved") == 3)
            #expect(many.json.unknownNames == ["nonsense"])
            #expect(try fixture.samples("HKQuantityTypeIdentifierOxygenSaturation").map(\.value) == [0.97])
            // A sample without a date is of now.
            #expect(
                try fixture.samples("HKCategoryTypeIdentifierHeadache").first?.start
                    == server.clock.now.timeIntervalSinceReferenceDate.rounded(.down))
        }
    }

    @Test(arguments: [
        "{}", #"{"type":"bodyMass"}"#, #"{"type":"bodyMass","value":"heavy","unit":"kg"}"#,
        #"{"type":"bodyMass","value":70}"#,
        #"{"type":"bodyMass","value":70,"unit":"mmHg"}"#, #"{"type":"bodyMass","value":70,"unit":"kg","date":"soon"}"#,
        #"{"type":7}"#, #"{"type":"sleepAnalysis","value":99}"#, #"{"type":"workout","value":1}"#, "7",
    ])
    func mistakesAreExplained(body: String) async throws {
        try await TestServer.with { server in
            let response = try await server.client.post(Self.path, json: body)
            #expect(response.status == 422)
            #expect(response.code == "validationFailed")
        }
    }
}
