import Foundation
import HealthStorage
import HealthStoragePostgreSQL
import PostgreSQLTestSupport
import Testing

@testable import HealthAccess

/// The contract of a storage of credentials, over a file and over a database.
@Suite("Credentials in rows", .timeLimit(.minutes(5)))
struct AccessStorageTests {
    enum Backend: String, CaseIterable {
        case file, database
    }

    /// Registries over one storage, as of several processes, with one clock.
    final class Place: Sendable {
        let clock = ManualClock()
        private let storage: @Sendable () -> any AccessStorage
        private let folder: TemporaryFolder

        init(_ backend: Backend) throws {
            folder = try TemporaryFolder()
            let path = folder.path + "/server/access.sqlite"
            guard backend == .database else {
                storage = { AccessFile(path: path) }
                return
            }
            let schema = "access_\(UInt32.random(in: 0 ... .max))"
            let address = try PostgreSQLAddress(try PostgreSQLServer.shared().url("schema=\(schema)"))
            let database = try PostgreSQLDatabase(address)
            storage = { AccessDatabase { database } }
        }

        func registry() -> AccessRegistry { AccessRegistry(storage: storage(), now: { [clock] in clock.now }) }
    }

    @Test(
        "A token is found by its secret until it ends, changes or is revoked, in every process",
        arguments: Backend.allCases)
    func tokens(backend: Backend) throws {
        let place = try Place(backend)
        let (one, two) = (place.registry(), place.registry())
        #expect(try one.tokens().isEmpty && one.token(secret: "ohk_unknown") == nil)
        let names = ["a'b", "“ü”", ""]
        let made = try names.map { name in
            try one.addToken(name: name, scope: .application, people: ["anna", "ben"], expires: place.clock.now + 60)
        }
        #expect(try two.tokens().map(\.id) == made.map(\.token.id).sorted())
        for (secret, token) in made {
            #expect(try two.token(secret: secret) == token)
            #expect(try two.token(id: token.id) == token)
            #expect(try two.token(secret: token.digest ?? "") == nil && two.session(secret: secret) == nil)
        }
        let (secret, token) = made[0]
        let changed = try #require(try one.changeToken(token.id, name: "new", expires: .some(nil)))
        #expect(changed.name == "new" && changed.expires == nil)
        #expect(try one.changeToken(token.id, name: nil, expires: nil) == changed)
        place.clock.now += 60
        #expect(try two.token(secret: secret)?.id == token.id && two.token(secret: made[1].secret) == nil)
        #expect(try one.revokeToken(token.id)?.id == token.id)
        #expect(try two.token(secret: secret) == nil && two.revokeToken(token.id) == nil)
        #expect(try one.changeToken(token.id, name: "x", expires: nil) == nil)
    }

    @Test(
        "Signed-in browsers are listed of everyone or of some people, the last ones first", arguments: Backend.allCases)
    func browsers(backend: Backend) throws {
        let place = try Place(backend)
        let registry = place.registry()
        var made: [String] = []
        for people in [["anna"], ["ben"], ["anna", "ben"], nil] {
            place.clock.now += 1
            made.append(try registry.addSession(people: people).session.id)
        }
        #expect(try registry.sessions().map(\.id) == made.reversed())
        #expect(try registry.sessions(limit: 1).map(\.id) == [made[3]])
        #expect(try registry.sessions(of: ["anna"]).map(\.id) == [made[2], made[0]])
        #expect(try registry.sessions(of: ["ben", "anna"], limit: 2).map(\.id) == [made[2], made[1]])
        #expect(try registry.session(id: made[1])?.people == ["ben"])
        let token = try registry.addToken(name: "a", scope: .owner, people: nil).token
        #expect(try registry.session(id: token.id) == nil)
        place.clock.now += AccessRegistry.sessionSeconds
        #expect(try registry.sessions().isEmpty && registry.session(id: made[1]) == nil)
    }

