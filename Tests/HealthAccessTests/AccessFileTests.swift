import Foundation
import HealthStorage
import Synchronization
import Testing

@testable import HealthAccess

@Suite("The file of tokens and sessions")
struct AccessFileTests {
    private static func registry(_ path: String) -> AccessRegistry {
        AccessRegistry(storage: AccessFile(path: path), now: { ManualClock.start })
    }

    @Test("Reading creates nothing; a change creates a file that its owner only can read, and which has no secret")
    func creation() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/new/access.sqlite"
        let registry = Self.registry(path)
        #expect(try registry.tokens().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
        let secret = try registry.addToken(name: "a", scope: .owner, people: nil).secret
        let session = try registry.addSession(people: nil).secret
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/new")
        #expect(files.contains("access.sqlite-wal"))
        for file in files {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/new/\(file)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(file)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/new/\(file)"))
            for text in [secret.dropFirst(Secret.tokenPrefix.count), session[...]] {
                #expect(bytes.firstRange(of: Data(text.utf8)) == nil, "\(file)")
            }
        }
        #expect(
            try FileManager.default.attributesOfItem(atPath: folder.path + "/new")[.posixPermissions] as? Int == 0o700)
    }

    @Test("A file that another program removes or replaces is opened again")
    func replacement() throws {
        let folder = try TemporaryFolder()
        let (path, copy) = (folder.path + "/a.sqlite", folder.path + "/b.sqlite")
        let registry = Self.registry(path)
        let secret = try registry.addToken(name: "a", scope: .owner, people: nil).secret
        _ = try registry.addSession(people: nil)
        try AccessFile(path: path).copy(to: copy)
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        #expect(try registry.token(secret: secret) == nil && registry.tokens().isEmpty)
        #expect(try AccessRegistry.endSignIns(inFile: copy) == 1)
        // All of it is in the file.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["b.sqlite"])
        #expect(rename(copy, path) == 0)
        #expect(try registry.token(secret: secret) != nil)
    }

    @Test(
        "A damaged file is an error, not an empty list",
        arguments: ["{}", String(repeating: "not a database", count: 100)])
    func damage(text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/a.sqlite"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let registry = Self.registry(path)
        #expect(throws: AccessFileError.self) { try registry.tokens() }
        #expect(throws: AccessFileError.self) { try registry.addSignInCode(people: nil) }
        #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
    }
}

@Suite("Secrets")
struct SecretTests {
    @Test("Secrets are URL-safe, long and different, and the hash is SHA-256")
    func make() {
        let secrets = (0..<100).map { _ in Secret.make() }
        #expect(Set(secrets).count == 100)
        #expect(
            secrets.allSatisfy {
                $0.count == 43 && $0.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            })
        #expect(
            Secret.digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(Secret.digest(Data("abc".utf8)) == Secret.digest("abc"))
        #expect(Secret.areEqual("same", "same") && !Secret.areEqual("same", "some") && !Secret.areEqual("a", "ab"))
    }

    @Test("Letters that keyboards write in several ways are the same; short passwords are refused")
    func letters() throws {
        let hash = try PasswordHash("Z\u{FC}rich, Caf\u{E9}, 12 \u{212B}")
        #expect(hash.matches("Zu\u{308}rich, Cafe\u{301}, 12 \u{C5}"))
        #expect(!hash.matches("Zurich, Cafe, 12 A") && !hash.matches(""))
        #expect(try PasswordHash(text: hash.text) == hash)
        #expect((hash.rounds, hash.blockSize, hash.parallelism) == (1 << 15, 8, 3), "less is for tests alone")
        let other = try PasswordHash("Z\u{FC}rich, Caf\u{E9}, 12 \u{212B}")
        #expect(hash.salt != other.salt && hash.hash != other.hash)
        for text in ["", "elevenchars", String(repeating: "x", count: 1_001)] {
            #expect(throws: PasswordError.self) { try PasswordHash(text) }
        }
    }
}

@Suite("The audit log")
struct AuditLogTests {
    @Test("A line is JSON, whatever a name contains; a full log is renamed, and the fourth is the last")
    func lines() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/server/audit.log"
        let log = try AuditLog(path: path, now: { ManualClock.start })
        var identity = Identity.local(isReadOnly: true)
        identity.name = "a\"\\\n\u{1}ü"
        let entry = AuditLog.Entry(
            identity: identity, person: "anna", method: "GET", route: "/v1/people/{person}", status: 200,
            address: "127.0.0.1")
        for round in 0..<7 {
            log.add(entry)
            try log.flush()
            let lines = try String(contentsOfFile: path, encoding: .utf8)
            #expect(
                lines == """
                    {"time":"2023-11-14T22:13:20Z","local":"local","name":"a\\"\\\\\\n\\u0001ü","person":"anna",\
                    "method":"GET","route":"/v1/people/{person}","status":200,"address":"127.0.0.1"}

                    """)
            // As if it had been filled.
            try FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: (16 << 20) + 1)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/server")
            #expect(files.count == min(round, 4) + 1)
        }
    }
}

/// A clock that only the test advances.
final class ManualClock: Sendable {
    static let start = Date(timeIntervalSince1970: 1_700_000_000)
    private let time = Mutex(start)

    var now: Date {
        get { time.withLock { $0 } }
        set { time.withLock { $0 = newValue } }
    }
}

/// A folder that is removed when it is released.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "access-tests-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
