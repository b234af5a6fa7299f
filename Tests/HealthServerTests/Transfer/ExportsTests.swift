import Foundation
import Testing

@testable import HealthServer

@Suite struct ExportsTests {
    @Test func exportsInEveryFormat() async throws {
        try await TestServer.with { server in
            let uploaded = try await server.client.send(
                "POST", "/v1/people/anna/imports", body: TransferFixture.archive(200))
            _ = try await TransferFixture.finished(try #require(uploaded.headers["location"]), server.client)
            let beginnings: [(String, [UInt8])] = [
                ("zip", [0x50, 0x4B]), ("csv", [0x50, 0x4B]), ("fhir", [0x50, 0x4B]),
                ("sqlite", Array("SQLite format 3".utf8)),
                ("ndjson", [UInt8(ascii: "{")]),
            ]
            for (format, beginning) in beginnings {
                let response = try await server.client.get("/v1/people/anna/exports?format=\(format)")
                #expect(response.status == 200)
                #expect(Array(response.body.prefix(beginning.count)) == beginning, "\(format)")
                #expect(response.headers["content-length"] == "\(response.body.count)")
            }
            // An archive comes back the same.
            let archive = try await server.client.get("/v1/people/anna/exports?format=zip").body
            let again = try await server.client.send("POST", "/v1/people/ben/imports", body: archive)
            let (_, data) = try await TransferFixture.finished(try #require(again.headers["location"]), server.client)
            #expect((data["report"] as? [String: Any])?["added"] as? Int == 200)
            let lines = try await server.client.get(
                "/v1/people/anna/exports?format=ndjson&types=stepCount&start=2026-02-05T00:00:00%2B01:00&end=2026-02-05T00:00:50%2B01:00"
            )
            #expect(lines.text.split(separator: "\n").count { $0.contains("StepCount") } == 50)
            #expect(try await server.client.get("/v1/people/anna/exports?format=pdf").status == 400)
            #expect(try await server.client.get("/v1/people/anna/exports?start=2026&end=2025").status == 400)
            let folder = try server.core.directory.store(of: "anna").workFolder
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.hasPrefix("export-") })
        }
    }

    /// At the start, when the store is opened, and from time to time.
    @Test func filesOfAKilledServerAreRemovedAndActiveOnesStay() async throws {
        let place = try TemporaryServerFolder()
        // It doesn't run, so that nothing else removes anything.
        let core = try HealthServerApplication(AppConfiguration(location: .folder(place.path))).core
        try core.directory.create("anna")
        let folder = core.configuration.location.workFolder(of: "anna")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        func exports() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains("export-") }
        }
        func leave() throws {
            for name in ["export-1", "export-2"] {
                let path = "\(folder)/\(name)"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try Data("everything".utf8).write(to: URL(fileURLWithPath: path + "/export"))
            }
        }
        let running = try ExportFolder(in: folder)
        try Data("everything".utf8).write(to: URL(fileURLWithPath: running.path + "/export"))
        let name = URL(fileURLWithPath: running.path).lastPathComponent
        try leave()
        _ = try core.directory.store(of: "anna")
        #expect(try exports() == [name])
        try leave()
        core.tidy(isMinute: true, isHour: true)
        #expect(try exports() == [name])
        #expect(FileManager.default.fileExists(atPath: running.path + "/export"))
        running.remove()
        #expect(try exports() == [])
        await core.close()
    }
}
