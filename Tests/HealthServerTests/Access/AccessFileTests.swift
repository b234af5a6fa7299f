import Foundation
import Synchronization
import Testing

@testable import HealthServer

@Suite("The file of tokens and sessions")
struct AccessFileTests {
    private static func token(_ id: String) -> TokenRecord {
        TokenRecord(
            id: id, name: id, scope: .owner, bundleIdentifier: nil, people: nil, isReadOnly: false,
            created: Date(timeIntervalSince1970: 1_700_000_000), expires: nil, lastUsed: nil, digest: id)
    }

    @Test("A file that doesn’t exist has no tokens; a change creates it, readable by its owner only")
    func creation() throws {
        let folder = try TemporaryServerFolder()
        let file = AccessFile(path: folder.path + "/new/access.json")
        #expect(try file.read().document == AccessDocument())
        try file.update { $0.tokens.append(Self.token("a")) }
        #expect(try file.read().document.tokens.map(\.id) == ["a"])
        for (path, mode) in [("/new/access.json", 0o600), ("/new", 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path + path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test("Another process’s change is seen with the next read")
    func replacement() throws {
        let folder = try TemporaryServerFolder()
        let (one, two) = (AccessFile(path: folder.path + "/a.json"), AccessFile(path: folder.path + "/a.json"))
        try one.update { $0.tokens = [Self.token("a")] }
        let first = try two.read()
        #expect(first.document.tokens.count == 1)
        #expect(try two.read().generation == first.generation)
        try one.update { $0.tokens = [] }
        let second = try two.read()
        #expect(second.document.tokens.isEmpty)
        #expect(second.generation > first.generation)
    }

    @Test("Changes at the same time are all kept")
    func concurrency() async throws {
        let folder = try TemporaryServerFolder()
        let path = folder.path + "/a.json"
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    // Two instances exclude each other by the lock file only, like two processes.
                    try AccessFile(path: path).update { $0.tokens.append(Self.token("t\(number)")) }
                }
            }
            try await group.waitForAll()
        }
        let tokens = try AccessFile(path: path).read().document.tokens
        #expect(Set(tokens.map(\.id)) == Set((0..<24).map { "t\($0)" }))
    }

    @Test("A change that throws changes nothing, and what a crash left behind is no obstacle")
    func failures() throws {
        let folder = try TemporaryServerFolder()
        let file = AccessFile(path: folder.path + "/a.json")
        try file.update { $0.tokens = [Self.token("a")] }
        #expect(throws: TestServerError.self) {
            try file.update { document in
                document.tokens = []
                throw TestServerError("stop")
            }
        }
        #expect(try file.read().document.tokens.count == 1)
        try Data("half a fi".utf8).write(to: URL(fileURLWithPath: file.path + ".new"))
        try file.update { $0.tokens.append(Self.token("b")) }
        #expect(try AccessFile(path: file.path).read().document.tokens.map(\.id) == ["a", "b"])
    }

    @Test(
        "A damaged file is an error, not an empty list",
        arguments: ["", "{}", "not json", #"{"version":9,"tokens":[],"sessions":[],"codes":[]}"#])
    func damage(text: String) throws {
        let folder = try TemporaryServerFolder()
        let path = folder.path + "/a.json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        let file = AccessFile(path: path)
        #expect(throws: AccessFileError.self) { try file.read() }
        #expect(throws: AccessFileError.self) { try file.update { $0.tokens = [] } }
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
}
