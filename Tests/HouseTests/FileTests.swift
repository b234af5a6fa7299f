import Foundation
import Testing

@Suite("Files are small, and say what they hold")
struct FileTests {
    private static var handWritten: [URL] {
        (House.swiftFiles("Sources") + House.swiftFiles("Examples") + House.swiftFiles("Tests"))
            .filter { !$0.lastPathComponent.hasPrefix("GENERATED-") }
    }

    @Test("No hand-written file has more than 700 lines, the median at most 150")
    func lengths() throws {
        let lengths = try Self.handWritten.map { file in
            (House.name(file), try House.text(file).split(separator: "\n", omittingEmptySubsequences: false).count)
        }
        for (name, lines) in lengths { #expect(lines <= 700, "\(name) has \(lines) lines") }
        let sorted = lengths.map(\.1).sorted()
        #expect(sorted[sorted.count / 2] <= 150)
    }

    @Test("No file or folder is a drawer for anything")
    func names() {
        for file in Self.handWritten {
            for part in House.name(file).split(separator: "/") {
                #expect(!["Utils", "Utilities", "Helpers", "Misc", "Common"].contains(String(part.split(separator: ".")[0])), "\(House.name(file))")
            }
        }
    }

    @Test("Every @unchecked Sendable gives its reason")
    func unchecked() throws {
        for file in House.swiftFiles("Sources") {
            let lines = try House.text(file).split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() where line.contains("@unchecked Sendable") {
                let above = index > 0 ? lines[index - 1] : ""
                #expect(above.contains("//"), "\(House.name(file)):\(index + 1)")
            }
        }
    }

    @Test("Tests wait for events, not for time")
    func sleeps() throws {
        let words = ["Task.sleep", "usleep(", "Thread.sleep", " sleep("]
        for file in House.swiftFiles("Tests") where file.lastPathComponent != "FileTests.swift" {
            let text = try House.text(file)
            for word in words { #expect(!text.contains(word), "\(House.name(file))") }
        }
    }
}
