import Foundation
import HealthEngine
import HealthModel
import HealthTesting
import NIOCore
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Answers that are kept")
struct AnswerCacheTests {
    private let folder: TemporaryServerFolder
    private let cache: AnswerCache
    private let key = AnswerCache.Key(
        route: "statistics", query: "type=stepCount", caller: .person, timeZone: .gmt)

    init() throws {
        folder = try TemporaryServerFolder()
        cache = AnswerCache(path: folder.path + "/store")
    }

    /// Changes the store's log as another process would, some seconds ago.
    private func commit(_ text: String, secondsAgo: Double) throws {
        let path = folder.path + "/store-wal"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: path)
    }

    @Test("An answer is known until the store changes, by another process as well")
    func validity() throws {
        try commit("a", secondsAgo: 100)
        let (unknown, version) = cache.answer(to: key)
        #expect(unknown == nil)
        cache.keep(ByteBuffer(string: "1"), for: key, of: version)
        #expect(cache.answer(to: key).0 == ByteBuffer(string: "1"))
        var other = key
        other.bundleIdentifier = "app"
        #expect(cache.answer(to: other).0 == nil)
        // The log has the same size when it is written again from its beginning.
        try commit("b", secondsAgo: 50)
        #expect(cache.answer(to: key).0 == nil)
        // What was computed before a change isn't kept as the state after it.
        cache.keep(ByteBuffer(string: "1"), for: key, of: version)
        #expect(cache.answer(to: key).0 == nil)
    }

    @Test("Nothing is kept just after a change, because the next may have the same date")
    func settling() throws {
        try commit("a", secondsAgo: 0)
        let (_, version) = cache.answer(to: key)
        cache.keep(ByteBuffer(string: "1"), for: key, of: version)
        #expect(cache.answer(to: key).0 == nil)
    }

    @Test("Through a symbolic link to the store, its changes are seen as well")
    func symbolicLink() throws {
        try Data("store".utf8).write(to: URL(fileURLWithPath: folder.path + "/store"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/store")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -200)], ofItemAtPath: folder.path + "/store")
        try commit("a", secondsAgo: 100)
        let cache = AnswerCache(path: folder.path + "/link")
        let (_, version) = cache.answer(to: key)
        cache.keep(ByteBuffer(string: "1"), for: key, of: version)
        #expect(cache.answer(to: key).0 == ByteBuffer(string: "1"))
        try commit("b", secondsAgo: 50)
        #expect(cache.answer(to: key).0 == nil)
    }

    @Test("Large answers are not kept")
    func size() throws {
        try commit("a", secondsAgo: 100)
        let (_, version) = cache.answer(to: key)
        cache.keep(ByteBuffer(repeating: 0, count: 300 << 10), for: key, of: version)
        #expect(cache.answer(to: key).0 == nil)
    }
}

@Suite("Answers that are repeated over HTTP")
struct RepeatedAnswerTests {
    private static let path = "statistics?type=stepCount&start=2025-05-01&end=2025-05-08&interval=day"

    /// Asks until an answer is kept, which takes until the store's files are not new any more.
    private static func keepAnswer(_ api: APIFixture) async throws {
        let person = try api.server.core.directory.store(of: "anna")
        func isKept() -> Bool {
            person.answers.answer(
                to: AnswerCache.Key(
                    route: "statistics", query: String(path.drop { $0 != "?" }.dropFirst()), caller: .person,
                    timeZone: .gmt,
                    day: LocalClock(timeZone: .gmt).dayNumber(
                        at: api.server.clock.now.timeIntervalSinceReferenceDate))
            ).0 != nil
        }
        while !isKept() { _ = try await api.get(path) }
    }

    /// Sends requests on one connection and returns everything that is received, without dates.
    private static func received(_ api: APIFixture, _ token: String, _ paths: [String]) async throws -> [String] {
        let connection = try await TestConnection(port: api.server.port)
        let last = paths.count - 1
        let requests = paths.enumerated().map { index, path in
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
                + (index == last ? "Connection: close\r\n\r\n" : "\r\n")
        }
        try await connection.send(requests.joined())
        return try await connection.receivedUntilClosed().components(separatedBy: "\r\n").filter {
            !$0.lowercased().hasPrefix("date:")
        }
    }

    @Test("Kept answers need the same token, are those that were computed, and come in the order of requests")
    func serving() async throws {
        try await APIFixture.run { api in
            try api.save("stepCount", "count", [("2025-05-01T08:00:00Z", 60, 10)])
            let (week, health) = (APIFixture.root + Self.path, "/health")
            let token = try api.server.token(scope: .owner)
            let computed = try await Self.received(api, token, [week, health])
            try await Self.keepAnswer(api)
            let known = try await Self.received(api, token, [week, health])
            #expect(known.sorted() == computed.sorted())
            #expect(known.contains { $0.contains("sumQuantity") } && known.first == "HTTP/1.1 200 OK")
            // Someone else's token, and none.
            #expect(try await Self.received(api, "ohk_wrong", [week, health]).first?.contains(" 401 ") == true)
            let other = try await Self.received(api, api.server.token(read: .some([])), [week, health])
            #expect(other.first == "HTTP/1.1 200 OK" && !other.contains { $0.contains("sumQuantity") })
            // Kept and other answers on one connection.
            let all = try await Self.received(
                api, token, [week, health, week, APIFixture.root + "nothing", week, week])
            let found = all.joined(separator: "\n").matches(of: /HTTP\/1.1 \d+|"status":"ok"|"sumQuantity":10/).map {
                String($0.output)
            }
            let (answer, sum) = ("HTTP/1.1 200", "\"sumQuantity\":10")
            #expect(
                found == [
                    answer, sum, answer, "\"status\":\"ok\"", answer, sum, "HTTP/1.1 404", answer, sum, answer, sum,
                ])
            // A change is seen by the next request, and a revoked token ends.
            try api.save("stepCount", "count", [("2025-05-02T08:00:00Z", 60, 20)])
            #expect(try await Self.received(api, token, [week, health]).contains { $0.contains("\"sumQuantity\":20") })
            try await Self.keepAnswer(api)
            for record in try api.server.core.registry.tokens() { try api.server.core.registry.revokeToken(record.id) }
            #expect(try await Self.received(api, token, [week, health]).first?.contains(" 401 ") == true)
        }
    }

    @Test("An answer isn't sent again to a client that has it, until it changes or may not be read any more")
    func revalidation() async throws {
        try await APIFixture.run { api in
            try api.save("stepCount", "count", [("2025-05-01T08:00:00Z", 60, 10)])
            let token = try api.server.token(read: .some(["stepCount"]))
            let id = try #require(try api.server.core.registry.tokens().first { $0.name == "test" }).id
            let first = try await api.get(Self.path, token: token)
            let tag = try #require(first.headers["etag"])
            #expect(tag.hasPrefix("W/\"") && first.headers["cache-control"] == "no-store")
            func again(
                _ path: String = Self.path, _ method: String = "GET", by other: String? = nil,
                fields: [String: String] = [:]
            ) async throws -> TestResponse {
                try await api.client.with(token: other ?? token).send(
                    method, APIFixture.root + path, headers: ["If-None-Match": "\"a\", \(tag)"].merging(fields) { $1 })
            }
            for (method, fields) in [
                ("GET", [:]), ("HEAD", [:]), ("GET", ["Accept-Encoding": "gzip"]),
                ("GET", ["If-None-Match": String(tag.dropFirst(2))]), ("GET", ["If-None-Match": "*"]),
            ] {
                let same = try await again(Self.path, method, fields: fields)
                #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag, "\(method) \(fields)")
                #expect(same.headers["content-type"] == nil && same.headers["cache-control"] == "no-store")
            }
            // The same before and after it is kept, for another token that reads the same.
            try await Self.keepAnswer(api)
            #expect(try await again(by: api.server.ownerToken).status == 304)
            // Other intervals, another figure, time zone, format and person.
            for path in ["&fill=true", "&options=duration", "&timeZone=Asia/Tokyo"] {
                let other = try await again(Self.path + path)
                #expect(other.status == 200 && ![nil, tag].contains(other.headers["etag"]), "\(path)")
            }
            let csv = try await again(fields: ["Accept": "text/csv"])
            #expect(csv.status == 200 && csv.text.contains("10"))
            let ben = try await api.client.get(
                "/v1/people/ben/" + Self.path, headers: ["If-None-Match": tag])
            #expect(ben.status == 404)
            // A change, and back.
            try api.save("stepCount", "count", [("2025-05-02T08:00:00Z", 60, 20)])
            let changed = try await again()
            #expect(changed.status == 200 && changed.text.contains("20") && changed.headers["etag"] != tag)
            #expect(try await again(fields: ["If-None-Match": changed.headers["etag"] ?? ""]).status == 304)
            // What the token may not read any more isn't confirmed either.
            let fields = ["Content-Type": "application/json"]
            let change = try await api.client.send(
                "PATCH", "/v1/tokens/\(id)", headers: fields, body: Data(#"{"read":[],"share":[]}"#.utf8))
            #expect(change.status == 200, "\(change.text)")
            let denied = try await again(fields: ["If-None-Match": changed.headers["etag"] ?? ""])
            #expect(denied.status == 200 && !denied.text.contains("sumQuantity"))
            try api.server.core.registry.revokeToken(id)
            let revoked = try await again(fields: ["If-None-Match": "*"])
            #expect(revoked.status == 401 && revoked.headers["etag"] == nil)
        }
    }
}
