import Foundation
import ProcessTestSupport
import Testing

/// `Scripts/make-release` in a separate repository, with the files of this one that it reads.
@Suite("make release")
final class ReleaseTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("release-\(UUID().uuidString)")
    private static let files = [
        "Scripts/make-release", "Scripts/publish-release", "NOTICE", "CHANGELOG.md", "README.md", "Docs/Install.md",
        "Packaging/compose.yaml", "Sources/hk/Program.swift",
        "Sources/HealthServer/MCP/AssistantProtocol.swift",
    ]

    init() throws {
        for name in Self.files {
            let copy = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: SourceTree.root.appendingPathComponent(name), to: copy)
        }
        // What SwiftPM and make-deb write.
        try write(".build/workspace-state.json", Self.state)
        try write(".build-package/deb/openhealthkit_0.1.0_amd64.deb", "package")
        try write(".build-package/wheel/openhealthkit-0.1.0-py3-none-any.whl", "wheel")
        try write(".build-package/archive/openhealthkit-0.1.0-linux-x86_64.tar.gz", "archive")
        try write(".gitignore", ".build*/\n")
        for arguments in [["init", "--quiet"], ["add", "--all"], ["commit", "--quiet", "--message", "A release"]] {
            let run = try run("git", arguments)
            try #require(run.status == 0, "\(run.output)")
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static let state = """
        {"object": {"dependencies": [
          {"packageRef": {"identity": "swift-log", "location": "https://github.com/apple/swift-log.git"},
           "state": {"checkoutState": {"revision": "5073617d", "version": "1.16.2"}}},
          {"packageRef": {"identity": "grdb.swift", "location": "https://github.com/groue/GRDB.swift"},
           "state": {"checkoutState": {"revision": "18497b68", "version": "7.10.0"}}}]}}
        """

    @Test("Files of this package agree about the version")
    func version() throws {
        let (status, output) = try run(SourceTree.root.path + "/Scripts/make-release", ["--check"])
        #expect(status == 0 && output.contains(/^\d+\.\d+\.\d+\n$/), "\(output)")
    }

    @Test(
        "A file that names another version is found, with its line",
        arguments: [
            "Docs/Install.md", "README.md", "Packaging/compose.yaml",
            "Sources/HealthServer/MCP/AssistantProtocol.swift",
        ])
    func otherVersion(file: String) throws {
        let text = try SourceTree.text(folder.appendingPathComponent(file))
        let old =
            file.hasSuffix("swift")
            ? "\"0.1.0\"" : file.hasSuffix("yaml") ? "openhealthkit:0.1.0" : "openhealthkit_0.1.0"
        try write(file, text.replacing(old, with: old.replacing("0.1.0", with: "0.2.0")))
        let (status, output) = try run("Scripts/make-release", [".build", ".build-package"])
        #expect(status == 1)
        #expect(output.hasPrefix("\(file):") && output.contains(" names version 0.2.0; "), "\(output)")
    }

    @Test("The same commit gives the same bytes, with an SBOM and checksums; changes must be committed")
    func bytes() throws {
        let first = try release()
        #expect(
            Set(first.keys) == [
                "SHA256SUMS", "openhealthkit-0.1.0.cdx.json", "openhealthkit-0.1.0.tar.gz",
                "openhealthkit_0.1.0_amd64.deb", "compose.yaml",
                "openhealthkit-0.1.0-py3-none-any.whl", "openhealthkit-0.1.0-linux-x86_64.tar.gz",
            ])
        let (status, output) = try run("bash", ["-c", "cd .build-package/dist && sha256sum --check SHA256SUMS"])
        #expect(status == 0 && output.matches(of: /: OK/).count == 6, "\(output)")
        #expect(try release() == first)

        let bill = try #require(
            try JSONSerialization.jsonObject(with: first["openhealthkit-0.1.0.cdx.json"] ?? Data()) as? [String: Any])
        #expect(bill["bomFormat"] as? String == "CycloneDX" && bill["specVersion"] as? String == "1.6")
        let components = try #require(bill["components"] as? [[String: Any]])
        #expect(
            components.compactMap { $0["purl"] as? String } == [
                "pkg:swift/github.com/groue/GRDB.swift@7.10.0", "pkg:swift/github.com/apple/swift-log@1.16.2",
            ])
        for component in components { #expect(component["licenses"] != nil, "\(component)") }

        try write("README.md", "Changed.")
        let dirty = try run("Scripts/make-release", [".build", ".build-package"])
        #expect(dirty.status == 1 && dirty.output.contains("README.md"), "\(dirty.output)")
    }

    @Test("What several machines have built becomes one release; what differs is an error")
    func collecting() throws {
        for (machine, architecture) in [("a", "amd64"), ("b", "arm64")] {
            try write(".build-package/parts/\(machine)/openhealthkit-0.1.0.tar.gz", "sources")
            try write(".build-package/parts/\(machine)/openhealthkit_0.1.0_\(architecture).deb", architecture)
            try write(".build-package/parts/\(machine)/SHA256SUMS", machine)
        }
        let (status, output) = try run("Scripts/publish-release", ["collect", ".build-package"])
        #expect(status == 0, "\(output)")
        let check = try run("bash", ["-c", "cd .build-package/dist && LC_ALL=C ls && sha256sum --check SHA256SUMS"])
        #expect(
            check.output == """
                SHA256SUMS
                openhealthkit-0.1.0.tar.gz
                openhealthkit_0.1.0_amd64.deb
                openhealthkit_0.1.0_arm64.deb
                openhealthkit-0.1.0.tar.gz: OK
                openhealthkit_0.1.0_amd64.deb: OK
                openhealthkit_0.1.0_arm64.deb: OK

                """)
        try write(".build-package/parts/b/openhealthkit-0.1.0.tar.gz", "changed")
        let differs = try run("Scripts/publish-release", ["collect", ".build-package"])
        #expect(differs.status == 1)
        #expect(differs.output.hasSuffix("Two builds of one commit differ in openhealthkit-0.1.0.tar.gz.\n"))
    }

    private func release() throws -> [String: Data] {
        let (status, output) = try run("Scripts/make-release", [".build", ".build-package"])
        try #require(status == 0, "\(output)")
        let target = folder.appendingPathComponent(".build-package/dist")
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: target.path).map {
                ($0, try Data(contentsOf: target.appendingPathComponent($0)))
            })
    }

    private func write(_ name: String, _ text: String) throws {
        let file = folder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func run(_ program: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging([
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": "/dev/null",
        ]) { $1 }
        let end = try process.finish()
        return (end.status, end.output + end.errors)
    }
}