    @Test("Tokens are listed in pages, of everyone or of some people", arguments: Backend.allCases)
    func pages(backend: Backend) throws {
        let place = try Place(backend)
        let registry = place.registry()
        for number in 0..<7 {
            place.clock.now += Double(number / 3)
            let people = number == 0 ? nil : number % 2 == 0 ? ["anna", "ben"] : ["carl"]
            _ = try registry.addToken(name: "\(number)", scope: .owner, people: people)
        }
        _ = try registry.addSession(people: ["anna"])
        func names(_ people: [String]?, limit: Int) throws -> [[String]] {
            var pages: [[String]] = []
            var last: AccessRegistry.TokenPosition?
            while true {
                let page = try registry.tokens(of: people, after: last, limit: limit)
                if page.isEmpty { return pages }
                pages.append(page.map(\.name))
                last = page.last.map { ($0.created, $0.id) }
            }
        }
        #expect(try names(nil, limit: 3).map(\.count) == [3, 3, 1])
        #expect(Set(try names(nil, limit: 2).joined()) == Set((0..<7).map(String.init)))
        #expect(Set(try names(["anna", "ben"], limit: 2).joined()) == ["2", "4", "6"])
        #expect(try names(["carl"], limit: 10).map(Set.init) == [["1", "3", "5"]])
        #expect(try names(["dora"], limit: 10).isEmpty)
    }

    @Test("Uses are written in one transaction, and a later one isn't replaced", arguments: Backend.allCases)
    func uses(backend: Backend) throws {
        let place = try Place(backend)
        let (one, two) = (place.registry(), place.registry())
        let made = try (0..<3).map { _ in try one.addToken(name: "a", scope: .owner, people: nil) }
        for token in made.dropFirst() { _ = try one.token(secret: token.secret) }
        place.clock.now += 59
        _ = try one.token(secret: made[1].secret)
        place.clock.now += 1
        _ = try two.token(secret: made[2].secret)
        #expect(try two.token(id: made[1].token.id)?.lastUsed == nil)
        try two.flush()
        try one.flush()
        let found = try Dictionary(uniqueKeysWithValues: two.tokens().map { ($0.id, $0.lastUsed) })
        let start = ManualClock.start
        #expect(made.map { found[$0.token.id] ?? nil } == [nil, start, start + 60])
    }

    @Test("Sessions end by themselves, with their token, and with a code's one use", arguments: Backend.allCases)
    func sessions(backend: Backend) throws {
        let place = try Place(backend)
        let registry = place.registry()
        let code = try registry.addSignInCode(people: ["anna"])
        let (secret, session) = try #require(try registry.signIn(code: code))
        #expect(try registry.signIn(code: code) == nil && registry.signIn(code: "x") == nil)
        #expect(try registry.session(secret: secret) == session)
        #expect(try registry.token(secret: secret) == nil && session.people == ["anna"])
        let link = try registry.addToken(
            name: "Dr. Berg", scope: .link, people: ["anna"], expires: place.clock.now + 100
        ).token
        let opened = try registry.addSession(people: link.people, token: link)
        #expect(Identity(opened.session).isLink && Identity(opened.session).name == "Dr. Berg")
        #expect(Identity(opened.session).application?.bundleIdentifier == link.bundleIdentifier)
        try registry.changeToken(link.id, name: nil, expires: place.clock.now + 50)
        place.clock.now += 50
        #expect(try registry.session(secret: opened.secret) == nil && registry.session(secret: secret) != nil)
        let owner = try registry.addToken(name: "o", scope: .owner, people: nil).token
        let other = try registry.addSession(people: nil, token: owner)
        try registry.revokeToken(owner.id)
        #expect(try registry.session(secret: other.secret) == nil)
        try registry.endSession(session.id)
        #expect(try registry.session(secret: secret) == nil)
        let late = try registry.addSignInCode(people: nil)
        let last = try registry.addSession(people: nil)
        place.clock.now += AccessRegistry.codeSeconds
        #expect(try registry.signIn(code: late) == nil)
        place.clock.now += AccessRegistry.sessionSeconds
        #expect(try registry.session(secret: last.secret) == nil && registry.credential("id", last.session.id) != nil)
        try registry.flush()
        #expect(try registry.credential("id", last.session.id) == nil && registry.tokens().count == 1)
    }

