import Foundation
import Testing

@Suite("README.md")
struct ReadmeTests {
    private struct Step {
        var command: String
        var output: String
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The commands and outputs of all console sessions, in order.
    private static func steps() throws -> [Step] {
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        var steps: [Step] = []
        var isInside = false
        for line in text.components(separatedBy: "\n") {
            if line == "```console" {
                isInside = true
            } else if line == "```" {
                isInside = false
            } else if isInside, line.hasPrefix("$ hk ") {
                steps.append(Step(command: String(line.dropFirst(5)), output: ""))
            } else if isInside {
                steps[steps.count - 1].output += line + "\n"
            }
        }
        return steps
    }

    /// The words of a command as a shell splits them; double quotes keep spaces.
    private func words(_ command: String) -> [String] {
        var words: [String] = []
        for (index, part) in command.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if index % 2 == 1 {
                words.append(String(part))
            } else {
                words += part.split(separator: " ").map(String.init)
            }
        }
        return words
    }

    /// The text with elapsed times masked, because they differ from run to run.
    private func withoutTimes(_ text: String) -> String {
        text.replacing(/"seconds":[0-9.e-]+/, with: "\"seconds\":…")
    }

    @Test("Every console session prints the documented output")
    func sessions() throws {
        let steps = try Self.steps()
        #expect(steps.count >= 10)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("readme-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for step in steps {
            let run = try CommandRun(
                words(step.command), store: folder.appendingPathComponent("health.sqlite"), folder: folder)
            #expect(run.status == 0, "hk \(step.command): \(run.errors)")
            #expect(withoutTimes(run.output) == withoutTimes(step.output), "hk \(step.command)")
        }
    }

    @Test("The Swift example is the code that the tests compile and run")
    func example() throws {
        let readme = try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
        let file = Self.root.appendingPathComponent("Tests/HealthKitTests/Readme/ReadmeExample.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let lines = source.components(separatedBy: "// begin\n")[1].components(separatedBy: "// end")[0]
        #expect(readme.contains("```swift\n\(lines)```"))
    }
}
