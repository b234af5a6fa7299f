import Foundation
import Testing

/// The corpus, and seeded mutations of it. `make fuzz` continues from there with libFuzzer.
@Suite("Hostile input") struct FuzzTests {
    private static let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "Corpus")
    private static let seed: UInt64 = 12

    /// The inputs in a target's folder: each crashed a reader once, or reaches code that others don't.
    private static func inputs(_ target: FuzzTarget) throws -> [(name: String, bytes: [UInt8])] {
        let folder = corpus.appendingPathComponent(target.name)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { ($0.lastPathComponent, [UInt8](try Data(contentsOf: $0))) }
    }

    @Test("Every input of the corpus and every mutation ends without a trap", arguments: FuzzTarget.all.map(\.name))
    func target(name: String) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == name })
        let examples = try target.examples()
        #expect(!examples.isEmpty)
        for (index, example) in examples.enumerated() { run(target, example, "example \(index)") }
        let inputs = try Self.inputs(target)
        for (file, bytes) in inputs { run(target, bytes, "Corpus/\(name)/\(file)") }
        var mutation = FuzzMutation(seed: Self.seed, words: target.words)
        let count = Int(ProcessInfo.processInfo.environment["FUZZ_MUTATIONS"] ?? "") ?? target.mutations
        for round in 0..<count {
            run(target, mutation(examples + inputs.map(\.bytes)), "seed \(Self.seed), mutation \(round)")
        }
    }

    private func run(_ target: FuzzTarget, _ input: [UInt8], _ context: String) {
        // For the input that ends the process, which no issue can report.
        if let path = ProcessInfo.processInfo.environment["FUZZ_LAST_INPUT"] {
            try? Data(input).write(to: URL(fileURLWithPath: "\(path)-\(target.name)"))
        }
        do {
            try target.run(input)
        } catch {
            Issue.record("\(target.name), \(context): \(error)")
        }
    }

    @Test("The names of targets are those of the corpus’ folders, which are small")
    func folders() throws {
        let names = FuzzTarget.all.map(\.name)
        #expect(Set(names).count == names.count)
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(folders).isSubset(of: names))
        let size = try FuzzTarget.all.reduce(0) { size, target in
            try size + Self.inputs(target).reduce(0) { $0 + $1.bytes.count }
        }
        #expect(size < 1 << 20)
    }

    @Test("Docs/Reliability.md lists every target but those that the registry gives, and no other")
    func document() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("Docs/Reliability.md"), encoding: .utf8)
        let section = page.components(separatedBy: "\n## ").first { $0.hasPrefix("Coverage-guided fuzzing") }
        let rows = try #require(section).split(separator: "\n").filter { $0.hasPrefix("| ") }
        let names = rows.flatMap { row in row.matches(of: /`([a-z-]+)`/).map { String($0.1) } }
        let given = Set(DeviceTargets.readers.map(\.name))
        #expect(given.count > 8 && given.allSatisfy { $0.hasPrefix("reader-") })
        #expect(names.sorted() == FuzzTarget.all.map(\.name).filter { !given.contains($0) }.sorted())
        #expect(rows.contains { $0.contains("`reader-…`") })
        #expect(page.contains("There are \(names.count) targets and one for each reader"))
        let changelog = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        #expect(changelog.contains("\(names.count) parsers and every reader of the registry are fuzzed"))
    }
}
