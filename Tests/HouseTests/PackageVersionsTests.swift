import Foundation
import Testing

/// `Scripts/package-versions` in a folder of its own, with the list of this package.
@Suite("The packages of a release")
final class PackageVersionsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("versions-\(UUID().uuidString)")
    private var list: URL { folder.appendingPathComponent("Scripts/tables/package-versions.tsv") }
    private var state: URL { folder.appendingPathComponent("workspace-state.json") }

    init() throws {
        try FileManager.default.createDirectory(
            at: list.deletingLastPathComponent(), withIntermediateDirectories: true)
        for name in ["Scripts/package-versions", "Scripts/tables/package-versions.tsv"] {
            try FileManager.default.copyItem(
                at: House.root.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("A version or a revision that isn't listed, one package more and one less are found")
    func differences() throws {
        try resolve { $0 }
        #expect(try run("check", folder.path) == (0, ""))
        let other = String(repeating: "0", count: 40)
        for change in [
            { $0 + [["identity": "swift-new", "version": "1.0.0", "revision": other]] },
            { Array($0.dropFirst()) },
            { [$0[0].merging(["version": "99.0.0"]) { $1 }] + $0.dropFirst() },
            { [$0[0].merging(["revision": other]) { $1 }] + $0.dropFirst() },
        ] as [([[String: String]]) -> [[String: String]]] {
            try resolve(change)
            let (status, errors) = try run("check", folder.path)
            #expect(status == 1)
            #expect(errors.contains("was resolved") && errors.contains("make update-packages"))
        }
        let before = try House.text(list)
        #expect(try run("record", folder.path).status == 0)
        #expect(try House.text(list) != before)
        #expect(try run("check", folder.path).status == 0)
    }

    @Test("A fresh checkout resolves the packages of the list")
    func restoring() throws {
        #expect(try run("restore").status == 0)
        let file = folder.appendingPathComponent("Package.resolved")
        let resolved = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let pins = try #require(resolved?["pins"] as? [[String: Any]])
        #expect(pins.count == (try packages().count))
        let grdb = try #require(pins.first { $0["identity"] as? String == "grdb.swift" })
        #expect(grdb["location"] as? String == "https://github.com/groue/GRDB.swift")
        let listed = try packages().first { $0["identity"] == "grdb.swift" }
        #expect((grdb["state"] as? [String: String])?["version"] == listed?["version"])
    }

    private func packages() throws -> [[String: String]] {
        try House.text(list).split(separator: "\n").dropFirst().map { line in
            let cells = line.split(separator: "\t").map(String.init)
            return ["identity": cells[0], "version": cells[1], "revision": cells[2], "location": cells[3]]
        }
    }

    /// Writes what SwiftPM would have resolved.
    private func resolve(_ change: ([[String: String]]) -> [[String: String]]) throws {
        let dependencies = try change(packages()).map { package in
            [
                "packageRef": ["identity": package["identity"], "location": package["location"] ?? ""],
                "state": ["checkoutState": ["version": package["version"], "revision": package["revision"]]],
            ]
        }
        try JSONSerialization.data(withJSONObject: ["object": ["dependencies": dependencies]]).write(to: state)
    }

    private func run(_ arguments: String...) throws -> (status: Int32, errors: String) {
        let process = Process()
        process.executableURL = folder.appendingPathComponent("Scripts/package-versions")
        process.arguments = arguments
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
