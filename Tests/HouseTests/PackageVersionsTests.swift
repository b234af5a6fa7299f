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
                at: House.root.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("Another version, one package more and one less are found; the list can be moved")
    func differences() throws {
        let packages = try Dictionary(
            uniqueKeysWithValues: House.text(list).split(separator: "\n").dropFirst().map { line in
                let cells = line.split(separator: "\t").map(String.init)
                return (cells[0], cells[1])
            })
        #expect(packages.keys.contains("grdb.swift"))
        try resolve(packages)
        #expect(try run("check") == (0, ""))
        for (name, version) in [("swift-new", "1.0.0"), ("grdb.swift", nil), ("grdb.swift", "99.0.0")] {
            var others = packages
            others[name] = version
            try resolve(others)
            let (status, errors) = try run("check")
            #expect(status == 1)
            #expect(errors.hasPrefix("\(name): \(version ?? "nothing") was resolved, "), "\(errors)")
            #expect(errors.contains("make update-packages"))
        }
        #expect(try run("record").status == 0)
        #expect(try House.text(list).contains("grdb.swift\t99.0.0\thttps://example.org/grdb.swift\n"))
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
        let manifest = try House.text(resolved)
        let count = try House.text(list).split(separator: "\n").count - 1
        #expect(manifest.matches(of: /\.package\(url: "https:[^"]+", exact: "[\d.]+"\)/).count == count)
        #expect(manifest.contains(#"GRDB.swift", exact: ""#))
        // Versions that were resolved stay.
        try Data("Others".utf8).write(to: resolved)
        #expect(try run("pin", ["SWIFT": "/nowhere"]) == (0, ""))
        #expect(try House.text(resolved) == "Others")
    }

    /// Writes what SwiftPM writes when it has resolved these packages.
    private func resolve(_ packages: [String: String]) throws {
        let dependencies: [[String: Any]] = packages.map { name, version in
            [
                "packageRef": ["identity": name, "location": "https://example.org/\(name)"],
                "state": ["checkoutState": ["version": version]],
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
