import Foundation
import HealthEngine
import HealthModel
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite struct ImportsTests {
    private static let path = "/v1/people/anna/imports"

    @Test func anArchiveInOneRequest() async throws {
        try await TestServer.with { server in
            let body = TransferFixture.archive(5_000)
            for (added, there) in [(5_000, 0), (0, 5_000)] {
                let response = try await server.client.send("POST", Self.path, body: body)
                #expect(response.status == 202)
                let location = try #require(response.headers["location"])
                let (name, data) = try await TransferFixture.finished(location, server.client)
                #expect(name == "done")
                let report = try #require(data["report"] as? [String: Any])
                #expect(report["added"] as? Int == added)
                #expect(report["alreadyThere"] as? Int == there || report["known"] as? Bool == true)
                #expect(data["offset"] as? Int == body.count)
            }
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierStepCount").count == 5_000)
            // The uploads are gone.
            let folder = try server.core.directory.store(of: "anna").workFolder + "/imports"
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test("An import that waits or runs can be canceled; one that the end of the server interrupts begins again")
    func cancellation() async throws {
        try await TestServer.with { server in
            var location = ""
            try await TransferFixture.whileImportsWait(server) {
                let made = try await server.client.send("POST", Self.path, body: TransferFixture.archive(1_000))
                location = try #require(made.headers["location"])
                #expect(try await server.client.delete(location).status == 202)
            }
            let (name, data) = try await TransferFixture.finished(location, server.client)
            #expect(name == "failed" && data["error"] as? String == "The import was canceled.")
            #expect(TransferFixture.uploads(in: server.folder).isEmpty)
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierStepCount").isEmpty)

            try await TransferFixture.whileImportsWait(server) {
                _ = try await server.client.send("POST", Self.path, body: TransferFixture.archive(1_000))
                server.core.imports.end()
            }
            // Until the threads are free again, after both.
            for _ in 0..<2 { try await server.core.pool.runTransfer {} }
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierStepCount").isEmpty)
            let upload = try #require(TransferFixture.uploads(in: server.folder).first)
            #expect(FileManager.default.fileExists(atPath: upload))
        }
    }

    @Test func filesOfDevicesAreRecognized() async throws {
        try await TestServer.with { server in
            let point = { (second: Int) in
                "<trkpt lat=\"52.\(second)\" lon=\"13\"><time>2024-05-01T10:00:\(second)Z</time><hr>1\(second)</hr></trkpt>"
            }
            let gpx = "<gpx creator=\"x\"><trk><trkseg>\(point(10))\(point(20))</trkseg></trk></gpx>"
            for (body, added) in [(gpx, 4), (gpx, 0), (String(gpx.dropLast(21)), 0)] {
                let response = try await server.client.send("POST", Self.path, body: Data(body.utf8))
                let location = try #require(response.headers["location"])
                let (name, data) = try await TransferFixture.finished(location, server.client)
                #expect(name == "done")
                let report = try #require(data["report"] as? [String: Any])
                #expect(report["added"] as? Int == added)
                #expect(report["skipped"] as? Int == (body == gpx ? 0 : 1))
            }
            let text = try await server.client.send("POST", Self.path, body: Data("text".utf8))
            let location = try #require(text.headers["location"])
            #expect(try await TransferFixture.finished(location, server.client).name == "failed")
        }
    }

    @Test func interruptedUploadContinues() async throws {
        try await TestServer.with { server in
            let body = TransferFixture.archive(30_000)
            let created = try await server.client.send("POST", Self.path, headers: ["Upload-Length": "\(body.count)"])
            #expect(created.status == 201)
            let location = try #require(created.headers["location"])
            // The connection breaks in the middle of a body.
            var sent = 0
            var cuts = 0
            while sent < body.count, cuts < 4 {
                let half = (body.count - sent) / 2
                let connection = try await TestConnection(port: server.port)
                let head = """
                    PATCH \(location) HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(server.ownerToken)\r\n\
                    Upload-Offset: \(sent)\r\nContent-Length: \(body.count - sent)\r\n\r\n
                    """
                try await connection.send(Data(head.utf8) + body[sent..<sent + half])
                // The offset tells what has arrived; closing before that would cut more. Nothing arrives while the
                // server still reads what was sent before.
                for _ in 0..<5_000 {
                    let offset =
                        try await server.client.send("HEAD", location).headers["upload-offset"].flatMap { Int($0) } ?? 0
                    if offset > sent || half < 1 << 20 { break }
                }
                await connection.close()
                var state = try await server.client.get(location)
                for _ in 0..<200 {
                    state = try await server.client.get(location)
                    let again = try await server.client.send("HEAD", location).headers["upload-offset"]
                    if again == state.headers["upload-offset"] { break }
                }
                sent = try #require(state.headers["upload-offset"].flatMap { Int($0) })
                #expect(state.json["state"] as? String == "uploading")
                cuts += 1
            }
            var wrong: TestResponse
            repeat {
                wrong = try await server.client.send(
                    "PATCH", location, headers: ["Upload-Offset": "\(body.count)"], body: Data([1]))
                #expect(wrong.status == 409)
                // The request whose connection was closed may not have ended yet.
            } while wrong.headers["retry-after"] != nil
            #expect(wrong.headers["upload-offset"] == "\(sent)")
            var rest: TestResponse?
            for _ in 0..<200 {
                sent = try #require(
                    try await server.client.send("HEAD", location).headers["upload-offset"].flatMap { Int($0) })
                rest = try await server.client.send(
                    "PATCH", location, headers: ["Upload-Offset": "\(sent)"], body: body[sent...])
                if rest?.status == 204 { break }
            }
            #expect(rest?.status == 204)
            let (name, data) = try await TransferFixture.finished(location, server.client)
            #expect(name == "done")
            #expect((data["report"] as? [String: Any])?["added"] as? Int == 30_000)
        }
    }

    @Test func anUploadSurvivesARestart() async throws {
        let folder = try TemporaryServerFolder()
        let body = TransferFixture.archive(100)
        let location = try await TestServer.with(folder: folder, people: ["anna"]) { server in
            let created = try await server.client.send("POST", Self.path, headers: ["Upload-Length": "\(body.count)"])
            let location = created.headers["location"] ?? ""
            let part = try await server.client.send(
                "PATCH", location, headers: ["Upload-Offset": "0"], body: body[..<50])
            #expect(part.headers["upload-offset"] == "50")
            return location
        }
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            let list = try await server.client.get(Self.path).list("imports")
            #expect(list.map { $0["state"] as? String } == ["uploading"])
            #expect(try await server.client.send("HEAD", location).headers["upload-offset"] == "50")
            let rest = try await server.client.send(
                "PATCH", location, headers: ["Upload-Offset": "50"], body: body[50...])
            #expect(rest.status == 204)
            #expect(try await TransferFixture.finished(location, server.client).name == "done")
        }
    }

    /// The server is killed between the last byte and the import.
    @Test func anUploadThatIsCompleteIsImportedAfterARestart() async throws {
        let folder = try TemporaryServerFolder()
        let body = TransferFixture.archive(100)
        let location = try await TestServer.with(folder: folder, people: ["anna"]) { server in
            let created = try await server.client.send("POST", Self.path, headers: ["Upload-Length": "\(body.count)"])
            return created.headers["location"] ?? ""
        }
        let id = try #require(location.split(separator: "/").last)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let upload = try #require(files.first { $0.hasSuffix("\(id).upload") })
        try Data(body).write(to: URL(fileURLWithPath: folder.path + "/" + upload))
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            let (name, _) = try await TransferFixture.finished(location, server.client)
            #expect(name == "done")
        }
    }

    /// The files on the disk while the archive waits are those that a kill leaves. Nobody asks the next server for the import.
    @Test(.timeLimit(.minutes(15)), arguments: [false, true])
    func anAcknowledgedArchiveIsImportedAfterAKill(isChunked: Bool) async throws {
        let (folder, left) = (try TemporaryServerFolder(), try TemporaryServerFolder())
        let body = TransferFixture.archive(100)
        let id = try await TestServer.with(folder: folder, people: ["anna"]) { server in
            try await TransferFixture.whileImportsWait(server) { () async throws -> String in
                let connection = try await TestConnection(port: server.port)
                try await connection.send(
                    "POST \(Self.path) HTTP/1.1\r\nHost: localhost:\(server.port)\r\nAuthorization: Bearer \(server.ownerToken)\r\n"
                        + "Connection: close\r\n"
                        + (isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(body.count)\r\n\r\n"))
                if isChunked { try await connection.send(String(body.count, radix: 16) + "\r\n") }
                try await connection.send(body)
                if isChunked { try await connection.send("\r\n0\r\n\r\n") }
                let answer = try await connection.receivedUntilClosed()
                #expect(answer.hasPrefix("HTTP/1.1 202"))
                let list = try await server.client.get(Self.path).list("imports")
                #expect(list.map { $0["state"] as? String } == ["waiting"])
                #expect(list.map { $0["length"] as? Int } == [body.count])
                for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                    try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: left.path + "/" + name)
                }
                return try #require(list.first?["id"] as? String)
            }
        }
        try await TestServer.with(folder: left, people: ["anna"]) { server in
            while !TransferFixture.uploads(in: left.path).isEmpty { await Task.yield() }
            let (name, data) = try await TransferFixture.finished(Self.path + "/" + id, server.client)
            #expect(name == "done")
            #expect((data["report"] as? [String: Any])?["added"] as? Int == 100)
            let list = try await server.client.get(Self.path).list("imports")
            #expect(list.map { $0["id"] as? String } == [id])
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierStepCount").count == 100)
        }
    }

    @Test(.timeLimit(.minutes(15)))
    func anArchiveThatWaitsWhenTheServerEndsIsImportedByTheNext() async throws {
        let folder = try TemporaryServerFolder()
        let body = TransferFixture.archive(100)
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            try await TransferFixture.whileImportsWait(server) {
                #expect(try await server.client.send("POST", Self.path, body: body).status == 202)
                let upload = try #require(TransferFixture.uploads(in: folder.path).first)
                #expect(FileLock(upload) == nil)
                Task { await server.stop() }
                // The import is canceled before the server waits for what runs.
                while FileLock(upload) == nil { await Task.yield() }
            }
        }
        #expect(TransferFixture.uploads(in: folder.path).count == 1)
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            while !TransferFixture.uploads(in: folder.path).isEmpty { await Task.yield() }
            let id = try #require(try await server.client.get(Self.path).list("imports").first?["id"] as? String)
            #expect(try await TransferFixture.finished(Self.path + "/" + id, server.client).name == "done")
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierStepCount").count == 100)
        }
    }

    @Test func anUploadThatNobodyContinuesIsRemovedAndForgotten() async throws {
        try await TestServer.with { server in
            let created = try await server.client.send("POST", Self.path, headers: ["Upload-Length": "10"])
            let location = try #require(created.headers["location"])
            server.core.tidy(isMinute: true, isHour: true)
            #expect(try await server.client.send("HEAD", location).status == 200)
            server.clock.advance(by: UploadFile.lifetime + 1)
            server.core.tidy(isMinute: true, isHour: true)
            #expect(TransferFixture.uploads(in: server.folder).isEmpty)
            #expect(try await server.client.send("HEAD", location).status == 404)
            #expect(try await server.client.get(Self.path).list("imports").isEmpty)
        }
    }

    @Test func onlyIncompleteUploadsExpire() throws {
        let folder = try TemporaryServerFolder()
        func upload(length: Int?, count: Int) throws -> UploadFile {
            let upload = try UploadFile(
                creatingIn: folder.path,
                announcement: UploadFile.Announcement(
                    length: length, mirrors: false, acceptsAnyPerson: false, timeZone: nil, created: 0))
            try upload.append([UInt8](repeating: 1, count: count), at: 0)
            return upload
        }
        let (whole, unknown) = (try upload(length: 3, count: 3), try upload(length: nil, count: 3))
        let (part, busy, completed) = (
            try upload(length: 3, count: 2), try upload(length: 3, count: 2), try upload(length: nil, count: 3)
        )
        try completed.complete(length: 3)
        let lock = try #require(FileLock(busy.path))
        UploadFile.removeExpired(in: folder.path, now: UploadFile.lifetime)
        #expect(
            Set(UploadFile.all(in: folder.path).map(\.id)) == [whole.id, unknown.id, part.id, busy.id, completed.id])
        UploadFile.removeExpired(in: folder.path, now: UploadFile.lifetime + 1)
        withExtendedLifetime(lock) {}
        let left = UploadFile.all(in: folder.path)
        #expect(Set(left.map(\.id)) == [whole.id, busy.id, completed.id])
        #expect(Set(left.filter(\.isWhole).map(\.id)) == [whole.id, completed.id])
        #expect(!unknown.exists && !part.exists)
    }

    @Test(
        "An archive with which the server ended again and again is given up, and one for another store is removed; both when somebody asks"
    )
    func uploadsThatAreNotImported() async throws {
        try await TestServer.with { server in
            let folder = try server.core.directory.store(of: "anna").workFolder + "/imports"
            func upload(_ announcement: UploadFile.Announcement) throws -> UploadFile {
                let upload = try UploadFile(creatingIn: folder, announcement: announcement)
                try upload.append(Array(TransferFixture.archive(100)), at: 0)
                try upload.complete(length: upload.offset)
                return upload
            }
            let base = UploadFile.Announcement(
                length: nil, mirrors: false, acceptsAnyPerson: true, timeZone: nil, created: 0)
            var (ending, foreign) = (base, base)
            ending.attempts = UploadFile.maximumAttempts
            foreign.store = UUID()
            let (first, second) = (try upload(ending), try upload(foreign))
            #expect(!ImportJobs.hasWaiting(in: folder) && first.isGivenUp)
            let list = try await server.client.get(Self.path).list("imports")
            #expect(list.map { $0["id"] as? String } == [first.id.uuidString.lowercased()])
            #expect(list.map { $0["state"] as? String } == ["failed"])
            #expect(first.exists && !second.exists)
            #expect(
                try await server.client.send("DELETE", Self.path + "/" + first.id.uuidString.lowercased()).status == 204
            )
            #expect(!first.exists)
            #expect(try IngestFixture(server).samples("HKQuantityTypeIdentifierStepCount").isEmpty)
        }
    }

    @Test(
        "Uploads are found in the order of their creation, are kept alive when they are continued, and wait for a store that is unavailable"
    )
    func waitingUploads() throws {
        let folder = try TemporaryServerFolder()
        let uploads = try [3.0, 1, 2].map { created in
            try UploadFile(
                creatingIn: folder.path,
                announcement: UploadFile.Announcement(
                    length: 1, mirrors: false, acceptsAnyPerson: false, timeZone: nil, created: created))
        }
        #expect(UploadFile.all(in: folder.path).map(\.announcement.created) == [1, 2, 3])
        try uploads[1].recordContinuation(at: 10)
        UploadFile.removeExpired(in: folder.path, now: UploadFile.lifetime + 5)
        #expect(UploadFile.all(in: folder.path).map(\.id) == [uploads[1].id])
        try uploads[1].append([1], at: 0)
        try uploads[1].recordAttempt(begins: true)
        try uploads[1].recordAttempt(begins: true)
        try uploads[1].recordAttempt(begins: false)
        let job = ImportJob(try #require(UploadFile.all(in: folder.path).first), store: "store")
        #expect(job.upload.announcement.attempts == 1 && job.begin() && !job.isRemovable)
        job.postpone("The disk is full.")
        #expect(job.status.status.state == "waiting" && job.status.status.error == "The disk is full.")
        #expect(job.isRemovable && !job.isActive)
        #expect(job.begin())
        #expect(job.status.status.error == nil && job.isActive && !job.isRemovable)
        try uploads[1].recordAttempt(begins: true)
        #expect(!uploads[1].isGivenUp)
        try uploads[1].recordAttempt(begins: true)
        #expect(uploads[1].isGivenUp)
        UploadFile.removeExpired(in: folder.path, now: UploadFile.lifetime + 11)
        #expect(uploads[1].exists, "it is locked")
        job.interrupt()
        UploadFile.removeExpired(in: folder.path, now: UploadFile.lifetime + 11)
        #expect(!uploads[1].exists)
    }

    /// Two servers over one folder find the same upload.
    @Test func oneServerImportsAnUpload() throws {
        let folder = try TemporaryServerFolder()
        let upload = try UploadFile(
            creatingIn: folder.path,
            announcement: UploadFile.Announcement(
                length: 1, mirrors: false, acceptsAnyPerson: false, timeZone: nil, created: 0))
        try upload.append([1], at: 0)
        let (one, other) = (ImportJob(upload, store: "store"), ImportJob(upload, store: "store"))
        #expect(one.begin())
        #expect(!one.begin() && !other.begin())
        one.interrupt()
        #expect(other.begin())
    }

    @Test func eventsEndWithTheirToken() async throws {
        try await TestServer.with { server in
            let location = try #require(
                try await server.client.send("POST", Self.path, headers: ["Upload-Length": "100"]).headers["location"])
            let token = try server.token(scope: .owner)
            let stream = try await server.client.with(token: token).open("GET", location + "/events")
            var events = EventReader(stream)
            #expect(try await events.next().name == "progress")
            let id = try #require(try server.core.registry.token(secret: token)?.id)
            try server.core.registry.revokeToken(id)
            let part = try await server.client.send(
                "PATCH", location, headers: ["Upload-Offset": "0"], body: Data(repeating: 65, count: 50))
            #expect(part.status == 204)
            await #expect(throws: (any Error).self) { _ = try await events.next() }
            await stream.close()
        }
    }

    @Test func eventsEndWithTheServer() async throws {
        try await TestServer.with { server in
            let location = try #require(
                try await server.client.send("POST", Self.path, headers: ["Upload-Length": "100"]).headers["location"])
            let stream = try await server.client.open("GET", location + "/events")
            #expect(stream.status == 200)
            #expect(server.core.streams.count == 1)
            await server.stop()
            // A stream that was cut off would throw.
            for try await _ in stream.body {}
            #expect(server.core.streams.count == 0)
        }
    }

    @Test func fileThatIsNotAnArchiveFails() async throws {
        try await TestServer.with { server in
            let response = try await server.client.send("POST", Self.path, body: Data("Dear diary".utf8))
            let location = try #require(response.headers["location"])
            let (name, data) = try await TransferFixture.finished(location, server.client)
            #expect(name == "failed")
            let error = try #require(data["error"] as? String)
            #expect(error.contains("the upload") && !error.contains("/"))
            #expect(try await server.client.send("POST", Self.path).status == 400)
            #expect(try await server.client.send("POST", Self.path, headers: ["Upload-Length": "-1"]).status == 400)
            #expect(
                try await server.client.send("POST", Self.path, headers: ["Upload-Length": "99999999999999"]).status
                    == 413)
            #expect(try await server.client.get(Self.path + "/" + UUID().uuidString).status == 404)
            #expect(try await server.client.get(Self.path + "/../../x").status == 404)
            let reader = try server.client.with(token: server.token(share: .some(["stepCount"])))
            #expect(try await reader.send("POST", Self.path, body: Data("x".utf8)).status == 403)
        }
    }
}
