import Foundation
import PostgreSQLTestSupport
import Testing

@testable import HealthServer

@Suite("hk serve, hk person and hk token", .timeLimit(.minutes(15)))
struct ServeCommandTests {
    private static func json(_ line: String?) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? [String: Any])
    }

    /// Starts a server and returns it with the port and the sign-in link.
    private static func serve(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> (process: HKProcess, client: TestClient, signIn: String) {
        let process = try HKProcess(["serve", "--port", "0", "--json"] + arguments, environment: environment)
        var lines = process.lines.makeAsyncIterator()
        let answer = try json(await lines.next())
        let url = try #require((answer["url"] as? String).flatMap { URL(string: $0) })
        let signIn = try #require((answer["signIn"] as? String).flatMap { URL(string: $0) })
        return (
            process, TestClient(port: try #require(url.port), token: nil), signIn.path + "?" + (signIn.query ?? "")
        )
    }

    @Test("Without options: the default store, the person me, a link that signs in; SIGTERM ends it")
    func plain() async throws {
        let folder = try TemporaryServerFolder()
        let (process, client, signIn) = try await Self.serve(
            [], environment: ["XDG_DATA_HOME": folder.path, "HEALTHKIT_STORE": ""])
        let code = try #require(try await client.get(signIn).headers["location"]?.split(separator: "/").last)
        let signedIn = try await client.post("/v1/session", json: #"{"code":"\#(code)"}"#)
        let cookie = String(try #require(signedIn.headers["set-cookie"]?.split(separator: ";").first))
        let secret = try #require(signedIn.json["csrfToken"] as? String)
        let session = try await client.get("/v1/session", headers: ["Cookie": cookie, "X-CSRF-Token": secret])
        #expect((session.json["people"] as? [[String: Any]])?.map { $0["person"] as? String } == ["me"])
        #expect(session.json["isServerOwner"] as? Bool == true)
        #expect(try await client.post("/v1/session", json: #"{"code":"\#(code)"}"#).status == 401)
        #expect(try await client.get("/").status == 200)
        let environment = ["XDG_DATA_HOME": folder.path, "HEALTHKIT_STORE": ""]
        let list = try await HKProcess.run(["token", "list", "--browsers"], environment: environment)
        let id = String(try #require(list.lines.last?.split(separator: " ").first))
        #expect(list.lines.count == 2 && list.lines[1].contains("browser"), "\(list.lines)")
        #expect(try await HKProcess.run(["token", "revoke", id], environment: environment).status == 0)
        let ended = try await client.get("/v1/session", headers: ["Cookie": cookie, "X-CSRF-Token": secret])
        #expect(ended.status == 401)
        process.terminate()
        #expect(await process.status() == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/openhealthkit")
        #expect(files.contains("health.sqlite.server"))
    }

    @Test("--demo serves a fictional person, and leaves nothing")
    func demo() async throws {
        let folder = try TemporaryServerFolder()
        let process = try HKProcess(
            ["serve", "--demo", "--port", "0", "--json"], environment: ["TMPDIR": folder.path, "HEALTHKIT_STORE": ""])
        var answer: [String: Any] = [:]
        for await line in process.lines where line.hasPrefix("{") {
            answer = try Self.json(line)
            break
        }
        let link = try #require((answer["signIn"] as? String).flatMap { URL(string: $0) })
        let client = TestClient(port: try #require(link.port), token: nil)
        let redirect = try await client.get(link.path + "?" + (link.query ?? ""))
        let code = try #require(redirect.headers["location"]?.split(separator: "/").last)
        let session = try await client.post("/v1/session", json: #"{"code":"\#(code)"}"#)
        #expect(session.json["isDemo"] as? Bool == true)
        let cookie = String(try #require(session.headers["set-cookie"]?.split(separator: ";").first))
        let secret = try #require(session.json["csrfToken"] as? String)
        let types = try await client.get(
            "/v1/people/me/types", headers: ["Cookie": cookie, "X-CSRF-Token": secret])
        #expect((types.json["types"] as? [Any])?.count ?? 0 > 20)
        process.terminate()
        #expect(await process.status() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("A token has a rate behind a proxy, and none on this machine alone")
    func rate() async throws {
        let folder = try TemporaryServerFolder()
        // A clock that stands still.
        let (data, clock) = (["--data", folder.path], ["HEALTHKIT_NOW": "2025-11-16T20:00:00Z"])
        #expect(try await HKProcess.run(["person", "add", "anna"] + data).status == 0)
        let made = try await HKProcess.run(
            ["token", "add", "Script", "--person", "anna", "--all"] + data, environment: clock)
        for (options, refused) in [([], 0), (["--public-url", "https://health.example.org"], 20)] {
            let port = try PostgreSQLServer.freePort()
            let process = try HKProcess(["serve", "--port", "\(port)", "--json"] + data + options, environment: clock)
            var lines = process.lines.makeAsyncIterator()
            #expect(await lines.next() != nil)
            let script = TestClient(port: port, token: made.lines.first)
            var count = 0
            for _ in 0..<420 where try await script.get("/v1/people").status == 429 { count += 1 }
            #expect(count == refused, "\(options)")
            process.terminate()
            #expect(await process.status() == 0)
        }
    }

    @Test(
        "A private network: a link, and another one as a QR code for a phone",
        arguments: [("127.0.0.1", "127.0.0.0/8"), ("[::1]", "::1/128")])
    func lan(address: String, range: String) async throws {
        let host = address.trimmingCharacters(in: ["[", "]"])
        guard LocalNetwork.find(address: host) != nil else { return }
        let folder = try TemporaryServerFolder()
        // This machine’s own network, which every machine has.
        let process = try HKProcess([
            "serve", "--lan", "--yes", "--host", address, "--port", "0", "--store", folder.path + "/a.sqlite",
        ])
        var lines: [String] = []
        var links: [URL] = []
        for await line in process.lines {
            lines.append(line)
            if line.contains("/sign-in?code=") {
                links += [try #require(URL(string: line.trimmingCharacters(in: .whitespaces)))]
            }
            if links.count == 2 { break }
        }
        #expect(lines.contains("A phone in the network \(range) signs in with this one, once and within an hour:"))
        let drawn = lines.filter { $0.contains("█") }
        #expect(drawn.count > 12 && Set(drawn.map(\.count)).count == 1, "\(lines)")
        #expect(
            links.allSatisfy { $0.absoluteString.hasPrefix("http://\(address):") } && Set(links).count == links.count)
        for link in links {
            let client = TestClient(port: try #require(link.port), host: host, token: nil)
            let target = try await client.get(link.path + "?" + (link.query ?? "")).headers["location"]
            let code = try #require(target?.split(separator: "/").last)
            #expect(try await client.post("/v1/session", json: #"{"code":"\#(code)"}"#).status == 200)
        }
        process.terminate()
        #expect(await process.status() == 0)
    }

    @Test("Many people: added, given tokens and removed while the server runs")
    func people() async throws {
        let folder = try TemporaryServerFolder()
        let data = ["--data", folder.path]
        let (process, client, _) = try await Self.serve(data)
        #expect(try await HKProcess.run(["person", "add", "anna", "--name", "Anna Berg"] + data).status == 0)
        #expect(try await HKProcess.run(["person", "add", "anna"] + data).status != 0)
        let list = try await HKProcess.run(["person", "list", "--json"] + data)
        #expect(list.lines == [#"[{"name":"Anna Berg","person":"anna"}]"#])
        let made = try await HKProcess.run(
            [
                "token", "add", "Script", "--read", "stepCount,heartRate", "--share", "bodyMass", "--expires", "30d",
                "--json",
            ] + data)
        let token = try Self.json(made.lines.first)
        let secret = try #require(token["token"] as? String)
        #expect(secret.hasPrefix("ohk_") && token["people"] as? [String] == ["anna"])
        let answer = try await client.with(token: secret).get("/v1/people/anna/samples?type=stepCount")
        #expect(answer.status == 200, "\(answer.text)")
        let device = try await HKProcess.run(["token", "add", "Phone", "--person", "anna", "--sync"] + data)
        #expect(device.status == 0)
        let tokens = try await HKProcess.run(["token", "list"] + data)
        // A device reads nothing, unlike a token that acts as the person.
        #expect(tokens.lines.contains { $0.contains(#/^\w+ +Phone +anna +send a device’s data /#) })
        #expect(
            tokens.lines.contains { $0.contains("Script") && $0.contains("read heartRate stepCount, write bodyMass") })
        #expect(!tokens.lines.joined().contains(secret))
        #expect(try await HKProcess.run(["token", "revoke", "Script"] + data).status == 0)
        #expect(try await client.with(token: secret).get("/v1/people/anna/samples?type=stepCount").status == 401)
        let link = try await HKProcess.run(
            ["person", "link", "anna", "--url", "http://127.0.0.1:\(client.port)"] + data)
        let url = try #require(link.lines.first.flatMap { URL(string: $0) })
        let target = try await client.get(url.path + "?" + (url.query ?? "")).headers["location"]
        #expect(target?.hasPrefix("/#/code/") == true)
        #expect(try await HKProcess.run(["person", "remove", "anna"] + data).status != 0)
        #expect(try await HKProcess.run(["person", "remove", "anna", "--yes"] + data).status == 0)
        #expect(try await HKProcess.run(["person", "list", "--json"] + data).lines == ["[]"])
        process.terminate()
        #expect(await process.status() == 0)
    }

    @Test("Encrypted stores of many people are served with the key; without it, the server says so")
    func encrypted() async throws {
        let folder = try TemporaryServerFolder()
        let (key, data) = (folder.path + "/key", ["--data", folder.path + "/people"])
        #expect(try await HKProcess.run(["key", "make", key]).status == 0)
        let environment = ["HEALTHKIT_KEY_FILE": key]
        for person in ["anna", "ben"] {
            #expect(try await HKProcess.run(["person", "add", person] + data, environment: environment).status == 0)
        }
        let made = try await HKProcess.run(["token", "add", "n", "--owner", "--json"] + data, environment: environment)
        let token = try #require(Self.json(made.lines.first)["token"] as? String)
        let (process, client, _) = try await Self.serve(data, environment: environment)
        let owner = client.with(token: token)
        for (person, steps) in [("anna", 73), ("ben", 74)] {
            let saved = try await owner.post(
                "/v1/people/\(person)/samples",
                json:
                    #"{"samples":[{"type":"stepCount","startDate":"2025-05-01T08:00:00Z","endDate":"2025-05-01T08:10:00Z","quantity":\#(steps),"unit":"count"}]}"#
            )
            #expect((200...201).contains(saved.status), "\(saved.text)")
            let sum = try await owner.get("/v1/people/\(person)/statistics?type=stepCount")
            #expect(sum.text.contains("\(steps)"), "\(sum.text)")
        }
        process.terminate()
        #expect(await process.status() == 0)
        for person in ["anna", "ben"] {
            let status = try await HKProcess.run(["key", "--store", "\(folder.path)/people/\(person)/health.sqlite"])
            #expect(status.lines.first?.contains("is encrypted.") == true, "\(status.lines)")
        }
        let (without, stranger, _) = try await Self.serve(data)
        let refused = try await stranger.with(token: token).get("/v1/people/anna/types")
        #expect(refused.status == 503 && refused.code == "storeUnavailable", "\(refused.text)")
        #expect(refused.json["detail"] as? String == "The store is encrypted, and the server doesn’t have its key.")
        without.terminate()
        #expect(await without.status() == 0)
    }

    /// The files below a folder that contain one of some texts.
    private static func files(below folder: String, containing texts: [String]) throws -> [String] {
        let names = try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])
        return names.filter { name in
            guard let contents = FileManager.default.contents(atPath: folder + "/" + name) else { return false }
            return texts.contains { contents.range(of: Data($0.utf8)) != nil }
        }
    }

    @Test(
        "Documents that ingest doesn’t understand are sealed beside an encrypted store, also those kept before it was encrypted"
    )
    func encryptedJournal() async throws {
        let folder = try TemporaryServerFolder()
        let people = folder.path + "/people"
        let (key, data) = (folder.path + "/key", ["--data", people])
        func post(_ client: TestClient, _ name: String, _ value: Int) async throws {
            let metric = IngestFixture.metric(name, "count", #"{"date":"2026-02-06 14:30:00 +0100","qty":\#(value)}"#)
            let answer = try await client.post(
                "/v1/people/anna/ingest/health-auto-export", json: #"{"data":{\#(metric)}}"#)
            #expect(answer.status == 200 && answer.text.contains(name), "\(answer.text)")
        }
        #expect(try await HKProcess.run(["person", "add", "anna"] + data).status == 0)
        let made = try await HKProcess.run(["token", "add", "n", "--owner", "--json"] + data)
        let token = try #require(Self.json(made.lines.first)["token"] as? String)
        let (plain, first, _) = try await Self.serve(data)
        try await post(first.with(token: token), "Zaunkoenig", 918_273)
        plain.terminate()
        #expect(await plain.status() == 0)
        let clear = try Self.files(below: people, containing: ["Zaunkoenig"])
        #expect(
            clear.contains { $0.hasSuffix("ingest-kept.ndjson") }
                && clear.contains { $0.hasSuffix("ingest-reports.json") }, "\(clear)")

        #expect(try await HKProcess.run(["key", "make", key]).status == 0)
        let environment = ["HEALTHKIT_KEY_FILE": key]
        let added = try await HKProcess.run(
            ["key", "add", "--store", people + "/anna/health.sqlite"], environment: environment)
        #expect(added.status == 0, "\(added.lines)")
        for _ in 0..<2 {
            let (sealed, second, _) = try await Self.serve(data, environment: environment)
            let owner = second.with(token: token)
            try await post(owner, "Xanthippe", 192_837)
            let report = try await owner.get("/v1/people/anna/ingest/report")
            // Each entry once, also when the server starts again.
            #expect(report.json["kept"] as? Int == 2, "\(report.text)")
            #expect(report.text.contains("Zaunkoenig") && report.text.contains("Xanthippe"))
            sealed.terminate()
            #expect(await sealed.status() == 0)
            #expect(try Self.files(below: people, containing: ["Zaunkoenig", "918273", "Xanthippe", "192837"]) == [])
        }

        // The key of the journal was derived from that of the store, which no longer exists.
        let removed = try await HKProcess.run(
            ["key", "remove", "--store", people + "/anna/health.sqlite"], environment: environment)
        #expect(removed.status == 0, "\(removed.lines)")
        let (decrypted, third, _) = try await Self.serve(data)
        let report = try await third.with(token: token).get("/v1/people/anna/ingest/report")
        #expect(
            report.json["kept"] as? Int == 0 && (report.json["reports"] as? [Any])?.isEmpty == true, "\(report.text)")
        decrypted.terminate()
        #expect(await decrypted.status() == 0)
    }

    @Test(
        "Wrong options are refused before anything is served",
        arguments: [
            ["--host", "0.0.0.0"], ["--tls-certificate", "a.pem"], ["--port", "70000"],
            ["--data", "/tmp", "--store", "/tmp/a"],
            ["--public-url", "example.org"], ["--map-tiles", "example.org"], ["--map-attribution", "x"],
            ["--allow-origin", "*"], ["--allow-origin", "https://example.org/app"],
            ["--rate", "0"], ["--time-zone", "Berlin"], ["--yes"], ["--lan", "--allow-insecure"],
            ["--lan", "--public-url", "https://example.org"], ["--lan", "--yes", "--host", "203.0.113.250"],
            // Nobody can be asked whether the network is theirs.
            ["--lan", "--host", "127.0.0.1"],
        ])
    func refused(arguments: [String]) async throws {
        let folder = try TemporaryServerFolder()
        let run = try await HKProcess.run(
            ["serve"] + arguments, environment: ["HEALTHKIT_STORE": folder.path + "/a.sqlite"])
        #expect(run.status != 0)
        #expect(run.lines.first?.hasPrefix("Error: ") == true, "\(run.lines)")
    }
}
