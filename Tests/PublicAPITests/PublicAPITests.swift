import Foundation
import ProcessTestSupport
import Testing

/// The public declarations of every product are in `Baseline`, one file a module, so that a change of the API is part of a diff.
///
/// To record them after an intended change: `RECORD_EXPECTED=1 swift test --filter PublicAPITests`.
@Suite("The public API")
final class PublicAPITests {
    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let baseline = package.appendingPathComponent("Tests/PublicAPITests/Baseline")
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("api-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    @Test("It is the recorded one")
    func isRecorded() async throws {
        let found = try await declarations()
        #expect(found.keys.contains("HealthKit") && found.count >= 20)
        let version = try await swiftVersion()
        let record = Self.baseline.appendingPathComponent("swift-version")
        if ProcessInfo.processInfo.environment["RECORD_EXPECTED"] != nil {
            try? FileManager.default.removeItem(at: Self.baseline)
            try FileManager.default.createDirectory(at: Self.baseline, withIntermediateDirectories: true)
            for (module, text) in found {
                try Data(text.utf8).write(to: Self.baseline.appendingPathComponent("\(module).txt"))
            }
            try Data("\(version)\n".utf8).write(to: record)
        }
        // Compilers spell declarations in different ways. Only the one that recorded them can compare.
        let recorded = try String(contentsOf: record, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        guard version == recorded else {
            print("The public API was recorded with Swift \(recorded), and isn't compared with Swift \(version).")
            return
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.baseline.path)
        #expect(Set(files) == Set(found.keys.map { "\($0).txt" } + ["swift-version"]))
        for (module, text) in found.sorted(by: { $0.key < $1.key }) {
            let file = Self.baseline.appendingPathComponent("\(module).txt")
            let expected = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            for change in Self.changes(from: expected, to: text) { Issue.record("\(module): \(change)") }
        }
    }

    @Test("It has what only watchOS declares, with the availability that Apple documents")
    func watchOS() throws {
        let recorded = try String(contentsOf: Self.baseline.appendingPathComponent("HealthKit.txt"), encoding: .utf8)
        let declared = Set(recorded.split(separator: "\n").compactMap { $0.split(separator: ": ").first })
        let table = try String(
            contentsOf: Self.package.appendingPathComponent("Scripts/tables/healthkit-watchos.tsv"), encoding: .utf8)
        let rows = table.split(separator: "\n").dropFirst().map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 10)
        for row in rows {
            #expect(row.count == 4 && declared.contains(row[1]) && row[2].hasPrefix("watchOS "), "\(row)")
        }
    }

    @Test("A declaration that is added, removed or changed is a difference")
    func rule() {
        let before = "A: struct A\nA.b: var b: Int\nA.c: var c: Int\n"
        let after = "A: struct A\nA.b: var b: Int { get }\nA.d: var d: Int\n"
        #expect(
            Self.changes(from: before, to: after) == [
                "- A.b: var b: Int", "+ A.b: var b: Int { get }", "- A.c: var c: Int", "+ A.d: var d: Int",
            ])
        #expect(Self.changes(from: before, to: before).isEmpty)
    }

    /// The lines that only one of the texts has, in their order.
    private static func changes(from before: String, to after: String) -> [String] {
        let (old, new) = (Set(before.split(separator: "\n")), Set(after.split(separator: "\n")))
        return old.symmetricDifference(new).sorted().map { (old.contains($0) ? "- " : "+ ") + $0 }
    }

    /// The public declarations of the modules that were built with this test, by module.
    private func declarations() async throws -> [String: String] {
        var build = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        while !FileManager.default.fileExists(atPath: build.appendingPathComponent("Modules").path), build.path != "/" {
            build.deleteLastPathComponent()
        }
        let (graphs, texts) = (folder.path + "/graphs", folder.path + "/texts")
        _ = try await run(Self.package.path + "/Scripts/symbol-graphs", swift, build.path, graphs)
        _ = try await run(Self.package.path + "/Scripts/public-api", graphs, texts)
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: texts).map { name in
                let text = try String(contentsOfFile: "\(texts)/\(name)", encoding: .utf8)
                return (String(name.dropLast(".txt".count)), text)
            })
    }

    private var swift: String { ProcessInfo.processInfo.environment["SWIFT"] ?? "swift" }

    /// The compiler's major and minor version.
    private func swiftVersion() async throws -> String {
        let text = try await run("/usr/bin/env", swift, "--version")
        return try String(#require(text.firstMatch(of: /Swift version (\d+\.\d+)/)).1)
    }

    private func run(_ program: String, _ arguments: String...) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let (output, errors, status) = try await process.finished()
        try #require(status == 0, "\((output + errors).suffix(2_000))")
        return output
    }
}
