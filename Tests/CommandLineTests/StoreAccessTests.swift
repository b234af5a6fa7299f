import Foundation
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

    /// What runs a command without the superuser’s permission to write everywhere.
    private static let prefix = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""

    /// Whether commands can run without that permission: there is a program for it, and the binary can be run by anyone.
    private static let isPossible: Bool = {
        guard let run = try? CommandRun(
            shell: "\(prefix)test -x '\(CommandRun.binary.path)'", store: URL(fileURLWithPath: "/nowhere"))
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

    @Test(
        "Commands that read, read it, and change nothing", .enabled(if: isPossible),
        arguments: [
            "types", "samples steps", "stats steps --every day", "sources", "rings", "energy", "profile", "doctor",
            "sql 'SELECT count(*) FROM samples'",
        ])
    func reading(arguments: String) throws {
        let store = try protected()
        defer { try? release() }
        let run = try CommandRun(shell: "\(Self.prefix)'\(CommandRun.binary.path)' \(arguments)", store: store)
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
        let run = try CommandRun(shell: "\(Self.prefix)'\(CommandRun.binary.path)' add steps 5 count", store: store)
        #expect(run.status == 1)
        #expect(run.errors == "Error: The store cannot be written to.\n")
    }
}
