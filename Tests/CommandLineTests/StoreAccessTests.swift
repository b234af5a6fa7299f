import Foundation
import ProcessTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Stores in places where nothing may be written.
@Suite("A store that can’t be written")
struct StoreAccessTests {
    private let scratch = Scratch()

    /// The prefix of a command that runs without the superuser’s permission to write everywhere.
    private static let prefix = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

    /// Whether commands can run without that permission: there is a program for it, and the binary can be run by
    /// anyone.
    private static let isPossible: Bool = {
        guard
            let run = try? CommandRun(
                shell: "\(prefix)test -x '\(BuiltProgram.hk.path)'", store: URL(fileURLWithPath: "/nowhere"))
        else { return false }
        return run.status == 0
    }()

    private func protected() throws -> URL {
        let folder = scratch.file("protected")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = folder.appendingPathComponent("health.sqlite")
        try FileManager.default.copyItem(at: Demo.shared.store, to: store)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: store.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
        return store
    }

    private func release() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.file("protected").path)
    }

    @Test("A store is used through a symbolic link, whose log is beside the file, and made at the end of one")
    func symbolicLink() throws {
        let store = try scratch.demoStore()
        let folder = scratch.file("links")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let link = folder.appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: store)
        #expect(try CommandRun(["types"], store: link).output == CommandRun(["types"], store: store).output)
        #expect(try CommandRun(["add", "bodyMass", "70", "kg"], store: link).errors == "")
        #expect(try CommandRun(["doctor"], store: link).status == 0)
        #expect(
            try CommandRun(["samples", "bodyMass"], store: link).output
                == CommandRun(["samples", "bodyMass"], store: store).output)
        let dangling = folder.appendingPathComponent("dangling.sqlite")
        try FileManager.default.createSymbolicLink(at: dangling, withDestinationURL: scratch.file("new.sqlite"))
        #expect(try CommandRun(["add", "bodyMass", "70", "kg"], store: dangling).errors == "")
        #expect(try CommandRun(["types"], store: scratch.file("new.sqlite")).output.contains("bodyMass"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "dangling.sqlite", "link.sqlite",
            ])
    }

    @Test(
        "A path that isn't a file is refused, and stays as it is", arguments: ["types", "add bodyMass 70 kg", "doctor"])
    func notAFile(command: String) throws {
        let pipe = scratch.file("pipe")
        mkfifo(pipe.path, 0o600)
        for path in [pipe.path, "/dev/null"] {
            let run = try CommandRun(shell: "\(BuiltProgram.hk.path) \(command) --store \(path)", store: scratch.store)
            #expect(run.errors == "Error: \(path) is not a regular file.\n" && run.status != 0)
        }
        #expect(!FileManager.default.fileExists(atPath: "/dev/null-journal"))
    }

    @Test("After a command that makes or lists tokens, the file alone is the whole store")
    func wholeFile() throws {
        let store = try scratch.demoStore()
        for command in [
            ["token", "add", "script", "--all"], ["token", "list"], ["watch", "stepCount", "--once", "--all"],
        ] {
            #expect(try CommandRun(command, store: store).status == 0)
            #expect(!FileManager.default.fileExists(atPath: store.path + "-wal"), "\(command)")
        }
    }

    @Test(
        "Commands that read, read it, and change nothing", .enabled(if: isPossible),
        arguments: [
            "types", "samples steps", "stats steps --every day", "sources", "rings", "energy", "profile", "doctor",
            "sql 'SELECT count(*) FROM samples'",
        ])
    func reading(arguments: String) throws {
        let store = try protected()
        defer { try? release() }
        let run = try CommandRun(shell: "\(Self.prefix)'\(BuiltProgram.hk.path)' \(arguments)", store: store)
        #expect(run.status == 0)
        #expect(run.errors == "")
        #expect(run.output.contains("\n") && !run.output.hasPrefix("No "))
        let folder = store.deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["health.sqlite"])
    }

    @Test("Commands that write report it", .enabled(if: isPossible))
    func writing() throws {
        let store = try protected()
        defer { try? release() }
        let run = try CommandRun(shell: "\(Self.prefix)'\(BuiltProgram.hk.path)' add steps 5 count", store: store)
        #expect(run.status == 1)
        #expect(run.errors == "Error: The store cannot be written to.\n")
    }
}
