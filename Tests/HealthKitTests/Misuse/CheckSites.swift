import Foundation

/// The places of the module that end the process for a programmer's mistake, read from its sources.
struct CheckSites {
    /// One check.
    struct Site: Hashable {
        /// The file, without its folder and `.swift`.
        var file: String
        /// Which of the file's checks it is, from 1.
        var number: Int
    }

    /// The line of each check, from 1.
    let lines: [Site: Int]

    init() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/HealthKit")
        var lines: [Site: Int] = [:]
        let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let url as URL in paths ?? .init() where url.pathExtension == "swift" {
            let file = url.deletingPathExtension().lastPathComponent
            var number = 0
            for (index, line) in try String(contentsOf: url, encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false
            ).enumerated()
            where Self.isCheck(line) {
                number += 1
                lines[Site(file: file, number: number)] = index + 1
            }
        }
        self.lines = lines
    }

    /// Whether a line checks something; helpers that pass on whose check it is do not count.
    private static func isCheck(_ line: Substring) -> Bool {
        guard !line.contains("file: file"), !line.contains("///") else { return false }
        let calls = [
            "ProgrammerError.raise(", "ProgrammerError.refuse(", "ProgrammerError.checked ", "SampleBase.checked(",
            "ProgrammerError.checkedMetadata(",
            "QueryValidation.checked ", "QueryValidation.parts(",
            "options.require(for:", "requireUnexecuted(\"",
        ]
        return calls.contains { line.contains($0) }
    }
}
