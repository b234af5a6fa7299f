import Foundation
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("The history of imports, and imports that need a decision")
struct ImportHistoryAPITests {
    private static let path = "/v1/people/anna/imports"

    /// Uploads a file under a name, and waits for the end of its import.
    private static func finished(
        _ body: Data, _ name: String, _ server: TestServer
    ) async throws -> (name: String, data: [String: Any], location: String) {
        let response = try await server.client.send("POST", path + "?name=\(name)", body: body)
        let location = try #require(response.headers["location"])
        let (event, data) = try await TransferFixture.finished(location, server.client)
        return (event, data, location)
    }

    private static func history(_ server: TestServer) async throws -> [[String: Any]] {
        try await server.client.get(path).list("history")
    }

    @Test("Reports stay with the file’s own name, the newest first, also those of other programs and before a restart")
    func reports() async throws {
        let folder = try TemporaryServerFolder()
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            #expect(try await Self.history(server).isEmpty)
            _ = try await Self.finished(TransferFixture.archive(30), "..%2Fmy%20export%0A.xml", server)
            let failed = try await Self.finished(Data("text".utf8), "notes.txt", server)
            let error = try #require(failed.data["error"] as? String)
            #expect(failed.name == "failed" && error.contains("“notes.txt”") && !error.contains(".upload"))
            #expect(failed.data["problem"] as? String == "unrecognized")
            #expect(failed.data["remedy"] == nil && failed.data["name"] as? String == "notes.txt")
        }
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            let history = try await Self.history(server)
            #expect(history.map { $0["file"] as? String } == ["notes.txt", "my export.xml"])
            #expect((history[0]["error"] as? String)?.contains("notes.txt") == true && history[0]["report"] == nil)
            let report = try #require(history[1]["report"] as? [String: Any])
            #expect(report["added"] as? Int == 30)
            #expect(report["types"] as? [String: Int] == ["HKQuantityTypeIdentifierStepCount": 30])
            #expect(history[1]["date"] is String && history[1]["error"] == nil)
            // Neither figures of samples nor their days.
            let text = try await server.client.get(Self.path).text
            #expect(!text.contains("2026-02-05"))
        }
    }

    @Test("A mapping is proposed for the columns of a table, and nothing is stored")
    func proposal() async throws {
        try await TestServer.with(people: ["anna"]) { server in
            func propose(_ table: String) async throws -> TestResponse {
                try await server.client.send(
                    "POST", Self.path + "/proposal?name=scale.csv", headers: ["Content-Type": "text/csv"],
                    body: Data(table.utf8))
            }
            let answer = try await propose("Scale\nDatum;Gewicht (kg)\n13.05.2026 08:00;71,4\n14.05.2026 08:00;71,2\n")
            #expect(answer.status == 200, "\(answer.text)")
            #expect(answer.json["columns"] as? [String] == ["Datum", "Gewicht (kg)"])
            #expect(
                answer.json["rows"] as? [[String]] == [["13.05.2026 08:00", "71,4"], ["14.05.2026 08:00", "71,2"]])
            let mapping = try #require(answer.json["mapping"] as? [String: Any])
            #expect(mapping["source"] as? String == "scale" && mapping["header"] as? Int == 2)
            #expect((mapping["samples"] as? [[String: String]])?.first?["type"] == "bodyMass")
            #expect(try await propose("no table").status == 422)
            #expect(try await Self.history(server).isEmpty)
        }
    }

    @Test("A workout is named at its import and corrected later, and its import is undone")
    func correctAndUndo() async throws {
        let points = ["10", "20", "30"].map { second in
            "<trkpt lat=\"52.\(second)\" lon=\"13\"><time>2023-01-01T10:00:\(second)Z</time></trkpt>"
        }
        let track = Data("<gpx creator=\"x\"><trk><trkseg>\(points.joined())</trkseg></trk></gpx>".utf8)
        try await TestServer.with(people: ["anna"]) { server in
            let imported = try await Self.finished(track, "ride.gpx&activity=cycling", server)
            #expect(imported.name == "done")
            func workouts() async throws -> [[String: Any]] {
                try await server.client.get("/v1/people/anna/workouts").list("workouts")
            }
            let before = try #require(try await workouts().first)
            #expect(before["workoutActivityTypeName"] as? String == "cycling")
            let uuid = try #require(before["uuid"] as? String)
            func patch(_ json: String, _ uuid: String, query: String = "") async throws -> TestResponse {
                try await server.client.send(
                    "PATCH", "/v1/people/anna/workouts/\(uuid)\(query)", headers: ["Content-Type": "application/json"],
                    body: Data(json.utf8))
            }
            let cut = #"{"endDate":"2023-01-01T10:00:20Z"}"#
            let preview = try await patch(cut, uuid, query: "?dryRun=true")
            #expect(preview.json["uuid"] as? String == uuid && preview.json["locationsOutside"] as? Int == 1)
            #expect(try await workouts().first?["endDate"] as? String == before["endDate"] as? String)
            let corrected = try await patch(#"{"workoutActivityType":"hiking","title":"Hills"}"#, uuid)
            #expect(corrected.status == 200)
            let after = try #require(try await workouts().first)
            #expect(after["workoutActivityTypeName"] as? String == "hiking" && after["uuid"] as? String != uuid)
            #expect(corrected.text.contains(after["uuid"] as? String ?? "-"))
            #expect(try await patch("{}", uuid).status == 404)
            let present = try #require(after["uuid"] as? String)
            for (body, status) in [
                (#"{"workoutActivityType":"juggling"}"#, 422), (#"{"title":5}"#, 422), (#"{"startDate":"soon"}"#, 422),
                (#"{"endDate":"2023-01-01T09:00:00Z"}"#, 400),
            ] {
                #expect(try await patch(body, present).status == status, "\(body)")
            }
            let number = try #require(try await Self.history(server).first?["number"] as? Int)
            let place = "\(Self.path)/history/\(number)"
            let account = try await server.client.delete(place + "?dryRun=true")
            #expect(account.text.contains("HKWorkoutTypeIdentifier") && account.text.hasPrefix(#"{"deleted":0,"#))
            #expect(try await workouts().count == 1)
            #expect(try await server.client.delete(place).status == 200)
            #expect(try await workouts().isEmpty)
            #expect(try await Self.history(server).isEmpty)
            for missing in [place, "\(Self.path)/history/x"] {
                #expect(try await server.client.delete(missing).status == 404)
            }
            let wrong = try await server.client.send("POST", Self.path + "?activity=juggling", body: track)
            #expect(wrong.status == 400)
        }
    }

    @Test("A file of a service's archive is read by its own name, and without one the answer says what to give")
    func partOfArchive() async throws {
        let steps = Data(#"[{"dateTime" : "05/01/24 07:00:00", "value" : "25"}]"#.utf8)
        try await TestServer.with(people: ["anna"]) { server in
            let named = try await Self.finished(steps, "steps-2024-05-01.json", server)
            #expect(named.name == "done" && (named.data["report"] as? [String: Any])?["added"] as? Int == 1)
            let nameless = try await Self.finished(steps, "data", server)
            #expect(nameless.name == "failed" && nameless.data["problem"] as? String == "partOfArchive")
            #expect((nameless.data["error"] as? String)?.contains("“data” is like other files") == true)
            #expect(nameless.data["remedy"] == nil)
        }
    }

    @Test("Of a cut archive, what can be read is imported when the person says so, without sending it again")
    func cutArchive() async throws {
        let folder = try TemporaryServerFolder()
        let body = TransferFixture.archive(2_000)
        let location = try await TestServer.with(folder: folder, people: ["anna"]) { server in
            let (name, data, location) = try await Self.finished(body.dropLast(20_000), "export.xml", server)
            #expect(name == "failed" && data["remedy"] as? String == "recover")
            #expect(data["problem"] as? String == "incomplete")
            let error = try #require(data["error"] as? String)
            #expect(error.contains("“export.xml”") && !error.contains("--") && !error.contains("ImportOptions"))
            // It isn't imported by itself, nor is it an import that ended.
            #expect(try await Self.history(server).isEmpty)
            #expect(TransferFixture.uploads(in: folder.path).count == 1)
            return location
        }
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            let waiting = try await server.client.get(Self.path).list("imports")
            #expect(waiting.map { $0["state"] as? String } == ["failed"])
            #expect(waiting.map { $0["remedy"] as? String } == ["recover"])
            let reader = server.client.with(token: try server.token(scope: .owner, isReadOnly: true))
            #expect(try await reader.send("POST", location + "/retry?recover=true").status == 403)
            #expect(try await server.client.send("POST", location + "/retry?recover=x").status == 400)
            let again = try await server.client.send("POST", location + "/retry?recover=true")
            #expect(again.status == 202)
            let (name, data) = try await TransferFixture.finished(location, server.client)
            #expect(name == "done")
            let added = try #require((data["report"] as? [String: Any])?["added"] as? Int)
            #expect(added > 1_500 && added < 2_000)
            #expect(TransferFixture.uploads(in: folder.path).isEmpty)
            #expect(try await Self.history(server).count == 1)
            #expect(try await server.client.send("POST", location + "/retry?recover=true").status == 409)
        }
    }

    @Test("Another person’s archive is imported when the person says so; without a decision, it expires")
    func otherPerson() async throws {
        try await TestServer.with { server in
            _ = try await Self.finished(TransferFixture.archive(1), "a.xml", server)
            let other = Data(
                String(decoding: TransferFixture.archive(2), as: UTF8.self).replacing("1990", with: "1991").utf8)
            let first = try await Self.finished(other, "b.xml", server)
            #expect(first.data["remedy"] as? String == "anyPerson")
            // A wrong decision changes nothing.
            _ = try await server.client.send("POST", first.location + "/retry?recover=true")
            #expect(
                try await TransferFixture.finished(first.location, server.client).data["remedy"] as? String
                    == "anyPerson")
            _ = try await server.client.send("POST", first.location + "/retry?anyPerson=true")
            #expect(try await TransferFixture.finished(first.location, server.client).name == "done")
            let another = Data(String(decoding: other, as: UTF8.self).replacing("1991", with: "1992").utf8)
            _ = try await Self.finished(another, "c.xml", server)
            #expect(TransferFixture.uploads(in: server.folder).count == 1)
            server.clock.advance(by: UploadFile.lifetime + 1)
            server.core.tidy(isMinute: true, isHour: true)
            #expect(TransferFixture.uploads(in: server.folder).isEmpty)
        }
    }
}
