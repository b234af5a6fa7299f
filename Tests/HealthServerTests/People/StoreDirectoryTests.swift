import Foundation
import HealthEngine
import HealthStorage
import HealthTesting
import PostgreSQLTestSupport
import Testing

@testable import HealthAccess
@testable import HealthServer
@testable import HealthStoragePostgreSQL

@Suite("The stores of people")
struct StoreDirectoryTests {
    @Test("People are added, listed and removed; two directories over one folder agree")
    func people() throws {
        let folder = try TemporaryServerFolder()
        let (one, two) = (
            StoreDirectory(location: .folder(folder.path)), StoreDirectory(location: .folder(folder.path))
        )
        #expect(try one.people().isEmpty)
        try one.create("anna", name: "Anna Berg")
        try two.create("ben")
        #expect(
            try one.people() == [
                PersonSummary(person: "anna", name: "Anna Berg"), PersonSummary(person: "ben", name: "ben"),
            ])
        #expect(throws: DirectoryError.self) { try two.create("anna") }
        _ = try one.store(of: "ben")
        try one.remove("ben")
        #expect(try two.people().map(\.person) == ["anna"])
        #expect(throws: DirectoryError.self) { try one.remove("ben") }
        #expect(throws: Problem.self) { try one.store(of: "ben") }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/anna")[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test(
        "An identifier can’t leave the folder or be hidden",
        arguments: [
            "", ".", "..", ".server", "a/b", "../a", "a b", "ä", "-a", "a\u{0}", String(repeating: "a", count: 65),
        ])
    func invalid(identifier: String) throws {
        let folder = try TemporaryServerFolder()
        let directory = StoreDirectory(location: .folder(folder.path))
        #expect(!PersonIdentifier.isValid(identifier))
        #expect(throws: DirectoryError.self) { try directory.create(identifier) }
        #expect(throws: Problem.self) { try directory.store(of: identifier) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(
        "Identifiers",
        arguments: ["a", "Anna", "anna.berg@example.org", "9", "a-b_c", String(repeating: "a", count: 64)])
    func valid(identifier: String) {
        #expect(PersonIdentifier.isValid(identifier))
    }

    @Test("A store is opened once, and the least recently used ones are closed beyond the limit")
    func limit() throws {
        let folder = try TemporaryServerFolder()
        let clock = TestClock()
        let directory = StoreDirectory(location: .folder(folder.path), maximumOpen: 2, now: { clock.now })
        for person in ["a", "b", "c"] { try directory.create(person) }
        let used = try directory.store(of: "a")
        #expect(try directory.store(of: "a") === used)
        clock.advance(by: 1)
        weak let second = try directory.store(of: "b")
        #expect(directory.openCount == 2)
        clock.advance(by: 1)
        _ = try directory.store(of: "a")
        clock.advance(by: 1)
        _ = try directory.store(of: "c")
        // b was used least recently; it is unused, so it is closed.
        #expect(second == nil)
        #expect(directory.openCount == 2)
        clock.advance(by: 1)
        _ = try directory.store(of: "b")
        // a was dropped, but the test still uses it: it is found again instead of opened twice.
        #expect(directory.openCount == 3)
        #expect(try directory.store(of: "a") === used)
    }

    @Test("Another program removes a person and adds one of the same name", arguments: [false, true])
    func replaced(inDatabase: Bool) throws {
        let folder = try TemporaryServerFolder()
        // Another address, and so other connections, as of another program.
        let (one, other) =
            inDatabase
            ? (
                StoreLocation.database(try PostgreSQLServer.shared().url("schema=replaced")),
                StoreLocation.database(try PostgreSQLServer.shared().url("schema=replaced&application_name=other"))
            ) : (.folder(folder.path), .folder(folder.path))
        let (directory, program) = (StoreDirectory(location: one), StoreDirectory(location: other))
        try program.create("anna")
        let removed = try directory.store(of: "anna")
        let identity = try removed.engine.storage.read { try $0.identity() }
        try program.remove("anna")
        let error = #expect(throws: (any Error).self) { try directory.store(of: "anna").engine.lastSequence() }
        #expect(error.map { Problem($0).code } == .notFound)
        #expect(throws: Problem.self) { try directory.store(of: "anna") }
        try program.create("anna")
        let store = try directory.store(of: "anna")
        #expect(store !== removed)
        #expect(try store.engine.storage.read { try $0.identity() } != identity)
        #expect(directory.openStore(of: "anna") === store)
        try program.remove("anna")
    }

    @Test("While a store is being opened, others are found")
    func openingTakesLong() throws {
        let server = try PostgreSQLServer.shared()
        let url = server.url("schema=gated")
        let directory = StoreDirectory(location: .database(url))
        for person in ["anna", "ben"] { try directory.create(person) }
        let anna = try directory.store(of: "anna")
        let other = try PostgreSQLDatabase(PostgreSQLAddress(url))
        defer { other.close() }
        let lease = try other.pool.lease()
        try lease.run { try $0.script("BEGIN; LOCK TABLE gated.store") }
        let isOpen = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            if (try? directory.store(of: "ben")) != nil { isOpen.signal() }
        }
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%gated.open_store(%'"
        while try server.psql(waiting) == ["0"] {}
        #expect(directory.openStore(of: "anna") === anna)
        #expect(try directory.store(of: "anna") === anna)
        #expect(directory.openStore(of: "ben") == nil)
        try lease.run { try $0.script("ROLLBACK") }
        isOpen.wait()
        #expect(directory.openStore(of: "ben") != nil)
        directory.close()
    }

    @Test(
        "What tokens permit is read without keeping stores open, those of a database together",
        arguments: [false, true])
    func permissions(inDatabase: Bool) throws {
        let folder = try TemporaryServerFolder()
        let location =
            inDatabase
            ? StoreLocation.database(try PostgreSQLServer.shared().url("schema=permissions")) : .folder(folder.path)
        let (people, granted) = (["anna", "ben", "cora"], ["heartRate", "stepCount", "bodyMass"])
        let maker = TokenIssuer(location: location)
        var tokens: [Credential] = []
        for (person, type) in zip(people, granted) {
            try StoreDirectory(location: location).create(person)
            var request = TokenIssuer.Request(name: type, scope: .application, people: [person])
            request.grants = TokenGrants(read: .some([type]), share: .all)
            tokens.append(try maker.issue(request).token)
        }
        var request = TokenIssuer.Request(name: "all", scope: .application, people: people)
        request.grants = TokenGrants(read: .some(["heartRate"]))
        tokens.append(try maker.issue(request).token)
        tokens.append(try maker.issue(TokenIssuer.Request(name: "owner", scope: .owner, people: nil)).token)
        maker.close()
        let directory = StoreDirectory(location: location)
        let issuer = TokenIssuer(stores: directory, registry: maker.registry)
        let found = try issuer.permissions(of: tokens)
        for (token, (person, type)) in zip(tokens, zip(people, granted)) {
            let own = try #require(found[token.id])
            #expect(own.map(\.person) == [person])
            #expect(own[0].read == ["HKQuantityTypeIdentifier" + type.prefix(1).uppercased() + type.dropFirst()])
            #expect(own[0].share.count > 50)
        }
        #expect(found[tokens[3].id]?.map(\.person) == people)
        #expect(found[tokens[3].id]?.map(\.read.count) == [1, 1, 1])
        #expect(found.count == 4 && directory.openCount == 0)
        try directory.remove("ben")
        #expect(try issuer.permissions(of: tokens[1]).isEmpty)
        #expect(try issuer.permissions(of: tokens[3]).map(\.person) == ["anna", "cora"])
        for person in ["anna", "cora"] { try directory.remove(person) }
    }

    @Test("A person isn’t said to exist in a database that can’t be asked")
    func unreachable() throws {
        let directory = StoreDirectory(location: .database("postgresql://127.0.0.1:1/health"))
        let error = #expect(throws: StorageError.self) { try directory.create("anna") }
        #expect(error?.kind == .unreachable)
        #expect(throws: StorageError.self) { try directory.exists("anna") }
        #expect(try !directory.exists("../anna"))
    }

    @Test("Unused stores are closed after some time")
    func idle() throws {
        let folder = try TemporaryServerFolder()
        let clock = TestClock()
        let directory = StoreDirectory(location: .folder(folder.path), maximumOpen: 10, now: { clock.now })
        for person in ["a", "b"] { try directory.create(person) }
        _ = try directory.store(of: "a")
        clock.advance(by: 100)
        let used = try directory.store(of: "b")
        directory.closeUnused(for: 300)
        #expect(directory.openCount == 2)
        clock.advance(by: 200)
        directory.closeUnused(for: 300)
        #expect(directory.openCount == 1)
        clock.advance(by: 200)
        directory.closeUnused(for: 300)
        // b is still used.
        #expect(directory.openCount == 1)
        #expect(try used.engine.lastSequence() == 0)
        directory.close()
        #expect(throws: StorageError.self) { try used.engine.lastSequence() }
    }

    @Test("The only store is created when it is used first, one of many is not")
    func creation() throws {
        let folder = try TemporaryServerFolder()
        let single = StoreDirectory(location: .store(folder.path + "/new/health.sqlite"))
        #expect(try single.people().map(\.person) == ["me"])
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
        _ = try single.store(of: "me")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/new/health.sqlite"))
        #expect(throws: Problem.self) { try single.store(of: "anna") }
        #expect(throws: DirectoryError.self) { try single.create("anna") }
    }

    @Test("Removing a person takes tokens and sessions along")
    func removal() async throws {
        try await TestServer.with { server async throws in
            let (token, session) = (try server.token(of: "ben"), try server.session(of: ["ben", "anna"]))
            try server.core.registry.removePerson("ben")
            #expect(try server.core.registry.token(secret: token) == nil)
            let secret = try #require(session.cookie.split(separator: "=").last)
            #expect(try server.core.registry.session(secret: secret)?.people == ["anna"])
            // A token that was made meanwhile isn't one of the next person of that name.
            let late = try server.core.registry.addToken(name: "late", scope: .sync, people: ["carl"])
            try server.core.directory.create("carl")
            #expect(try server.core.registry.token(secret: late.secret) == nil)
        }
    }
}