    @Test("The most sessions are a person's own, and links have theirs", arguments: Backend.allCases)
    func limits(backend: Backend) throws {
        let place = try Place(backend)
        let registry = place.registry()
        let link = try registry.addToken(
            name: "l", scope: .link, people: ["anna"], expires: place.clock.now + 10_000
        ).token
        let others = try [
            registry.addSession(people: nil), registry.addSession(people: ["ben"]),
            registry.addSession(people: ["anna", "ben"]), registry.addSession(people: ["anna"], token: link),
        ]
        let own = (0..<AccessRegistry.maximumPerPerson).map { number in
            place.clock.now += 1
            var session = Credential(.session, people: ["anna"], created: place.clock.now)
            (session.expires, session.digest) = (session.created + 10_000, Secret.digest("\(number)"))
            return session
        }
        try registry.write(own.flatMap(registry.insertion))
        place.clock.now += 1
        let last = try registry.addSession(people: ["anna"])
        #expect(try registry.session(secret: "0") == nil)
        for secret in (1..<own.count).map(String.init) + (others + [last]).map(\.secret) {
            guard try registry.session(secret: secret) != nil else { return #expect(Bool(false), "\(secret)") }
        }
    }

    @Test(
        "What a client has belongs to its token; a refresh token is used up by one exchange",
        arguments: Backend.allCases)
    func clients(backend: Backend) throws {
        let place = try Place(backend)
        let (one, two) = (place.registry(), place.registry())
        func isUnknown(_ secret: String, _ client: String = "c") throws -> Bool {
            let (tokens, reused) = try one.refresh(secret, client: client)
            return tokens == nil && reused == nil
        }
        let token = try one.addToken(name: "a", scope: .application, people: ["anna"]).token
        let first = try one.addClientTokens(of: token, client: "c")
        #expect(try two.token(secret: first.access)?.id == token.id && two.token(secret: first.refresh) == nil)
        #expect(try two.clientToken(secret: first.refresh)?.token.id == token.id)
        #expect(try isUnknown(first.access) && isUnknown(first.refresh, "d"))
        let second = try #require(try two.refresh(first.refresh, client: "c").tokens)
        #expect(try one.token(secret: second.access)?.people == ["anna"])
        let again = try one.refresh(first.refresh, client: "c")
        #expect(again.tokens == nil && again.reused == token.id)
        #expect(try one.tokens(limit: 10).map(\.id) == [token.id])
        try one.changeToken(token.id, name: nil, expires: place.clock.now + 60)
        let third = try #require(try one.refresh(second.refresh, client: "c").tokens)
        #expect(third.expires == place.clock.now + 60)
        place.clock.now += 60
        #expect(try one.token(secret: third.access) == nil && isUnknown(third.refresh))
        try one.changeToken(token.id, name: nil, expires: .some(nil))
        #expect(try one.refresh(third.refresh, client: "c").tokens != nil, "the person lets it go on")
        try one.revokeToken(token.id)
        #expect(try isUnknown(first.refresh))
    }

    @Test("A person who is removed loses all; those of others stay", arguments: Backend.allCases)
    func people(backend: Backend) throws {
        let place = try Place(backend)
        let registry = place.registry()
        let own = try registry.addToken(name: "own", scope: .owner, people: ["ben"])
        let shared = try registry.addToken(name: "shared", scope: .cohort, people: ["ben", "anna", "benny"])
        let all = try registry.addToken(name: "all", scope: .owner, people: nil)
        let code = try registry.addSignInCode(people: ["ben"])
        let session = try registry.addSession(people: ["ben"], token: own.token)
        try registry.setPassword(Self.hash.get(), of: "ben")
        try registry.removePerson("ben")
        #expect(try registry.token(secret: own.secret) == nil && registry.session(secret: session.secret) == nil)
        #expect(try registry.token(secret: shared.secret)?.people == ["anna", "benny"])
        #expect(try registry.token(secret: all.secret) != nil)
        #expect(try registry.signIn(code: code) == nil && registry.password(of: "ben") == nil)
        #expect(try registry.tokens(of: ["ben"], limit: 10).isEmpty)
        #expect(try registry.tokens(of: ["benny"], limit: 10).map(\.id) == [shared.token.id])
    }

    private static let hash = Result { try PasswordHash("four words nobody expects", rounds: 2) }

    @Test("A password ends the sessions and the known browsers of the one before", arguments: Backend.allCases)
    func passwords(backend: Backend) throws {
        let place = try Place(backend)
        let registry = place.registry()
        for person in ["anna", nil] {
            #expect(try registry.password(of: person) == nil && !registry.removePassword(of: person))
            try registry.setPassword(Self.hash.get(), of: person)
            let stored = try #require(try registry.password(of: person, browser: "unknown"))
            #expect(try stored.hash == Self.hash.get() && stored.browser == nil)
            let browser = try registry.addBrowser(stored)
            #expect(try registry.password(of: person, browser: browser)?.browser != nil)
            let sessions = try (0..<2).map { _ in
                try registry.addSession(people: person.map { [$0] }, password: stored.id)
            }
            var other = try Self.hash.get()
            other.salt = Data()
            try registry.setPassword(other, of: person, keeping: sessions[1].session.id)
            #expect(try registry.session(secret: sessions[0].secret) == nil)
            #expect(try registry.session(secret: sessions[1].secret) != nil)
            #expect(try registry.password(of: person, browser: browser)?.browser == nil)
            #expect(try registry.password(of: person)?.hash == other)
            // The password was changed while the one before was checked.
            #expect(try registry.addSession(stored, browser: "late") == nil)
            let present = try #require(try registry.password(of: person))
            let late = try #require(try registry.addSession(present, browser: "late"))
            #expect(late.browser != nil && late.session.session.name == "late")
            try registry.setPassword(Self.hash.get(), of: person, keeping: late.session.session.id)
            #expect(try registry.session(secret: late.session.secret) != nil)
            #expect(try registry.session(secret: sessions[1].secret) == nil, "kept by the change before only")
            #expect(try registry.removePassword(of: person))
            #expect(try registry.session(secret: late.session.secret) == nil)
        }
    }

    @Test("Changes at the same time are all kept", arguments: Backend.allCases)
    func concurrency(backend: Backend) async throws {
        let place = try Place(backend)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                // Each has its own files or connections, like a process.
                group.addTask { _ = try place.registry().addToken(name: "\(number)", scope: .owner, people: nil) }
            }
            try await group.waitForAll()
        }
        #expect(Set(try place.registry().tokens().map(\.name)) == Set((0..<16).map(String.init)))
    }

    @Test("When the last token of an application ends", arguments: Backend.allCases)
    func lastExpiry(backend: Backend) throws {
        let place = try Place(backend)
        let registry = place.registry()
        func add(_ expires: Date?) throws {
            _ = try registry.addToken(
                name: "a", scope: .application, bundleIdentifier: "org.example", people: ["anna"], expires: expires)
        }
        #expect(try registry.lastExpiry(of: "org.example", for: "anna") == nil)
        try add(place.clock.now)
        try add(place.clock.now + 5)
        let end = (place.clock.now + 5).timeIntervalSinceReferenceDate
        #expect(try registry.lastExpiry(of: "org.example", for: "anna") == end)
        try add(nil)
        #expect(try registry.lastExpiry(of: "org.example", for: "anna") == .infinity)
        #expect(try registry.lastExpiry(of: "org.example", for: "ben") == nil)
    }
}
