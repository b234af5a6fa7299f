import Foundation
import ProcessTestSupport
import Testing

/// `Scripts/package-versions` in a separate folder, with the list of this package.
@Suite("The packages of a release")
final class PackageVersionsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("versions-\(UUID().uuidString)")
    private var list: URL { folder.appendingPathComponent("Scripts/tables/package-versions.tsv") }

    init() throws {
        try FileManager.default.createDirectory(
            at: list.deletingLastPathComponent(), withIntermediateDirectories: true)
        for name in ["Scripts/package-versions", "Scripts/tables/package-versions.tsv"] {
            try FileManager.default.copyItem(
                at: SourceTree.root.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("Another version, one package more and one less are found; the list can be moved")
    func differences() throws {
        let packages: [String: (version: String, revision: String)] = try Dictionary(
            uniqueKeysWithValues: SourceTree.text(list).split(separator: "\n").dropFirst().map { line in
                let cells = line.split(separator: "\t").map(String.init)
                #expect(cells[2].count == 40 && cells[2].allSatisfy(\.isHexDigit))
                return (cells[0], (version: cells[1], revision: cells[2]))
            })
        #expect(packages.keys.contains("grdb.swift"))
        try resolve(packages)
        #expect(try run("check") == (0, ""))
        let same = try #require(packages["grdb.swift"])
        let changes: [(name: String, version: (version: String, revision: String)?)] = [
            ("swift-new", ("1.0.0", "aa")), ("grdb.swift", nil), ("grdb.swift", (same.version, "bb")),
            ("grdb.swift", ("99.0.0", "cc")),
        ]
        for (name, version) in changes {
            var others = packages
            others[name] = version
            try resolve(others)
            let (status, errors) = try run("check")
            #expect(status == 1)
            let text = version.map { "\($0.version) (\($0.revision))" } ?? "nothing"
            #expect(errors.hasPrefix("\(name): \(text) was resolved, "), "\(errors)")
            #expect(errors.contains("make update-packages"))
        }
        #expect(try run("record").status == 0)
        #expect(try SourceTree.text(list).contains("grdb.swift\t99.0.0\tcc\thttps://example.org/grdb.swift\n"))
        #expect(try run("check").status == 0)
    }

    @Test("A checkout without Package.resolved gets the versions of the list")
    func pins() throws {
        let resolved = folder.appendingPathComponent("Package.resolved")
        // In place of SwiftPM: it resolves what the manifest requires.
        let swift = folder.appendingPathComponent("swift")
        try Data("#!/bin/sh\ncp \"$4/Package.swift\" \"$4/Package.resolved\"\n".utf8).write(to: swift)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift.path)
        #expect(try run("pin", ["SWIFT": swift.path]) == (0, ""))
        let manifest = try SourceTree.text(resolved)
        let count = try SourceTree.text(list).split(separator: "\n").count - 1
        #expect(manifest.matches(of: /\.package\(url: "https:[^"]+", exact: "[\d.]+"\)/).count == count)
        #expect(manifest.contains(#"GRDB.swift", exact: ""#))
        // Versions that were resolved stay.
        try Data("Others".utf8).write(to: resolved)
        #expect(try run("pin", ["SWIFT": "/nowhere"]) == (0, ""))
        #expect(try SourceTree.text(resolved) == "Others")
    }

    @Test("Actions are named by commit, and the image that others build upon by digest")
    func otherNames() throws {
        let folder = SourceTree.root.appendingPathComponent(".github/workflows")
        var count = 0
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            for line in try SourceTree.text(file).split(separator: "\n") where line.contains("uses:") {
                #expect(line.wholeMatch(of: /.*uses: [\w\/-]+@[0-9a-f]{40} # v[\d.]+/) != nil, "\(line)")
                count += 1
            }
        }
        #expect(count > 5)
        let image = try SourceTree.text(SourceTree.root.appendingPathComponent("Dockerfile"))
        let bases = image.split(separator: "\n").filter { $0.hasPrefix("FROM ") }
        #expect(!bases.isEmpty && bases.allSatisfy { $0.contains(/@sha256:[0-9a-f]{64}( |$)/) })
    }

    /// Writes what SwiftPM writes when it has resolved these packages.
    private func resolve(_ packages: [String: (version: String, revision: String)]) throws {
        let dependencies: [[String: Any]] = packages.map { name, version in
            [
                "packageRef": ["identity": name, "location": "https://example.org/\(name)"],
                "state": ["checkoutState": ["version": version.version, "revision": version.revision]],
            ]
        }
        try JSONSerialization.data(withJSONObject: ["object": ["dependencies": dependencies]])
            .write(to: folder.appendingPathComponent("workspace-state.json"))
    }

    private func run(
        _ command: String, _ environment: [String: String] = [:]
    ) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.executableURL = folder.appendingPathComponent("Scripts/package-versions")
        process.arguments = [command, folder.path]
        let end = try process.finish()
        return (end.status, end.errors)
    }
}
