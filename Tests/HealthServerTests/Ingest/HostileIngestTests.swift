import Foundation
import HealthModel
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite struct HostileIngestTests {
    private static let path = "/v1/people/anna/ingest/health-auto-export"

    @Test(arguments: [
        "", " ", "{", "[]", "7", "{}", #"{"data":7}"#, #"{"data":{}"#, #"{"data":{}} x"#, #"{"data":{"metrics":[}}"#,
        #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[{"date":"2026-02-06 14:30:00 +0000","qty":01}]}]}}"#,
        #"{"data":{"a":"\x"}}"#, #"{"data":{"a":tru}}"#, "{\"data\":{\"a\":\"\u{1}\"}}", #"{"data":{"a":--1}}"#,
        #"{"data":{"a":1e}}"#, #"{"data":{"a":[1,]}}"#, #"{"data":{"a":1,}}"#, #"{'data':{}}"#,
    ])
    func malformedDocumentsAreRejectedCompletely(body: String) async throws {
        try await TestServer.with { server async throws in
            let response = try await server.client.post(Self.path, json: body)
            #expect(response.status == 400)
            #expect(response.code == "invalidBody")
        }
    }

    @Test func nothingOfABrokenDocumentIsSaved() async throws {
        try await TestServer.with { server async throws in
            let entries = (0..<5_000).map { #"{"date":"2026-02-06 14:30:00 +0000","qty":\#($0)}"# }.joined(
                separator: ",")
            let body =
                #"{"data":{"metrics":[{"name":"step_count","units":"count","data":[\#(entries)]}],"workouts":[{]}}"#
            let response = try await server.client.post(
                Self.path, json: body, headers: ["automation-aggregation": "none"])
            #expect(response.status == 400)
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierStepCount").isEmpty)
        }
    }

    @Test func deepNestingAndHugeValuesAreErrors() async throws {
        try await TestServer.with { server async throws in
            for opening in ["[", "{\"a\":"] {
                let deep = #"{"data":{"metrics":"# + String(repeating: opening, count: 200_000)
                #expect(try await server.client.post(Self.path, json: deep).status == 400)
            }
            let digits = #"{"data":{"a":\#(String(repeating: "9", count: 100_000))}}"#
            #expect(try await server.client.post(Self.path, json: digits).status == 400)
            let surrogate = #"{"data":{"metrics":[{"name":"\ud800\u0041\ud83d\ude00","units":"x","data":[1]}]}}"#
            let response = try await server.client.post(Self.path, json: surrogate)
            #expect(response.status == 200)
            #expect(response.json.unknownNames == ["\u{FFFD}A😀"])
        }
    }

    /// Every value of a valid document is replaced by values of other kinds: the answer is a report or a problem, and
    /// the server still answers afterwards.
    @Test func wrongTypesAtEveryPlaceNeverTrap() async throws {
        let document = """
            {"data":{"metrics":[{"name":"heart_rate","units":"bpm","data":[{"date":"2026-02-06 14:30:00 +0000","Min":1,"Avg":2,"Max":3,"source":"x"}]},
            {"name":"sleep_analysis","units":"hr","data":[{"date":"2026-02-06","totalSleep":1,"core":1,"sleepStart":"2026-02-06 01:00:00 +0000","sleepEnd":"2026-02-06 02:00:00 +0000"}]},
            {"name":"blood_pressure","units":"mmHg","data":[{"date":"2026-02-06 14:30:00 +0000","systolic":120,"diastolic":80}]}],
            "workouts":[{"id":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A01","name":"Run","start":"2026-02-06 07:00:00 +0000","end":"2026-02-06 07:03:00 +0000","duration":180,
            "distance":{"qty":0.5,"units":"km"},"heartRateData":[{"date":"2026-02-06 07:00:00 +0000","Avg":110,"units":"bpm"}],
            "route":[{"latitude":52.5,"longitude":13.4,"timestamp":"2026-02-06 07:00:10 +0000"}]}],
            "stateOfMind":[{"id":"5E0C1B53-9B0E-4C69-8F5D-0E4B0F0E0A02","start":"2026-02-06 09:00:00 +0000","kind":"Daily Mood","labels":["Calm"],"valence":0.4}],
            "symptoms":[{"start":"2026-02-06 09:00:00 +0000","name":"Headache","severity":"Mild"}],
            "ecg":[{"start":"2026-02-06 09:00:00 +0000","classification":"Sinus Rhythm","samplingFrequency":512,"voltageMeasurements":[{"voltage":1,"units":"mcV"}]}],
            "heartRateNotifications":[{"start":"2026-02-06 09:00:00 +0000","threshold":120,"heartRate":[{"hr":130}]}],
            "medications":[{"displayText":"A","start":"2026-02-06 09:00:00 +0000","status":"Taken","codings":[{"code":"1","system":"s"}]}]}}
            """
        let root = try JSONSerialization.jsonObject(with: Data(document.utf8))
        let replacements: [Any] = [NSNull(), -1e308, 1e17, "", "x", [Any](), [String: Any](), true, [[[1]]]]
        var variants: [Any] = []
        Self.forEachReplacement(in: root) {
            variants.append($0)
        } with: {
            replacements
        }
        try await TestServer.with { server async throws in
            #expect(variants.count > 300)
            // Every place with three of the nine kinds, which another place follows with the next three.
            for (index, variant) in variants.enumerated() where (index + index / replacements.count) % 3 == 0 {
                let body = try JSONSerialization.data(withJSONObject: variant, options: .fragmentsAllowed)
                let response = try await server.client.send(
                    "POST", Self.path, headers: ["Content-Type": "application/json"], body: body)
                #expect([200, 400].contains(response.status), "\(String(decoding: body, as: UTF8.self))")
            }
            #expect(try await server.client.get("/health").status == 200)
        }
    }

    /// Calls `emit` with copies of a value in which one value within is replaced.
    private static func forEachReplacement(in value: Any, emit: (Any) -> Void, with replacements: () -> [Any]) {
        for replacement in replacements() { emit(replacement) }
        if let object = value as? [String: Any] {
            for (name, member) in object.sorted(by: { $0.key < $1.key }) {
                forEachReplacement(in: member) { changed in
                    var copy = object
                    copy[name] = changed
                    emit(copy)
                } with: {
                    replacements()
                }
            }
        } else if let array = value as? [Any] {
            for (index, element) in array.enumerated() {
                forEachReplacement(in: element) { changed in
                    var copy = array
                    copy[index] = changed
                    emit(copy)
                } with: {
                    replacements()
                }
            }
        }
    }

    @Test func largeBodiesPassThroughAFile() async throws {
        try await TestServer.with { server async throws in
            // The data comes before the name, and the body is larger than what stays in memory.
            let entries = (0..<30_000).map { index in
                #"{"qty":\#(index % 97),"date":"2026-02-0\#(1 + index / 5_000) \#(String(format: "%02d:%02d:%02d", index / 3_600 % 24, index / 60 % 60, index % 60)) +0000","source":"Watch"}"#
            }.joined(separator: ",")
            let body = #"{"data":{"metrics":[{"data":[\#(entries)],"units":"count","name":"step_count"}]}}"#
            #expect(body.utf8.count > IngestBody.maximumInMemory)
            for expected in [30_000, 0] {
                let response = try await server.client.post(
                    Self.path, json: body, headers: ["automation-aggregation": "none"])
                #expect(response.json.total("saved") == expected)
            }
        }
    }

    @Test func temporaryFilesAreReadFromEveryOffset() throws {
        let text = Array("0123456789".utf8)
        let folder = try TemporaryServerFolder()
        let file = try TemporaryFile(in: folder.path)
        try text.withUnsafeBytes { try file.write($0, at: 0) }
        for offset in 0...text.count + 1 {
            var buffer = [UInt8](repeating: 0, count: 4)
            let count = try buffer.withUnsafeMutableBytes { try file.read(at: offset, into: $0) }
            #expect(buffer[..<count] == text.dropFirst(offset).prefix(4))
        }
    }

    @Test func tokenWritesOnlyPermittedTypes() async throws {
        try await TestServer.with { server async throws in
            var fixture = IngestFixture(server)
            fixture.client = server.client.with(
                token: try server.token(share: .some(["stepCount"]), bundleIdentifier: "com.example.exporter"))
            let entry = #"{"date":"2026-02-06 14:30:00 +0000","qty":70}"#
            let both = """
                "metrics":[{"name":"step_count","units":"count","data":[\(entry)]},{"name":"weight_body_mass","units":"kg","data":[\(entry)]}]
                """
            let report = try await fixture.post(both, aggregation: "none")
            #expect(report.total("saved") == 1)
            #expect(report.total("denied") == 1)
            #expect(report.remarks.contains { $0.contains("HKQuantityTypeIdentifierBodyMass") })
            let samples = try fixture.samples("HKQuantityTypeIdentifierStepCount")
            #expect(samples.first?.revision?.source.bundleIdentifier == "com.example.exporter")
            #expect(try fixture.samples("HKQuantityTypeIdentifierBodyMass").isEmpty)
            let denied = try await fixture.send(
                IngestFixture.metric("weight_body_mass", "kg", entry), aggregation: "none")
            #expect(denied.status == 403)
            #expect(denied.code == "authorizationDenied")
            // Another application's reports are not its business.
            try await IngestFixture(server).post(both, aggregation: "none")
            let own = try await fixture.client.get("/v1/people/anna/ingest/report").json["reports"] as? [[String: Any]]
            #expect(own?.count == 2)
            #expect(own?.allSatisfy { $0["application"] as? String == "com.example.exporter" } == true)
        }
    }

    @Test func postsAtTheSameTimeAddNothingTwice() async throws {
        try await TestServer.with { server async throws in
            let fixture = IngestFixture(server)
            let data = IngestFixture.metric(
                "step_count", "count",
                (10..<60).map { #"{"date":"2026-02-06 14:\#($0):01 +0000","qty":\#($0)}"# }.joined(separator: ","))
            try await withThrowingTaskGroup(of: Int.self) { group async throws in
                for _ in 0..<8 {
                    group.addTask { try await fixture.post(data, aggregation: "none").total("saved") ?? -1 }
                }
                #expect(try await group.reduce(0, +) == 50)
            }
            #expect(try fixture.samples("HKQuantityTypeIdentifierStepCount").count == 50)
        }
    }
}
